/** The display contract on the screen as its customers have it: the page in real Chromium is what is read. */
import fastify, { type FastifyInstance } from 'fastify';
import type { Picture } from '../../drivers/display/contract.ts';
import { qrPath } from '../../drivers/display/qr-svg.ts';
import { ScreenDisplay } from '../../drivers/display/screen.ts';
import { displayEvents } from '../../firmware/console/display-view.ts';
import { EventStream } from '../../firmware/console/event-stream.ts';
import { addStaticPages } from '../../firmware/console/static-pages.ts';
import { contractSuite, type Rig } from '../drivers/display/contract-suite.ts';
import { skippedSuite } from '../drivers/display/support.ts';
import { CHROMIUM, hasChromium, launch } from './support.ts';

const PANEL = { width: 480, height: 800 };

/** Serves the page of one display. */
async function serve(events: EventStream): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true });
  addStaticPages(app);
  app.get('/display/events', (_request, reply) => reply.type('text/event-stream').send(events.open()));
  app.addHook('preClose', async () => events.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

/** What a camera in front of the panel would see, once the page has drawn the code of the moment. */
async function photograph(url: string, payload: string): Promise<Buffer> {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: PANEL });
    await page.goto(`${url}/display`);
    await page.locator(`.code path[d="${qrPath(payload).path}"]`).waitFor();
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

async function chromiumRig(): Promise<Rig> {
  const drawn: Picture[] = [];
  let screen: ScreenDisplay | null = null;
  const opened = (): ScreenDisplay => {
    if (screen === null) throw new Error('not opened');
    return screen;
  };
  const shown = {
    get picture() {
      return opened().picture;
    },
    get displayState() {
      return opened().state;
    },
  };
  const onProblem = (error: unknown): void => {
    throw error;
  };
  const events = new EventStream({ hello: {}, compose: displayEvents(shown), onProblem });
  const app = await serve(events);
  return {
    open(options) {
      screen = new ScreenDisplay(options);
      screen.subscribe((picture) => {
        drawn.push(picture);
        events.changed();
      });
      return screen;
    },
    far: {
      picture: () => shown.picture,
      drawn: () => drawn,
      render: () => {
        const { picture } = shown;
        if (picture.kind !== 'qr') throw new Error('no QR is shown');
        return photograph(app.listeningOrigin, picture.payload);
      },
    },
    close: () => app.close(),
  };
}

if (hasChromium) contractSuite('display contract: screen in Chromium', chromiumRig);
else {
  const reason = `SKIPPED the display contract in Chromium: there is no ${CHROMIUM}`;
  process.stdout.write(`${reason}\n`);
  skippedSuite(reason);
}
