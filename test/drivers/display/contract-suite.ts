/** What holds for every display, on any wire. Each kind runs it against its simulator, and against real hardware. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CLEAR,
  type Display,
  type DisplayOptions,
  type DisplayState,
  type Picture,
} from '../../../drivers/display/contract.ts';
import { failure, PAYLOADS, qr, readQr, ready, until } from './support.ts';

/** One display with its far end. */
export interface Rig {
  open(options: DisplayOptions): Display;
  /** What a customer sees; null at real hardware, where no test can see it, and at a page, which has its own tests. */
  readonly far: {
    picture(): Picture;
    render(): Promise<Buffer>;
    /** The pictures that were drawn, in order, without those that were wiped to draw the next. */
    drawn(): readonly Picture[];
  } | null;
  close(): Promise<void>;
}

export function contractSuite(name: string, createRig: () => Promise<Rig>): void {
  const contract = suite<{ rig: Rig; display: Display | null; current: Picture; states: DisplayState[] }>(name);

  contract.before.each(async (context) => {
    context.rig = await createRig();
    context.display = null;
    context.current = CLEAR;
    context.states = [];
  });
  contract.after.each(async ({ rig, display }) => {
    await display?.close();
    await rig.close();
  });

  type Context = { rig: Rig; display: Display | null; current: Picture; states: DisplayState[] };
  const open = async (context: Context): Promise<Display> => {
    const onState = (state: DisplayState) => context.states.push(state);
    context.display = context.rig.open({ current: () => context.current, onState });
    await ready(context.display);
    return context.display;
  };
  const seen = async ({ rig }: Context, picture: Picture): Promise<void> => {
    const { far } = rig;
    if (far) await until(`the customer sees ${picture.kind}`, () => sameText(far.picture(), picture));
  };

  contract('draws the current picture as soon as it is connected', async (context) => {
    context.current = qr('https://example.org/current');
    await open(context);
    await seen(context, context.current);
  });

  contract('reports its states, ready as the last of the opening', async (context) => {
    await open(context);
    assert.is(context.states.at(-1)?.name, 'ready');
  });

  contract('shows each kind of picture', async (context) => {
    const display = await open(context);
    const pictures: Picture[] = [
      qr('https://example.org/1'),
      { kind: 'status', status: 'success' },
      { kind: 'status', status: 'failure' },
      CLEAR,
    ];
    for (const picture of pictures) {
      await display.draw(picture);
      await seen(context, picture);
    }
  });

  for (const payload of PAYLOADS) {
    const bytes = Buffer.byteLength(payload);
    contract(`a customer reads a payload of ${bytes} bytes unchanged`, async (context) => {
      const display = await open(context);
      await display.draw(qr(payload));
      await seen(context, qr(payload));
      if (context.rig.far) assert.is(await readQr(await context.rig.far.render()), payload);
    });
  }

  contract('shows pictures in the order of the calls, none left out', async (context) => {
    const display = await open(context);
    const pictures = Array.from({ length: 20 }, (_, index) => qr(`https://example.org/${index}`));
    await Promise.all(pictures.map((picture) => display.draw(picture)));
    await seen(context, qr('https://example.org/19'));
    if (context.rig.far) assert.equal(context.rig.far.drawn().map(textOf), pictures.map(textOf));
  });

  for (const [what, payload, problem] of [
    ['empty', '', 'must have 1 to 1000 bytes of UTF-8; it has 0'],
    ['longer than 1000 bytes', 'a'.repeat(1001), 'must have 1 to 1000 bytes of UTF-8; it has 1001'],
    ['longer than that, though not in characters', 'ж'.repeat(501), 'must have 1 to 1000 bytes of UTF-8; it has 1002'],
    ['no valid Unicode', 'a\ud800b', 'holds half a character'],
  ] as const) {
    contract(`a payload that is ${what} is refused, the picture stays`, async (context) => {
      const display = await open(context);
      await display.draw(qr('https://example.org/kept'));
      const { kind, code, message } = await failure(display.draw(qr(payload)));
      assert.equal({ kind, code, message }, { kind: display.kind, code: 'payload', message: `the payload ${problem}` });
      assert.is(display.state.name, 'ready');
      await seen(context, qr('https://example.org/kept'));
    });
  }

  contract('a current picture that cannot be drawn leaves the display clear, and connected', async (context) => {
    context.current = qr('');
    await open(context);
    await seen(context, CLEAR);
  });

  contract('closes more than once, and shows nothing afterwards', async (context) => {
    const display = await open(context);
    await Promise.all([display.close(), display.close()]);
    await display.close();
    assert.is(display.state.name, 'closed');
    assert.is((await failure(display.draw(CLEAR))).code, 'closed');
    assert.is(context.states.filter(({ name }) => name === 'closed').length, 1);
  });

  contract('closes while it is still connecting', async (context) => {
    const display = context.rig.open({ current: () => CLEAR });
    await display.close();
    assert.is(display.state.name, 'closed');
  });

  contract.run();
}

export function textOf(picture: Picture): string {
  return picture.kind === 'qr' ? `qr ${picture.payload}` : picture.kind === 'status' ? picture.status : 'clear';
}

const sameText = (a: Picture, b: Picture): boolean => textOf(a) === textOf(b);
