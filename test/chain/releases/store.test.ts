/** A release in a store of real processes: it crosses the line once, through kills, and reaches no stranger. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { releaseSubject } from '../../../firmware/chain/subjects.ts';
import { connectTo } from '../../../firmware/sync/centre/connect.ts';
import { encodePart, PAIR_INBOX, PAIR_USER } from '../../../firmware/sync/centre/subjects.ts';
import { makeKey } from '../../../firmware/sync/pairing.ts';
import { readCode } from '../../../firmware/sync/pairing-code.ts';
import { documentAt, putDocument } from '../../../scripts/chain/down.ts';
import { needing } from '../../needing.ts';
import { NEW, NO_RELEASES, onDevice } from '../../ota/rig.ts';
import { freePort } from '../../ports.ts';
import { startFirmware } from '../../process.ts';
import { call, temporaryFolder, until } from '../../support.ts';
import { pairAt } from '../../sync/pair-at.ts';
import { chainOf, type Hub, NO_HUB, startHub } from '../hub.ts';
import { releaseFile, serveWeb, type Web } from './web.ts';

const store = suite('chain: a release in a store');
const test = needing(NO_HUB, 'chain: a release in a store', store);

const run = promisify(execFile);
const ARCH = process.arch === 'arm64' ? 'arm64' : 'x64';
const NAME = `laneware-${ARCH}.small`;
/** What was on its way to a process that was killed, and never reached its disk. */
const ON_THE_WAY_BYTES = 1_000_000;

class Lane implements AsyncDisposable {
  readonly serial: string;
  readonly folder = temporaryFolder();
  readonly #settings: Readonly<Record<string, string>>;
  readonly #certificate: string;
  #running: Awaited<ReturnType<typeof startFirmware>> | null = null;

  constructor(serial: string, web: Web, settings: Readonly<Record<string, string>> = {}) {
    this.serial = serial;
    this.#certificate = web.certificateFile;
    this.#settings = { LANEWARE_SERIAL: serial, LANEWARE_SYNC_HOST: '127.0.0.1', ...settings };
  }

  async start(): Promise<this> {
    const env = { NODE_EXTRA_CA_CERTS: this.#certificate };
    this.#running = await startFirmware(this.folder.path, { settings: this.#settings, env });
    return this;
  }

  get url(): string {
    return this.#running?.urls.recognition ?? '';
  }

  get releases(): string {
    return `${this.url}/v1/chain/releases/`;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#running?.program.kill(signal);
    this.#running = null;
  }

  async must(path: string, json: unknown) {
    const answer = await call(`${this.url}${path}`, { json });
    assert.ok(answer.status === 200 && (answer.body.code ?? 0) === 0, answer.text);
    return answer.body;
  }

  /** Without following where it leads. */
  async ask(name = NAME, headers: Record<string, string> = {}): Promise<Response> {
    return await fetch(`${this.releases}${name}`, { redirect: 'manual', headers });
  }

  /** Once the channel has been heard of. */
  async offered(): Promise<void> {
    const isThere = async () => {
      const { status, body } = await this.ask(NAME, { range: 'bytes=0-0' }).catch(() => ({ status: 0, body: null }));
      await body?.cancel();
      return status === 206 || null;
    };
    await until(`${this.serial} is offered a release from the cache`, isThere);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGTERM');
    this.folder[Symbol.dispose]();
  }
}

async function offer(hub: Hub, web: Web, version: string): Promise<void> {
  await using chain = await hub.asChain();
  const { keys } = hub.folder();
  const place = { store: null, key: 'channel' };
  const source = `https://127.0.0.1:${web.port}/{version}/`;
  const body = JSON.stringify({ format: 1, offers: [{ version, below: 1, source }] });
  const on = (await documentAt(chain, keys, place))?.sequence ?? 0;
  await putDocument(chain, keys, { place, body, on, now: Date.now() });
}

async function startStore(hub: Hub, web: Web, slaves: number) {
  const master = await new Lane('M', web, { LANEWARE_SYNC_PORT: String(await freePort()) }).start();
  await master.must('/api/set_sync_master', { upload: true, download: true });
  await master.must('/console/api/chain', await hub.admit('A'));
  await until('the chain', async () => (await chainOf(master as never)).connected || null);
  const others: Lane[] = [];
  for (let number = 1; number <= slaves; number++) {
    const slave = await new Lane(`S${number}`, web).start();
    await pairAt(master.url, slave.url);
    others.push(slave);
  }
  return {
    ...{ master, slaves: others },
    [Symbol.asyncDispose]: async () => {
      for (const lane of [...others, master]) await lane[Symbol.asyncDispose]();
    },
  };
}

/** As the updater does. */
const curl = (lane: Lane, to: string) =>
  run('curl', ['--fail', '--silent', '--show-error', '--continue-at', '-', '--output', to, `${lane.releases}${NAME}`]);

const sent = (web: Web) => [...web.sent.values()].reduce((sum, bytes) => sum + bytes, 0);

async function figure(lane: Lane, direction: string): Promise<number> {
  const { text } = await call(`${lane.url}/metrics`);
  return Number(new RegExp(`^laneware_release_bytes_total{direction="${direction}"} (\\d+)$`, 'm').exec(text)?.[1]);
}

test('a release crosses the line once for a master and three slaves, though the master is killed midway', async () => {
  await using web = await serveWeb();
  await using hub = await startHub();
  await using one = await startStore(hub, web, 3);
  const { master, slaves } = one;
  const [first] = slaves;
  if (first === undefined) throw new Error('no slave');
  const file = releaseFile('small', NEW, randomBytes(8_000_000), ARCH);
  web.files.set(`/${NEW}/${NAME}`, file);
  await offer(hub, web, NEW);
  for (const lane of [master, ...slaves]) await lane.offered();
  assert.is(sent(web), 16_384);

  web.slowMs = 10;
  const into = (lane: Lane) => join(lane.folder.path, 'part');
  const cut = curl(first, into(first)).catch(() => 'cut');
  await until('a part', () => sent(web) > 3_000_000 || null);
  await master.kill();
  assert.is(await cut, 'cut');
  web.slowMs = 0;
  const away = await first.ask();
  assert.is(away.status, 302, 'the master is away: the web server has it');
  assert.is(away.headers.get('location'), `https://127.0.0.1:${web.port}/${NEW}/${NAME}`);

  await master.start();
  for (const lane of [master, ...slaves]) await lane.offered();
  assert.ok(statSync(into(first)).size > 1_000_000, 'it goes on with what it has');
  await Promise.all([master, ...slaves].map((lane) => curl(lane, into(lane))));
  for (const lane of [master, ...slaves]) assert.ok(readFileSync(into(lane)).equals(file), lane.serial);
  assert.ok(sent(web) <= file.length + ON_THE_WAY_BYTES, `${sent(web)} of ${file.length}`);
  assert.ok((await figure(master, 'served')) > 3 * file.length);
  assert.ok((await figure(master, 'fetched')) < file.length);

  // parts, paths, and what is not handed out
  const part = await first.ask(NAME, { range: 'bytes=100-199' });
  assert.is(part.status, 206);
  assert.is(part.headers.get('content-range'), `bytes 100-199/${file.length}`);
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(file.subarray(100, 200)));
  assert.is((await first.ask(NAME, { range: `bytes=${file.length}-` })).status, 416);
  for (const path of ['..%2f..%2fsecret.key', '..%2fx', `${NAME}%00`, 'laneware-x64.iso'])
    assert.is((await first.ask(path)).status, 404, path);
  assert.is((await first.ask('laneware.keys')).status, 302, 'the list of keys is the one of now');

  const kept = () => readdirSync(join(master.folder.path, 'releases'));
  assert.is(kept().length, 1);
  assert.is((await call(`${master.url}/console/api/chain`, { method: 'DELETE' })).status, 200);
  await until('it is forgotten', () => kept().length === 0 || null);
});

