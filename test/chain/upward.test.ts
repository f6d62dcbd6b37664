/** Whole devices of a store and their chain: payments, and what they say of themselves, from the till to the centre. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { pairAt } from '../sync/pair-at.ts';
import { chainCommand, type Hub, NO_HUB, sharedHub } from './hub.ts';

const upward = suite('chain: from the till to the centre');
const test = needing(NO_HUB, 'chain: from the till to the centre', upward);
const emptyHub = sharedHub(upward);

async function must(url: string, json?: unknown) {
  const answer = await call(url, { json: json ?? {} });
  assert.ok(answer.status === 200 && (answer.body.code ?? 0) === 0, answer.text);
  return answer.body;
}

/** A master that has joined the chain, set up with the sandbox bank. */
async function startMasterOf(hub: Hub, serial: string, store: string): Promise<TestDevice> {
  const device = await startTestDevice({
    LANEWARE_SERIAL: serial,
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
  });
  await setUp(device);
  await must(`${device.recognition}/api/set_sync_master`, { upload: true, download: true });
  await must(`${device.recognition}/console/api/chain`, await hub.admit(store));
  return device;
}

async function startSlaveOf(master: TestDevice, serial: string): Promise<TestDevice> {
  const device = await startTestDevice({ LANEWARE_SERIAL: serial });
  await setUp(device);
  await pairAt(master.recognition, device.recognition);
  return device;
}

const sell = async (device: TestDevice, amount: number): Promise<void> =>
  void (await must(`${device.terminal}/showQR`, { amount }));

const linesOf = (csv: string): string[] => csv.trim().split('\r\n').slice(1);

test('payments of a master and of a slave are listed at the centre, each once, in their newest state', async () => {
  const hub = await emptyHub();
  await using master = await startMasterOf(hub, 'MA', 'A');
  await using slave = await startSlaveOf(master, 'SA');
  for (const device of [master, slave]) for (const amount of [100, 200, 300]) await sell(device, amount);
  const listed = await until('all six', async () => {
    const csv = await chainCommand('payments', '--keys', hub.keys);
    return linesOf(csv).length === 6 ? csv : null;
  });
  for (const [serial, amount] of ['MA', 'SA'].flatMap((each) => [100, 200, 300].map((sum) => [each, sum] as const)))
    assert.ok(
      linesOf(listed).some((line) => line.startsWith(`A,${serial},`) && line.includes(`,${amount},`)),
      `${serial} ${amount}: ${listed}`,
    );
  const { body } = await call(`${master.recognition}/health`);
  const part = body.data.parts.find((each: { part: string }) => each.part === 'chain-payments');
  assert.is(part?.state, 'ok');
});

test('devices are listed with release, role and what ails them', async () => {
  const hub = await emptyHub();
  await using master = await startMasterOf(hub, 'MB', 'B');
  await using slave = await startSlaveOf(master, 'SB');
  assert.ok(slave.recognition);
  const listed = await until('both', async () => {
    const lines = (await chainCommand('devices', '--keys', hub.keys)).trim().split('\n');
    return lines.length === 2 && lines[0]?.includes('master') && lines[1]?.includes('slave') ? lines : null;
  });
  assert.match(
    listed[0] ?? '',
    /^B {2}MB {2}[\d.]+ {2}master {2}(?:does not sell|sells, look at it later); [a-z-]+: \S/,
  );
  const stores = await chainCommand('devices', '--keys', hub.keys, '--stores');
  assert.match(stores, /^B {2}(?:MB|SB) (?:does not sell|sells, look at it later); [a-z-]+: \S.*\n$/);
  const ill = await chainCommand('devices', '--keys', hub.keys, '--ill', '--store', 'B', '--json');
  assert.equal(
    ill
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).serial),
    ['MB', 'SB'],
  );
});

test('a release that is rolled out is offered by each device to its own updater, and to no other once it is held', async () => {
  const hub = await emptyHub();
  await using master = await startMasterOf(hub, 'MD', 'D');
  await using slave = await startSlaveOf(master, 'SD');
  const devices = [master, slave];
  const rollout = (...words: readonly string[]) => chainCommand('rollout', ...words, '--keys', hub.keys);
  const led = ({ recognition }: TestDevice, file = 'laneware-x64.release') =>
    fetch(`${recognition}/v1/chain/releases/${file}`, { redirect: 'manual' });
  for (const device of devices) assert.is((await led(device)).status, 404);
  await until('both to follow the channel', async () => {
    const lines = (await chainCommand('devices', '--keys', hub.keys, '--json')).trim().split('\n');
    return lines.length === 2 && lines.every((line) => JSON.parse(line).offered === '') ? true : null;
  });
  await rollout('start', '99.1.0', '--rings', '100', '--source', 'https://releases.example/{version}/');
  for (const device of devices) {
    const answer = await until('the offer', async () => ((await led(device)).status === 302 ? led(device) : null));
    assert.is(answer.headers.get('location'), 'https://releases.example/99.1.0/laneware-x64.release');
    for (const file of ['laneware.keys', 'laneware-arm64.small', 'laneware-1.4.0-99.1.0-arm64.delta'])
      assert.is((await led(device, file)).headers.get('location'), `https://releases.example/99.1.0/${file}`);
    for (const file of ['passwd', 'laneware-arm64.small.x', 'laneware-1.4-99.1.0-arm64.delta', 'xlaneware.keys'])
      assert.is((await led(device, file)).status, 404, file);
  }
  await rollout('hold');
  for (const device of devices) await until('nothing', async () => (await led(device)).status === 404 || null);
});

upward.run();
