/** The dashboard: each panel is asked of a real Prometheus, which has read real devices. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dashboard } from '../../scripts/monitoring/dashboards.ts';
import { boardOn, Tree } from '../board/tree.ts';
import { ownAddress } from '../http/network.ts';
import { missingPrograms, needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { tinyFolder } from '../recognition/fixtures/models.ts';
import { ROOT } from '../root.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { pairAt } from '../sync/pair-at.ts';
import { payNewest, untilAccepted } from '../terminal/device-calls.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const dashboards = suite('dashboard');
const test = needing(missingPrograms('nats-server', 'prometheus', 'promtool'), 'dashboard', dashboards);

const PROMETHEUS = join(ROOT, 'scripts/monitoring');
const ALERTS = join(PROMETHEUS, 'alerts.yml');
const STORE = 'C';
/** A lane that has no chain has none. */
const OF_CHAIN = 'laneware_payments_untold_seconds';

const model = tinyFolder();
dashboards.after(() => model[Symbol.dispose]());

/** @param manifest of its model; one that lacks it is degraded */
async function startLane(serial: string, manifest = '/nonexistent/no-model.json'): Promise<TestDevice> {
  const device = await startTestDevice({
    LANEWARE_SERIAL: serial,
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
    LANEWARE_CAMERA_DRIVER: 'replay',
    LANEWARE_MODEL_MANIFEST: manifest,
  });
  await setUp(device);
  return device;
}

async function must(url: string, json: object, more: Readonly<Record<string, string>> = {}) {
  const answer = await call(url, { json, headers: { 'content-type': 'application/json', ...more } });
  assert.ok(answer.status < 300 && (answer.body?.code ?? 0) === 0, answer.text);
  return answer.body;
}

/** A refused sale, a paid one, and its refund. */
async function sell(device: TestDevice, amount: number): Promise<void> {
  const { terminal, sandbox } = device;
  await must(`${sandbox}/sandbox/faults`, { faults: [{ call: 'register', kind: 'refuse', times: 1 }] });
  assert.is((await call(`${terminal}/showQR`, { json: { amount } })).status, 500);
  await must(`${terminal}/showQR`, { amount: amount + 100 });
  await payNewest(device);
  await untilAccepted(device);
  const [{ id }] = (await call(`${terminal}/v1/payments?limit=1`)).body.payments;
  await must(`${terminal}/v1/payments/${id}/refunds`, { amount: 100 }, { 'idempotency-key': `r-${amount}` });
}

/** A look, and the tap that follows. */
async function tap({ recognition }: TestDevice): Promise<void> {
  const learn = () => call(`${recognition}/api/add_item_template`, { json: { id: 'a' } });
  await until('a look', async () => (await learn()).body.code === 0);
  const { session } = (await call(`${recognition}/api/get_result`)).body.data;
  await must(`${recognition}/api/feedback`, { session, id: 'a' });
}

/** A board with all that boards report of themselves, which the machine of a test has not. */
async function startBoard() {
  const tree = new Tree();
  tree.storage().emmc('life_time', '0x02 0x04').emmc('pre_eol_info', '0x01');
  tree.put('/sys/class/thermal/thermal_zone0/temp', '51250').put('/sys/class/hwmon/hwmon3/in0_lcrit_alarm', '0');
  tree.put('/sys/class/hwmon/hwmon3/name', 'rpi_volt');
  tree.put('/var/lib/laneware-update/state', 'state=idle');
  const board = boardOn(tree);
  const server = createServer((_request, response) => {
    board.metrics().then((text) => response.setHeader('content-type', 'text/plain; version=0.0.4').end(text));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    metrics: `http://127.0.0.1:${port}/metrics`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      board[Symbol.dispose]();
      tree[Symbol.dispose]();
    },
  };
}

/** The example of a store, with these lanes in the place of its own. */
function storeConfig(lanes: readonly (readonly [serial: string, metrics: string])[]): string {
  const targets = lanes.map(
    ([serial, url]) =>
      `      - targets: [${new URL(url).host}]\n        labels: { store: ${STORE}, serial: ${serial} }\n`,
  );
  return readFileSync(join(PROMETHEUS, 'store.yml'), 'utf8')
    .replace('scrape_interval: 30s', 'scrape_interval: 1s')
    .replace('[alerts.yml]', JSON.stringify([ALERTS]))
    .replace(/(static_configs:\n)[\s\S]*/, (_, head: string) => head + targets.join(''));
}

