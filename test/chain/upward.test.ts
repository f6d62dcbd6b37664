/** Whole devices of a store and their chain: payments, what they say of themselves, and figures, from the till to Prometheus. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingPrograms, needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { pairAt } from '../sync/pair-at.ts';
import { chainCommand, type Hub, NO_HUB, sharedHub, startHub } from './hub.ts';

const upward = suite('chain: from the till to the centre');
const test = needing(NO_HUB, 'chain: from the till to the centre', upward);
const emptyHub = sharedHub(upward);
const scraped = needing(NO_HUB ?? missingPrograms('prometheus'), 'chain: figures in Prometheus', upward);

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

/** A real Prometheus that reads the exporter, with the alerts of the chain. */
async function startPrometheus(folder: string, exporter: string) {
  const port = await freePort();
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    rule_files: [join(ROOT, 'scripts/chain/prometheus/alerts.yml')],
    scrape_configs: [{ job_name: 'laneware', static_configs: [{ targets: [new URL(exporter).host] }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const words = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn('prometheus', words, { stdio: 'ignore' });
  const over = once(child, 'close');
  const query = async (
    text: string,
  ): Promise<readonly { metric: Record<string, string>; value: [number, string] }[]> => {
    const answer = await call(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(text)}`).catch(
      () => null,
    );
    return answer?.body?.data?.result ?? [];
  };
  return {
    query,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await over;
    },
  };
}

/** `scripts/chain.sh exporter` as a process. */
async function startExporter(keys: string) {
  const child = spawn('bash', [`${ROOT}/scripts/chain.sh`, 'exporter', '--keys', keys, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const over = once(child, 'close');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const url = await until('the exporter', () => /http:\S+/.exec(text)?.[0] ?? null);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await over;
    },
  };
}

scraped('a real Prometheus reads the figures of each device, with its store, and knows who is silent', async () => {
  using folder = temporaryFolder();
  await using hub = await startHub();
  await using master = await startMasterOf(hub, 'MC', 'C');
  assert.ok(master.recognition);
  await using exporter = await startExporter(hub.keys);
  await using prometheus = await startPrometheus(folder.path, exporter.url);
  const [heard] = await until('the device in Prometheus', async () => {
    const found = await prometheus.query('laneware_chain_device_heard');
    return found.length > 0 ? found : null;
  });
  assert.equal([heard?.metric.store, heard?.metric.serial, heard?.value[1]], ['C', 'MC', '1']);
  assert.equal(await prometheus.query('up{job="laneware"} == 0'), []);
  const [info] = await prometheus.query('laneware_chain_device_info');
  assert.is(info?.metric.role, 'master');
  const wrong = await call(`${exporter.url}?part=5`);
  assert.is(wrong.status, 400);
  assert.match((await call(`${exporter.url}?part=1/1`)).text, /^laneware_chain_store_devices\{store="C"\} 1$/m);
  assert.not.match((await call(`${exporter.url}?part=2/2`)).text, /store="C"/);
});

upward.run();
