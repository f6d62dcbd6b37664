/** The traps of Bluetooth LE over D-Bus, each on a real bus. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, type DisplayErrorCode, type Picture } from '../../../drivers/display/contract.ts';
import { type BleTiming, bleConnector } from '../../../drivers/display/wire/ble.ts';
import type { BleTarget } from '../../../drivers/display/wire/ble-device.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { WireDisplay, type WireOptions } from '../../../drivers/display/wire/wire-display.ts';
import { within } from '../../../drivers/lib/async.ts';
import { Program } from '../../process.ts';
import { temporaryFolder } from '../../support.ts';
import { type BluezOptions, FakeBluez } from './bluez.ts';
import { textOf } from './contract-suite.ts';
import { failure, QUICK, qr, ready, until } from './support.ts';

interface Context {
  device: SimulatedDisplay;
  bluez: FakeBluez;
  display: WireDisplay | null;
  current: Picture;
  codes: DisplayErrorCode[];
  reasons: string[];
}

const ble = suite<Context>('BLE display');

ble.before.each(async (context) => {
  context.display = null;
  context.current = CLEAR;
  context.codes = [];
  context.reasons = [];
  await use(context, {});
});
ble.after.each(async ({ display, bluez }) => {
  await display?.close();
  await bluez.close();
});

/** Puts another fake BlueZ in the place of the one that each test begins with. */
async function use(context: Context, options: BluezOptions): Promise<void> {
  await context.bluez?.close();
  context.device = new SimulatedDisplay();
  context.bluez = new FakeBluez(context.device, options);
  await context.bluez.start();
}

