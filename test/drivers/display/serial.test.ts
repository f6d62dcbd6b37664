/** The traps of serial ports, each on a real pseudo-terminal. */
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, DisplayError, type DisplayErrorCode, type Picture } from '../../../drivers/display/contract.ts';
import { serialConnector } from '../../../drivers/display/wire/serial.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { WireDisplay, type WireOptions } from '../../../drivers/display/wire/wire-display.ts';
import { pause, within } from '../../../drivers/lib/async.ts';
import { atEnd } from '../../support.ts';
import { PtyDisplay } from '../../tools/display/pty.ts';
import { textOf } from './contract-suite.ts';
import { failure, QUICK, qr, ready, until } from './support.ts';

interface Context {
  device: SimulatedDisplay;
  pty: PtyDisplay;
  display: WireDisplay | null;
  current: Picture;
  /** The reasons of every lost state, in order. */
  codes: DisplayErrorCode[];
  attempts: number;
}

const serial = suite<Context>('serial display');

serial.before.each(async (context) => {
  context.device = new SimulatedDisplay();
  context.pty = new PtyDisplay(context.device);
  context.display = null;
  context.current = CLEAR;
  context.codes = [];
  context.attempts = 0;
});
serial.after.each(async ({ display, pty }) => {
  await display?.close();
  await pty.close();
});

function open(context: Context, options: Partial<WireOptions & { path: string; presenceCheckMs: number }> = {}) {
  const { path = context.pty.path(), presenceCheckMs = 20, ...rest } = options;
  context.display = new WireDisplay({
    kind: 'serial',
    connect: serialConnector(path, rest.log, context.pty.byIdDir, presenceCheckMs),
    current: () => context.current,
    onState: ({ name }) => {
      if (name === 'connecting') context.attempts += 1;
    },
    log: (message, details) => {
      if (message === 'the display is lost') context.codes.push(details?.code as DisplayErrorCode);
    },
    ...QUICK,
    ...rest,
  });
  return context.display;
}

async function opened(...[context, options]: Parameters<typeof open>): Promise<WireDisplay> {
  const display = open(context, options);
  await ready(display);
  return display;
}

const isLost = (display: WireDisplay) => until('the loss is noticed', () => display.state.name !== 'ready');
const framesOfLast = ({ device }: Context) => device.connections.at(-1)?.frames ?? [];

serial('a port that is not there is a state, and the display is used as soon as it comes', async (context) => {
  const display = open(context);
  await until('the absence is known', () => context.codes.length > 0);
  assert.equal(context.codes, ['not-found']);
  const error = await failure(display.draw(qr('x')));
  assert.is(error.code, 'not-connected');
  assert.ok(error.cause instanceof DisplayError && error.cause.code === 'not-found');
  await context.pty.plug();
  await ready(display);
});

serial('a port that another process holds is busy, and is taken when it is free', async (context) => {
  await context.pty.plug();
  const holder = new SerialPort({ path: context.pty.path(), baudRate: 115_200 });
  await until('the port is held', () => holder.isOpen);
  const display = open(context);
  await until('the refusal is known', () => context.codes.length > 0);
  assert.equal(context.codes, ['busy']);
  await new Promise((resolve) => holder.close(resolve));
  await ready(display);
});

serial('a port that vanishes at any moment is noticed though nothing is written', async (context) => {
  const display = open(context);
  for (let turn = 0; turn < 20; turn += 1) {
    await context.pty.plug();
    await ready(display);
    // at once is in the middle of a read: then serialport reads nothing, over and over, and never reports it
    if (turn % 2 === 1) await pause(turn);
    await context.pty.unplug();
    await isLost(display);
  }
  assert.ok(context.codes.every((code) => code === 'lost' || code === 'not-found'));
});

serial('a port that vanishes and is back before anyone looked is another one', async (context) => {
  await context.pty.plug();
  const display = await opened(context);
  await context.pty.unplug();
  await context.pty.plug();
  await until('it is connected again', () => framesOfLast(context).length > 0);
  await ready(display);
});

serial('what is asked for while the port is away is never sent when it comes back', async (context) => {
  await context.pty.plug();
  const display = await opened(context);
  await context.pty.unplug();
  // the port may not have reported its end yet: that is the moment when serialport keeps a write for the next open
  const stale = failure(display.draw(qr('https://example.org/stale')));
  await isLost(display);
  await stale;
  context.current = qr('https://example.org/current');
  await context.pty.plug();
  await ready(display);
  await display.draw(qr('https://example.org/next'));
  await until('it is drawn', () => textOf(context.device.picture) === 'qr https://example.org/next');
  const payloads = framesOfLast(context).flatMap((frame) => (frame.kind === 'qr' ? [frame.payload] : []));
  assert.equal(payloads, ['https://example.org/current', 'https://example.org/next']);
});