/** The same of lanes on this machine, where they speak no TLS and ask for no token. */
const localConfig = (lanes: Parameters<typeof storeConfig>[0]): string =>
  storeConfig(lanes)
    .replace('scheme: https', 'scheme: http')
    .replaceAll(/^ +(?:tls_config|authorization|#).*\n/gm, '');

const paid = (prometheus: Prometheus, times: number): Promise<boolean> =>
  until(`${times} payments in Prometheus`, async () => {
    const found = await prometheus.query(`laneware_payments_total{state="ACCEPTED",serial="MC"} == ${times}`);
    return found.length > 0;
  });

/** Of each panel: its questions, for all that there is. */
const questions = () =>
  dashboard().panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replaceAll(/\$(?:store|lane)\b/g, '.*') })),
  );

test('each panel of the dashboard, and each alert, has figures of real lanes', async () => {
  using folder = temporaryFolder();
  await using master = await startLane('MC', model.manifestPath);
  await using slave = await startLane('SC');
  await using board = await startBoard();
  await must(`${master.recognition}/api/set_sync_master`, { upload: true, download: true });
  await pairAt(master.recognition, slave.recognition);
  const lanes = [
    ['MC', `${master.recognition}/metrics`],
    ['SC', `${slave.terminal}/metrics`],
    ['BOARD', board.metrics],
  ] as const;
  await using prometheus = await startPrometheus(folder.path, localConfig(lanes));
  for (const times of [1, 2]) {
    for (const lane of [master, slave]) await sell(lane, 1000 * times);
    await tap(master);
    await paid(prometheus, times);
  }
  for (const { title, expr } of questions()) {
    const found = await until(`${title}: ${expr}`, async () => {
      const all = await prometheus.query(expr);
      return all.length > 0 && all.some(({ value: [, value] }) => value !== 'NaN') ? all : null;
    });
    assert.ok(found.length > 0);
  }
  const names = await prometheus.names();
  const asked = [...questions().map(({ expr }) => expr), readFileSync(ALERTS, 'utf8')];
  for (const [name] of asked.join('\n').matchAll(/\blaneware_[a-z_0-9]+/g))
    assert.ok(names.has(name) || name === OF_CHAIN, name);
  assert.equal(await prometheus.query('up == 0'), []);
  for (const [, url] of lanes) {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: (await call(url)).text,
      encoding: 'utf8',
    });
    assert.equal([status, `${stdout}${stderr}`], [0, '']);
  }
});

test('the example reads a lane over trusted TLS, with the token of a till', async () => {
  using folder = temporaryFolder();
  const token = 'made-up-token-of-a-till';
  await using lane = await startTestDevice({
    LANEWARE_RECOGNITION_HOST: '0.0.0.0',
    LANEWARE_API_TOKENS_TILL: token,
    LANEWARE_API_HOSTS: ownAddress,
  });
  const { port } = new URL(lane.recognition);
  const certificate = await call(`http://127.0.0.1:${port}/certificate.pem`);
  writeFileSync(join(folder.path, 'lanes.pem'), certificate.text);
  writeFileSync(join(folder.path, 'laneware.token'), token);
  const config = storeConfig([['NC', `https://${ownAddress}:${port}`]]);
  await using prometheus = await startPrometheus(folder.path, config);
  const [up] = await until('the lane', async () => {
    const found = await prometheus.query('up{job="laneware-lanes"} == 1');
    return found.length > 0 ? found : null;
  });
  assert.equal([up?.metric.store, up?.metric.serial], [STORE, 'NC']);
});

test('no panel stands twice on the dashboard, and each has a place of its own', () => {
  const { panels } = dashboard();
  for (const of of [
    panels.map(({ title }) => title),
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    ),
  ])
    assert.is(new Set(of).size, of.length);
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
});

dashboards.run();
