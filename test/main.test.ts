/** The process: start, refusals to start, orderly end, log. */

import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort, listening } from './ports.ts';
import { spawnFirmware, startFirmware } from './process.ts';
import { SHIPPED_MANIFEST } from './recognition/fixtures/models.ts';
import { CFT, call, SANDBOX_SETTINGS, setUp, temporaryFolder, until } from './support.ts';
import { payNewest, untilAccepted } from './terminal/device-calls.ts';

const test = suite('the process');

test('SIGTERM closes in order, ends with 0, and the next start takes up the open payment', async () => {
  using folder = temporaryFolder();
  const first = await startFirmware(folder.path);
  await setUp(first.urls);
  await call(`${first.urls.terminal}/showQR`, { json: { amount: 100 } });
  assert.equal(await first.program.kill('SIGTERM'), { code: 0, signal: null });
  const second = await startFirmware(folder.path);
  await using _program = second.program;
  const { body } = await call(`${second.urls.terminal}/getDynamicQRStatus`);
  assert.is(body.dynamicQRStatus, 'PENDING');
});

test('what it keeps is its own user’s alone, with any umask of the shell that starts it', async () => {
  using folder = temporaryFolder();
  const before = process.umask(0o022);
  try {
    const { program, urls } = await startFirmware(folder.path);
    await using _program = program;
    await setUp(urls);
    await call(`${urls.terminal}/showQR`, { json: { amount: 100 } });
    await call(`${urls.recognition}/console/api/pins/technician`, { method: 'PUT', json: { pin: '739105' } });
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
    assert.ok(files.includes('money.db') && files.includes('pins.json'), files.join());
    const open = files.filter((name) => (statSync(join(folder.path, name)).mode & 0o077) !== 0);
    assert.equal(open, []);
  } finally {
    process.umask(before);
  }
});

test('SIGTERM while a silent bank is asked still closes in order', async () => {
  using folder = temporaryFolder();
  const silent = createServer(() => undefined);
  await using bank = await listening(silent);
  const { program, urls } = await startFirmware(folder.path);
  await using _program = program;
  const profile = { ...CFT, baseUrl: bank.url };
  await call(`${urls.terminal}/updateDriverSettings`, {
    json: { settings: { ...SANDBOX_SETTINGS, bankProfile: 'p', bankProfiles: { p: profile } } },
  });
  const asked = new Promise((resolve) => {
    silent.once('request', resolve);
  });
  call(`${urls.terminal}/showQR`, { json: { amount: 100 } }).catch(() => undefined);
  await asked;
  assert.equal(await program.kill('SIGTERM'), { code: 0, signal: null });
});

test('as it is started the device loads its model, and learns', async () => {
  using folder = temporaryFolder();
  const settings = { LANEWARE_CAMERA_DRIVER: 'replay', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST };
  const { program, urls } = await startFirmware(folder.path, { settings });
  await using _program = program;
  const learn = () => call(`${urls.recognition}/api/add_item_template`, { json: { id: 'a' } });
  await until('a template', async () => (await learn()).body.code === 0);
});

test('a second signal ends at once', async () => {
  using folder = temporaryFolder();
  const { program } = await startFirmware(folder.path);
  program.child.kill('SIGTERM');
  program.child.kill('SIGINT');
  const exit = await program.exited;
  assert.ok(exit.code !== null || exit.signal !== null);
});

test('a log that nobody reads stops nothing: payments go on, and SIGTERM ends in order', async () => {
  using folder = temporaryFolder();
  const port = await freePort();
  await using program = spawnFirmware(folder.path, { settings: { LANEWARE_TERMINAL_PORT: String(port) } });
  program.child.stdout?.destroy();
  program.child.stderr?.destroy();
  const version = () => call(`http://127.0.0.1:${port}/version`).catch(() => null);
  await until('an answer', async () => (await version())?.status === 200);
  await setUp({ terminal: `http://127.0.0.1:${port}` });
  assert.is((await call(`http://127.0.0.1:${port}/showQR`, { json: { amount: 100 } })).status, 200);
  assert.equal(await program.kill('SIGTERM'), { code: 0, signal: null });
});

test('a second process on the same data folder says so in a sentence and ends', async () => {
  using folder = temporaryFolder();
  const { program } = await startFirmware(folder.path);
  await using _program = program;
  await using second = spawnFirmware(folder.path);
  assert.is((await second.exited).code, 1);
  const { pid } = program.child;
  assert.match(
    second.errors,
    new RegExp(`^laneware: .* is in use by another Laneware process .pid ${pid}.: stop it with kill ${pid},`),
  );
  assert.match(program.errors, `Ctrl-C stops it, or from elsewhere: kill ${pid}\n`);
  assert.match(program.errors, `  data              ${folder.path}\n`);
});

test('a failed restart ends the process with its reason: no device runs with one port', async () => {
  using folder = temporaryFolder();
  const port = await freePort();
  const { program, urls } = await startFirmware(folder.path, { settings: { LANEWARE_RECOGNITION_PORT: String(port) } });
  await using _program = program;
  // another device of this machine: nothing is in the way of ours before it listens on every address
  const other = createServer();
  await once(other.listen(port, '127.0.0.2'), 'listening');
  try {
    const { status } = await call(`${urls.recognition}/console/api/network`, { method: 'PUT', json: { open: true } });
    assert.is(status, 200);
    assert.equal(await program.exited, { code: 1, signal: null });
    assert.match(program.output, /EADDRINUSE.*the device cannot be started anew/);
    assert.match(program.errors, /another program listens there/);
  } finally {
    other.close();
  }
});

test('a key from systemd that is too short: a sentence, exit code 1', async () => {
  using folder = temporaryFolder();
  using credentials = temporaryFolder();
  writeFileSync(join(credentials.path, 'laneware-key'), 'too-short');
  await using program = spawnFirmware(folder.path, { env: { CREDENTIALS_DIRECTORY: credentials.path } });
  assert.is((await program.exited).code, 1);
  assert.match(program.errors, /^laneware: the key that systemd hands over .* has 9 bytes/);
});

/** Packages that only Linux, or only a machine with the hardware, has a use for. */
const HARDWARE_PACKAGES = ['serialport', '@serialport/', 'node-ble', 'dbus-next', 'onoff', 'epoll', 'node-libcamera'];

test('without the hardware packages it starts, and a payment works with the simulators', async () => {
  using folder = temporaryFolder();
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (${JSON.stringify(HARDWARE_PACKAGES)}.some((missing) => name === missing || name.startsWith(missing))) throw new Error('no ' + name + ' on this machine');
      return next(name, context);
    } });`;
  const file = join(folder.path, 'hook.mjs');
  writeFileSync(file, hook);
  const { program, urls } = await startFirmware(join(folder.path, 'data'), { nodeArguments: ['--import', file] });
  await using _program = program;
  await setUp(urls);
  await call(`${urls.terminal}/showQR`, { json: { amount: 100 } });
  await payNewest({ sandbox: urls.sandbox ?? '' });
  await untilAccepted(urls);
  const serial = { ...SANDBOX_SETTINGS, deviceConnection: { connectionType: 'Serial', portName: '/dev/ttyLaneware9' } };
  await call(`${urls.terminal}/updateDriverSettings`, { json: { settings: serial } });
  const { status, body } = await call(`${urls.terminal}/showQR`, { json: { amount: 100 } });
  assert.is(status, 500);
  assert.is(body.error_category, 'SerialPort');
});

test.run();
