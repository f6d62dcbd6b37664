/** Several windows of one device, and a device that is killed while they look on, in real Chromium. */
import type { BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { startFirmware } from '../process.ts';
import { call, each, onSetUpDevice, pick, setUp, temporaryFolder } from '../support.ts';
import { startWire } from '../wire.ts';
import { browserSuite, button, live } from './support.ts';

const { test, browsing } = browserSuite('windows of the console');
const it = each(test, onSetUpDevice);

const PAGES = ['lane', 'payments', 'items', 'teach', 'camera', 'store', 'device', 'integrate', 'welcome'] as const;
/** A browser has six connections for a device, and each window holds one of them. */
const WINDOWS_OF_A_BROWSER = 4;
/** What a person can do nothing amiss with, whether the device answers or not. */
const HARMLESS = '.languages button, .skip, .rail button, .keypad button, .call button, summary';
const ALIVE = `[...document.querySelectorAll('main button:enabled')].filter((node) => !node.matches('${HARMLESS}'))
  .map((node) => node.textContent.trim() || node.ariaLabel)`;

/** The devices of these tests have neither camera nor model. */
const NO_CAMERA = /status of 503/;

const lost = (page: Page) => page.locator('.banner', { hasText: 'Connection to the device lost' }).waitFor();
const back = async (page: Page): Promise<void> => {
  await live(page);
  await page.locator('.banner').waitFor({ state: 'detached' });
};
const sell = async (page: Page, amount: string): Promise<void> => {
  await page.getByLabel('Amount (roubles)').fill(amount);
  await button(page, 'Show QR code').click();
};
const open = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(url);
  await live(page);
  return page;
};

it('four windows stay live on the lane, each with one stream, and calls still get through', async (device) => {
  await using first = await browsing.open(`${device.recognition}/`);
  await live(first);
  const context = first.context();
  const streams: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('/events')) streams.push(pathname);
  });
  const windows = [first, ...(await Promise.all([1, 2, 3].map(() => open(context, device.recognition))))];
  for (const [index, page] of windows.entries()) {
    await sell(page, String(100 + index));
    const amount = `₽${100 + index}.00`;
    for (const other of windows) {
      await other.locator('#latest .sum', { hasText: amount }).waitFor();
      await other.locator('#customer [data-view=qr] .amount', { hasText: String(100 + index) }).waitFor();
    }
  }
  await button(first, 'Cancel payment').click();
  for (const page of windows) await page.locator('#latest .chip', { hasText: 'Cancelled' }).waitFor();
  assert.equal(
    streams,
    ['/console/api/overview/events', '/console/api/overview/events', '/console/api/overview/events'],
    'a window has one stream',
  );
});

test('a device killed in mid-action is lost on every page, without actions, and recovers', async () => {
  using folder = temporaryFolder();
  const first = await startFirmware(folder.path);
  await using _first = first.program;
  await setUp(first.urls);
  await call(`${first.urls.terminal}/showQR`, { json: { amount: 4200, purpose: 'killed' } });
  const { recognition } = first.urls;
  const windows: Page[] = [];
  const afterwards = async () => {
    await first.program.kill('SIGKILL');
    for (const page of windows) {
      await lost(page);
      assert.equal(await page.evaluate<string[]>(ALIVE), [], `no button is alive: ${page.url()}`);
    }
    const settings = { LANEWARE_RECOGNITION_PORT: new URL(recognition).port };
    const second = await startFirmware(folder.path, { settings });
    await using _second = second.program;
    for (const page of windows) await back(page);
    const [lane] = windows;
    if (lane === undefined) throw new Error('no window is open');
    await sell(lane, '7');
    await lane.locator('#latest .sum', { hasText: '₽7.00' }).waitFor();
    await lane.locator('#customer [data-view=qr]').waitFor();
  };
  /** Opens some pages in a browser of their own, then the rest in others. */
  const look = (pages: readonly string[]): Promise<void> =>
    browsing.visit(
      'about:blank',
      {},
      async (blank) => {
        for (const hash of pages.slice(0, WINDOWS_OF_A_BROWSER))
          windows.push(await open(blank.context(), `${recognition}/#/${hash}`));
        const rest = pages.slice(WINDOWS_OF_A_BROWSER);
        if (rest.length > 0) return look(rest);
        const [lane] = windows;
        // a call is under way when it dies, and gets no answer
        await lane?.route('**/console/api/display/clear', () => undefined);
        if (lane !== undefined) await button(lane, 'Clear display').click();
        await lane?.unroute('**/console/api/display/clear');
        await afterwards();
      },
      NO_CAMERA,
    );
  await look(PAGES);
});

test('a device frozen in mid-sale counts as lost, and goes on with exactly one sale', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path);
  await using _program = program;
  await setUp(urls);
  await using page = await browsing.open(urls.recognition);
  await live(page);
  await page.getByLabel('Amount (roubles)').fill('12');
  program.child.kill('SIGSTOP');
  try {
    await button(page, 'Show QR code').click();
    await lost(page);
    assert.is(await button(page, 'Show QR code').isEnabled(), false);
  } finally {
    program.child.kill('SIGCONT');
  }
  await back(page);
  await page.locator('#customer [data-view=qr]').waitFor();
  const { payments } = (await call(`${urls.recognition}/v1/payments`)).body;
  assert.equal(pick(payments, 'amount'), [1200]);
});

it('a window without its network hides the code that it shows, and catches up by itself', async (device) => {
  await using wire = await startWire(Number(new URL(device.recognition).port));
  await using page = await browsing.open(`http://127.0.0.1:${wire.port}`);
  await live(page);
  await call(`${device.terminal}/showQR`, { json: { amount: 4200, purpose: 'before' } });
  await page.locator('#customer [data-view=qr]').waitFor();
  wire.hold();
  await lost(page);
  assert.is(await page.locator('#customer [data-view=qr]').count(), 0, 'no code that may have gone stale');
  await call(`${device.recognition}/console/api/display/clear`, { json: {} });
  wire.letGo();
  await back(page);
  assert.is(await page.locator('#customer [data-view=qr]').count(), 0);
});

test.run();