serial('a display that takes no bytes is given up at the deadline, and drawn on later', async (context) => {
  await context.pty.plug();
  const display = await opened(context, { writeDeadlineMs: 150, backoffMinMs: 500, backoffMaxMs: 500 });
  context.pty.freeze();
  // the system takes some tens of kilobytes for it before a write waits
  const error = await failure(
    (async () => {
      for (let turn = 0; turn < 1_000; turn += 1) await display.draw(qr(`${turn}`.padEnd(1_000, '.')));
    })(),
  );
  assert.is(error.code, 'timeout');
  context.current = qr('https://example.org/after');
  context.pty.thaw();
  await ready(display);
  await until('the current picture is seen', () => textOf(context.device.picture) === textOf(context.current));
});

serial('closes while a write is stuck', async (context) => {
  await context.pty.plug();
  const display = await opened(context, { writeDeadlineMs: 3_600_000 });
  context.pty.freeze();
  const shows = Array.from({ length: 200 }, () => display.draw(qr('.'.repeat(1_000))).catch(() => undefined));
  await within(display.close(), 5_000, () => new Error('close did not settle'));
  await Promise.all(shows);
});

serial('rubbish answers change nothing', async (context) => {
  context.device.answers = 'rubbish';
  await context.pty.plug();
  const display = await opened(context);
  for (let turn = 0; turn < 50; turn += 1) await display.draw(qr(`https://example.org/${turn}`));
  await until('the last is seen', () => textOf(context.device.picture) === 'qr https://example.org/49');
  assert.is(display.state.name, 'ready');
});

serial('the answers of the device come to the log', async (context) => {
  const replies: unknown[] = [];
  await context.pty.plug();
  const display = open(context, {
    log: (message, details) => {
      if (message === 'the display answered') replies.push(details?.text);
    },
  });
  await ready(display);
  await display.draw({ kind: 'status', status: 'success' });
  await until('both are answered', () => replies.length >= 2);
  assert.equal(replies, ['CLS', 'correct']);
});

for (const [what, link, isConfigured] of [
  ['a display that comes back under another name is followed by its by-id link', 'usb-display', false],
  ['a by-id link that udev makes only after the device was opened is followed too', undefined, false],
  ['a configured by-id link is followed wherever it points', 'usb-display', true],
] as const)
  serial(what, async (context) => {
    const { pty } = context;
    await pty.plug('ttyACM0', link);
    const path = isConfigured ? join(pty.byIdDir, 'usb-display') : pty.path('ttyACM0');
    const display = await opened(context, { path });
    if (link === undefined) {
      pty.link('usb-display', 'ttyACM0');
      const connection = context.device.connections.length;
      await pause(200);
      assert.is(context.device.connections.length, connection);
    }
    await pty.unplug();
    await isLost(display);
    context.current = qr('https://example.org/moved');
    await pty.plug('ttyACM1', 'usb-display');
    await ready(display);
    await until('it is drawn there', () => textOf(context.device.picture) === textOf(context.current));
  });

serial('another device that takes the old name is left alone', async (context) => {
  await context.pty.plug('ttyACM0', 'usb-display');
  const display = await opened(context, { path: context.pty.path('ttyACM0') });
  await context.pty.unplug();
  await isLost(display);
  const stranger = new SimulatedDisplay();
  const strangersPort = new PtyDisplay(stranger);
  await using _end = atEnd(() => strangersPort.close());
  await strangersPort.plug(context.pty.path('ttyACM0'));
  const attempts = context.attempts;
  await until('it was tried with the stranger there', () => context.attempts > attempts + 3);
  symlinkSync(context.pty.path('ttyACM0'), join(context.pty.byIdDir, 'usb-scale'));
  await until('and with its link there', () => context.attempts > attempts + 6);
  await context.pty.plug('ttyACM1', 'usb-display');
  await ready(display);
  assert.is(stranger.connections[0]?.bytes, 0);
});

serial('a descriptor that went stale without a word is noticed by the name it was opened under', async (context) => {
  await context.pty.plug();
  const display = await opened(context);
  rmSync(context.pty.path());
  await isLost(display);
  assert.is(context.codes[0], 'lost');
});

serial('lost links leave no listener, no descriptor and no warning behind', async (context) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const display = open(context);
  let before = 0;
  for (let turn = 0; turn < 25; turn += 1) {
    await context.pty.plug();
    await ready(display);
    if (turn === 4) before = descriptors();
    if (turn === 24) assert.ok(descriptors() <= before, `${descriptors()} descriptors after ${before}`);
    await context.pty.unplug();
    await isLost(display);
  }
  process.off('warning', onWarning);
  assert.equal(warnings, []);
});

serial.run();