function open(context: Context, options: Partial<BleTarget & BleTiming & WireOptions> = {}): WireDisplay {
  const { address = context.bluez.address, name = null, ...rest } = options;
  context.display = new WireDisplay({
    kind: 'ble',
    connect: bleConnector({ address, name }, rest.log, {
      callLimitMs: 1_000,
      connectLimitMs: 300,
      discoveryLimitMs: 600,
      presenceCheckMs: 50,
      settleMs: 0,
      ...rest,
    }),
    connectDeadlineMs: 10_000,
    current: () => context.current,
    log: (message, details) => {
      if (message !== 'the display is lost') return;
      context.codes.push(details?.code as DisplayErrorCode);
      context.reasons.push(String(details?.reason));
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
const attemptFailed = ({ codes }: Context) => until('an attempt has failed', () => codes.length > 0);
const sees = ({ device }: Context, picture: Picture) =>
  until('the customer sees it', () => textOf(device.picture) === textOf(picture));

for (const spelling of ['6e40', '6d40']) {
  ble(`a display that spells its service ${spelling}… is driven, and its answers are heard`, async (context) => {
    const answers: unknown[] = [];
    await use(context, { spelling });
    const display = await opened(context, { log: (_message, details) => answers.push(details?.text) });
    await display.draw(qr('https://example.org/x'));
    await sees(context, qr('https://example.org/x'));
    await until('it is answered', () => answers.includes('QR'));
  });
}

ble('a device without the service is no display', async (context) => {
  await use(context, { spelling: 'abcd' });
  open(context);
  await attemptFailed(context);
  assert.equal(context.codes, ['protocol']);
});

for (const [what, fault] of [
  ['is connecting to', { heldConnect: 'InProgress' }],
  ['is connected to', { heldConnect: 'AlreadyConnected' }],
  ['has taken the service of', { acquired: true }],
] as const)
  ble(`a display that another program ${what} is busy, and is used when free`, async (context) => {
    const { faults } = context.bluez;
    Object.assign(faults, fault);
    const display = open(context);
    await attemptFailed(context);
    assert.is(context.codes[0], 'busy');
    Object.assign(faults, { heldConnect: null, acquired: false });
    await ready(display);
  });

ble('without an address the display is found by its name', async (context) => {
  await opened(context, { address: null, name: context.bluez.name });
});

ble('an address may be written in small letters', async (context) => {
  await opened(context, { address: context.bluez.address.toLowerCase() });
});

ble('chunks are of 20 bytes until the MTU says more, and always writes without response', async (context) => {
  const display = await opened(context);
  await display.draw(qr('x'.repeat(500)));
  assert.is(Math.max(...context.bluez.chunks), 20);
  context.bluez.mtu = 247;
  await display.draw(qr('y'.repeat(500)));
  assert.is(Math.max(...context.bluez.chunks), 244);
  await sees(context, qr('y'.repeat(500)));
  assert.is(context.bluez.otherWriteTypes, 0);
});

ble('an MTU smaller than BLE allows, or none, still means 20 bytes', async (context) => {
  context.bluez.mtu = 0;
  const display = await opened(context);
  await display.draw(qr('x'.repeat(100)));
  assert.is(Math.max(...context.bluez.chunks), 20);
});

ble('a chunk that BlueZ was too busy to take is given again, none lost and none doubled', async (context) => {
  const display = await opened(context);
  context.bluez.faults.busyWrites = 7;
  await display.draw(qr('https://example.org/busy'));
  await sees(context, qr('https://example.org/busy'));
  assert.is(context.device.connections.at(-1)?.skipped, 0);
  assert.is(context.bluez.faults.busyWrites, 0);
});

ble('a connect that never answers ends at its limit, and the next one can succeed', async (context) => {
  context.bluez.faults.hanging.add('connect');
  const display = open(context);
  await attemptFailed(context);
  assert.equal(context.codes, ['timeout']);
  context.bluez.faults.hanging.clear();
  await ready(display);
});

ble('a display out of reach is not found, and no scan is left running', async (context) => {
  context.bluez.faults.hidden = true;
  const display = open(context, { backoffMinMs: 200, backoffMaxMs: 200 });
  await attemptFailed(context);
  assert.equal(context.codes, ['not-found']);
  assert.is(context.bluez.scanning, false);
  context.bluez.faults.hidden = false;
  await ready(display);
  assert.is(context.bluez.scanning, false);
});

ble('an adapter that is switched off is a state, until it is switched on', async (context) => {
  context.bluez.faults.poweredOff = true;
  const display = open(context);
  await attemptFailed(context);
  assert.equal(context.codes, ['adapter']);
  context.bluez.faults.poweredOff = false;
  await ready(display);
});

ble('a machine without D-Bus has no adapter, and says so', async (context) => {
  await context.bluez.stopDaemon();
  open(context);
  await attemptFailed(context);
  assert.equal(context.codes, ['adapter']);
});

ble('a link that drops in a code is noticed, and only the current picture is drawn then', async (context) => {
  const display = await opened(context);
  const chunks = context.bluez.chunks.length;
  const show = failure(display.draw(qr('z'.repeat(1_000))));
  await until('the code is under way', () => context.bluez.chunks.length > chunks + 5);
  context.bluez.drop();
  assert.is((await show).code, 'lost');
  context.current = qr('https://example.org/current');
  await until('it is connected again', () => context.device.connections.length === 2);
  await ready(display);
  await sees(context, context.current);
  assert.is(context.device.connections[1]?.frames.filter(({ kind }) => kind === 'qr').length, 1);
});

ble('a write that never answers ends at its limit', async (context) => {
  const display = await opened(context, { callLimitMs: 100 });
  context.bluez.faults.hanging.add('write');
  assert.is((await failure(display.draw(qr('x')))).code, 'timeout');
  context.bluez.faults.hanging.clear();
  await ready(display);
});

ble('bluetoothd that dies is noticed though nothing is written, and used again when it is back', async (context) => {
  const display = await opened(context);
  await context.bluez.stopService();
  await isLost(display);
  await context.bluez.startService();
  await ready(display);
});

ble('a bus that dies while a code is being drawn ends the call, and a new bus is used', async (context) => {
  const display = await opened(context);
  const chunks = context.bluez.chunks.length;
  const show = failure(display.draw(qr('z'.repeat(1_000))));
  await until('the code is under way', () => context.bluez.chunks.length > chunks + 5);
  await context.bluez.stopDaemon();
  assert.ok(['lost', 'adapter', 'timeout', 'not-connected'].includes((await show).code));
  await isLost(display);
  await context.bluez.start();
  await ready(display);
});

ble('a bus that is frozen, which closes nothing, is noticed and left', async (context) => {
  const display = await opened(context, { callLimitMs: 100 });
  context.bluez.freezeDaemon();
  await isLost(display);
  context.bluez.thawDaemon();
  await ready(display);
});

ble('closes while a call hangs', async (context) => {
  context.bluez.faults.hanging.add('connect');
  const display = open(context, { connectLimitMs: 3_600_000, connectDeadlineMs: 3_600_000 });
  await until('the connect is under way', () => context.bluez.hung > 0);
  await within(display.close(), 5_000, () => new Error('close did not settle'));
});

/** A process with a display that is closed while it looks for its adapter. */
const CLOSED_EARLY = `
import { bleConnector } from './drivers/display/wire/ble.ts';
import { WireDisplay } from './drivers/display/wire/wire-display.ts';
const connect = bleConnector({ address: 'D9:24:D0:38:94:22', name: null });
const display = new WireDisplay({ kind: 'ble', connect, current: () => ({ kind: 'clear' }) });
process.stdin.once('data', async () => {
  process.stdin.destroy();
  await display.close();
});`;

ble('a bus that takes a connection and never answers nor closes it keeps no process', async () => {
  using folder = temporaryFolder();
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => undefined).resume());
  const came = once(server, 'connection');
  await once(server.listen(`${folder.path}/bus`), 'listening');
  const bus = { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${folder.path}/bus` };
  await using program = new Program(['--input-type=module', '-e', CLOSED_EARLY], bus, { input: true });
  const [socket] = await came;
  program.child.stdin?.end('close');
  const late = () => new Error('the process is held');
  assert.equal(await within(program.exited, 20_000, late), { code: 0, signal: null }, program.errors);
  socket.destroy();
  server.close();
});

ble('closing lets the display go', async (context) => {
  const display = await opened(context);
  assert.is(context.bluez.connected, true);
  await display.close();
  assert.is(context.bluez.connected, false);
});

ble('lost links leave no bus connection, no listener and no warning behind', async (context) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const display = await opened(context);
  const before = await context.bluez.busClients();
  for (let turn = 1; turn <= 25; turn += 1) {
    context.bluez.drop();
    await until(
      'it is connected again',
      () => context.device.connections.length > turn && display.state.name === 'ready',
    );
  }
  await context.bluez.untilBusClients(before);
  process.off('warning', onWarning);
  assert.equal(warnings, []);
});

ble('a long scan by name leaves no listener behind', async (context) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  open(context, { address: null, name: 'V8BL999999', discoveryLimitMs: 4_000 });
  await attemptFailed(context);
  process.off('warning', onWarning);
  assert.equal(warnings, []);
});

ble.run();