test('who is not of the store, or was put out of it, is given nothing', async () => {
  await using web = await serveWeb();
  await using hub = await startHub();
  await using one = await startStore(hub, web, 2);
  const { master, slaves } = one;
  web.files.set(`/${NEW}/${NAME}`, releaseFile('small', NEW, randomBytes(1_000_000), ARCH));
  await offer(hub, web, NEW);
  for (const lane of [master, ...slaves]) await lane.offered();
  const { seed } = await makeKey();
  const certificate = readFileSync(join(master.folder.path, 'sync/certificate.pem'), 'utf8');
  const { mastersyncPort: port } = (await call(`${master.url}/api/get_device_info`)).body.data;
  const address = { host: '127.0.0.1', port };
  const refused = await connectTo({
    address,
    certificate,
    credential: { kind: 'key', seed },
    inboxPrefix: '_INBOX',
  }).then(
    () => 'let in',
    (error) => error.code,
  );
  assert.is(refused, 'unauthorised');

  // a device that is being paired, too
  const code = readCode((await master.must('/api/get_sync_pairing_code', {})).data.pairingCode);
  const stranger = await connectTo({
    ...{ address, certificate, inboxPrefix: PAIR_INBOX },
    credential: { kind: 'password', user: PAIR_USER, password: code?.secret ?? '' },
  });
  const before = await figure(master, 'served');
  const wanted = JSON.stringify({ version: NEW, name: NAME, offset: 0, length: 1000 });
  const asked = stranger.request(releaseSubject(encodePart('S1')), wanted, { timeout: 1000 });
  assert.is(
    await asked.then(
      () => 'answered',
      () => 'refused',
    ),
    'refused',
  );
  await stranger.close();
  assert.is(await figure(master, 'served'), before);

  const [first] = slaves;
  await master.must('/api/revoke_sync_device', { sn: 'S1' });
  await until('it is led to the web server', async () => (await first?.ask())?.status === 302 || null);
});

needing(
  NO_RELEASES ?? NO_HUB,
  'chain: a release in a store',
  store,
)('the real updater takes its release from a slave whose master has it', () =>
  onDevice(async (rig) => {
    await using web = await serveWeb();
    await using hub = await startHub();
    await using one = await startStore(hub, web, 1);
    const { master, slaves } = one;
    const [slave] = slaves;
    if (slave === undefined) throw new Error('no slave');
    const path = `/${NEW}/laneware-${ARCH}.release`;
    web.files.set(path, readFileSync(rig.release({ filling: 3_000_000 })));
    web.files.set(`/${NEW}/${NAME}`, releaseFile('small', NEW, randomBytes(100_000), ARCH));
    await offer(hub, web, NEW);
    for (const lane of [master, slave]) await lane.offered();
    const env = { CURL_CA_BUNDLE: web.certificateFile };
    for (const lane of [master, slave]) {
      rig.configure({ source: lane.releases, gate_seconds: '0', payment_wait_seconds: '0' });
      const { code, output } = await rig.ota(lane === master ? ['check'] : ['update', '--quiet'], env);
      assert.is(code, 0, output);
    }
    assert.is(await rig.answers(), NEW);
    assert.is(web.sent.get(path), web.files.get(path)?.length);
  }),
);

store.run();
