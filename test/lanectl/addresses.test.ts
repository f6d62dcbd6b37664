/** Which device a command reaches: given one port, it asks for the other one; two devices are never mixed up. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Addresses, baseUrl, ownUrl } from '../../firmware/core/cli/addresses.ts';
import { CommandFailure, EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { freePort, listening } from '../ports.ts';
import { call, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';
import { type Ended, ends, lanectlHere } from './lanectl.ts';
import { MARK } from './stand-in.ts';

const test = suite('lanectl: which device');

/** Two devices that answer, as on the machine of a till developer. */
let one: TestDevice;
let other: TestDevice;
test.before(async () => {
  one = await startTestDevice();
  other = await startTestDevice();
});
test.after(async () => {
  await one[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const errorOf = ({ stdout }: Ended) => JSON.parse(stdout).error;
const itemsOf = async ({ recognition }: TestDevice) => (await call(`${recognition}/v1/catalogue?format=csv`)).text;

test('both ports of a device name the device', async () => {
  const { health } = (await call(`${one.terminal}/health`)).body;
  const { data } = (await call(`${one.recognition}/health`)).body;
  assert.equal([health.ports, health.instance], [data.ports, data.instance]);
  const urls = [`http://127.0.0.1:${health.ports.terminal}`, `http://127.0.0.1:${health.ports.recognition}`];
  assert.equal(urls, [one.terminal, one.recognition]);
  assert.is.not((await call(`${other.terminal}/health`)).body.health.instance, health.instance);
});

test('from either port the other one is found', async () => {
  for (const env of [{ LANEWARE_URL: one.terminal }, { LANEWARE_RECOGNITION_URL: one.recognition }]) {
    const { code, stdout, stderr } = await lanectlHere(['status', '--json'], env);
    assert.equal([code, stderr], [EXIT_CODES.faults, ''], 'it is not set up');
    assert.equal(JSON.parse(stdout).urls, { terminal: one.terminal, recognition: one.recognition });
  }
  using folder = temporaryFolder();
  const file = join(folder.path, 'items.csv');
  writeFileSync(file, 'id,name\n4011,Bananas\n');
  await ends('ok', lanectlHere(['call', 'importItems', '--body', file, '--url', one.terminal]));
  assert.match(await itemsOf(one), '4011');
  assert.not.match(await itemsOf(other), '4011');
});

test('ports of two devices are refused before anything is done', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'items.csv');
  writeFileSync(file, 'id\n4046\n');
  const env = { LANEWARE_URL: one.terminal, LANEWARE_RECOGNITION_URL: other.recognition };
  for (const args of [
    ['call', 'importItems', '--body', file],
    ['call', 'learnTemplate', '--id', '4046'],
    ['status'],
    ['setup'],
  ]) {
    const ended = await lanectlHere([...args, '--json'], env);
    assert.equal([ended.code, errorOf(ended).code], [EXIT_CODES.refused, 'device.two'], args.join(' '));
    assert.match(ended.stderr, `${one.terminal} and ${other.recognition} are two devices: name the recognition device`);
  }
  assert.not.match(await itemsOf(other), '4046');
  assert.match((await call(`${other.terminal}/getDriverSettings`)).text, /"bankProfile":(""|null)|"settings":\{\}/);
});

test('a device whose port is mapped is not taken for the one that has that port here', async () => {
  const mapped = createServer(async (_, response) => {
    const { health } = (await call(`${one.terminal}/health`)).body;
    health.ports.recognition = Number(new URL(other.recognition).port);
    response
      .writeHead(200, { ...MARK, 'content-type': 'application/json' })
      .end(JSON.stringify({ status: 'success', health }));
  });
  await using device = await listening(mapped);
  const refused = await lanectlHere(['call', 'exportItems', '--format', 'json', '--url', device.url, '--json']);
  assert.equal([refused.code, errorOf(refused).code], [EXIT_CODES.refused, 'device.two']);
  const options = ['--url', device.url, '--recognition-url', one.recognition];
  await ends('ok', lanectlHere(['call', 'exportItems', '--format', 'csv', ...options]));
});

test('a port given in the place of the other is reported, with the right one', async () => {
  const { stderr } = await ends('usage', lanectlHere(['status', '--url', one.recognition]));
  assert.is(
    stderr,
    `lanectl: --url: ${one.recognition} is the recognition device; the payment terminal of that device is ${one.terminal}\n`,
  );
});

test('a given recognition address works while the payment terminal is silent', async () => {
  const env = { LANEWARE_URL: `http://127.0.0.1:${await freePort()}`, LANEWARE_RECOGNITION_URL: one.recognition };
  await ends('ok', lanectlHere(['call', 'exportItems', '--format', 'csv'], env));
  await ends('unreachable', lanectlHere(['call', 'exportItems', '--format', 'csv', '--url', env.LANEWARE_URL]));
});

test('a port that no HTTP client calls is reported as a wrong value', async () => {
  for (const command of ['status', 'doctor']) {
    await ends('usage', lanectlHere([command, '--url', 'http://127.0.0.1:6000']), /no HTTP client calls port 6000/);
  }
});

test('an installed device names its own ports; an unreadable list is reported, not read as none', () => {
  using folder = temporaryFolder();
  const list = join(folder.path, 'endpoints');
  assert.is(ownUrl('terminal', list), 'http://127.0.0.1:1234');
  writeFileSync(list, 'recognition=https://127.0.0.1:4321\nterminal=http://127.0.0.1:2345\n');
  assert.is(ownUrl('terminal', list), 'http://127.0.0.1:2345');
  assert.is(ownUrl('recognition', list), 'https://127.0.0.1:4321');
  assert.is(ownUrl('recognition', join(list, 'deeper')), 'http://127.0.0.1:8080');
  writeFileSync(list, 'sandbox=http://127.0.0.1:1280\n');
  assert.is(ownUrl('terminal', list), 'http://127.0.0.1:1234');
  assert.throws(
    () => ownUrl('terminal', folder.path),
    /which names the ports of the device here, cannot be read: EISDIR.*; --url names/,
  );
});

test('an address names a place and no user', () => {
  assert.is(baseUrl('terminal', 'https://lane.example:1234/'), 'https://lane.example:1234');
  for (const wrong of [
    'http://me@lane.example',
    'http://me:made-up@lane.example',
    'http://:made-up@lane.example',
    'me:made-up@lane.example:1234',
    'http://me:made-up@lane.example/?a=1',
    'http://me:made/up@lane.example',
    'http://a@me:made-up@lane.example',
    'ftp://lane.example',
    'http://lane.example/?a=1',
    'http://lane.example/#a',
    'lane',
  ])
    assert.throws(
      () => baseUrl('recognition', wrong),
      ({ message }: Error) => /^--recognition-url: .* is not an address/.test(message) && !/made/.test(message),
      wrong,
    );
});

test('recognition is found where it usually is, terminal silent, and anew after a failure', async () => {
  const silent = new CommandFailure('unreachable', 'it is silent');
  const alone = new Addresses({ terminal: null, recognition: null }, () => Promise.reject(silent));
  assert.is(await alone.of('recognition'), ownUrl('recognition'));
  const health = { instance: 'made-up', ports: { terminal: 1, recognition: 2 }, parts: [] };
  let failures = 1;
  const restarting = new Addresses({ terminal: 'http://lane.example:1', recognition: null }, (url) =>
    failures-- > 0 ? Promise.reject(silent) : Promise.resolve(url.endsWith(':1') ? { health } : { data: health }),
  );
  assert.is(await restarting.of('recognition').catch((error: unknown) => error), silent);
  assert.is(await restarting.of('recognition'), 'http://lane.example:2');
});

test.run();
