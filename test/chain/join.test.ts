/** How a store joins its chain and leaves it: the secret is sealed, its file lies open nowhere, and nothing waits for a chain. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ChainError } from '../../firmware/chain/errors.ts';
import type { JoinFile } from '../../firmware/chain/join-file.ts';
import { runtimeFolderOf } from '../../firmware/chain/membership.ts';
import { needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { startLane, startMaster } from '../sync/real-rig.ts';
import { joinStore, type Lane, running } from '../sync/rig.ts';
import { chainOf, joinChain, NO_HUB, sharedHub } from './hub.ts';

const joining = suite('chain: joining');
const test = needing(NO_HUB, 'chain: joining', joining);
const emptyHub = sharedHub(joining);

const seedIn = ({ credentials }: JoinFile): string => /^SU[A-Z2-7]+$/m.exec(credentials)?.[0] ?? 'none';

/** Every file below a folder. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const holding = (folder: string, secret: string): string[] =>
  filesBelow(folder).filter((file) => readFileSync(file).includes(secret));

const healthOf = (lane: Lane) => lane.health.report().parts.find(({ part }) => part === 'chain');

async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'done',
    (error: unknown) => (error instanceof ChainError ? error.code : String(error)),
  );
}

test('the secret is kept sealed; its file is the owner’s alone while the device runs, and gone afterwards', async () => {
  const hub = await emptyHub();
  using folder = temporaryFolder();
  const file = await hub.admit('A');
  const secret = seedIn(file);
  {
    await using master = await startMaster('MA', { folder: folder.path });
    assert.equal((await chainOf(master)).joined, false);
    assert.is(healthOf(master), undefined);
    await joinChain(master, file);
    assert.is(healthOf(master)?.state, 'ok');
    const state = JSON.stringify(await chainOf(master));
    assert.not.match(state, secret);
    const [open, ...others] = holding(folder.path, secret);
    assert.equal([open, others], [join(folder.path, 'chain', 'chain.creds'), []]);
    assert.is(statSync(open ?? '').mode & 0o777, 0o600);
  }
  assert.equal(holding(folder.path, secret), []);
  await using again = await startMaster('MA', { folder: folder.path });
  await until('it is there again after a start', async () => (await chainOf(again)).connected);
  const left = await call(`${again.url}/console/api/chain`, { method: 'DELETE' });
  assert.equal([left.status, left.body.joined, left.body.connected, left.body.trouble], [200, false, false, null]);
  assert.is(healthOf(again), undefined);
  assert.equal(holding(folder.path, secret), []);
  assert.not.match(
    filesBelow(folder.path)
      .filter((path) => /chain\.json/.test(path))
      .map((path) => readFileSync(path, 'utf8'))
      .join(),
    /servers|credentials/,
  );
  assert.is(await codeOf(again.chain.link.send('payments', 'x', { id: '1' })), 'no-line');
});

test('where systemd gives a folder in memory the file lies there, else beside the data', () => {
  assert.is(runtimeFolderOf({ RUNTIME_DIRECTORY: '/run/laneware' }, '/data/chain'), '/run/laneware/chain');
  assert.is(runtimeFolderOf({ RUNTIME_DIRECTORY: '/run/a:/run/b' }, '/data/chain'), '/run/a/chain');
  assert.is(runtimeFolderOf({}, '/data/chain'), '/data/chain');
});

test('a device that has joined no chain has no trouble with one, neither when read nor when it leaves', async () => {
  await using lane = await startLane('L1');
  assert.is((await chainOf(lane)).trouble, null);
  assert.is((await call(`${lane.url}/console/api/chain`, { method: 'DELETE' })).body.trouble, null);
  assert.equal([(await chainOf(lane)).trouble, (await chainOf(lane)).since], [null, null]);
});

test('what a process that was killed left of a chain that was left since is taken away', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'chain'));
  const left = join(folder.path, 'chain', 'chain.creds');
  writeFileSync(left, 'left');
  await using lane = await startLane('L1', { folder: folder.path });
  assert.is((await chainOf(lane)).joined, false);
  assert.not(existsSync(left));
});

test('a device that is no master is refused; so is what no chain has issued, and the reason never repeats it', async () => {
  const hub = await emptyHub();
  const file = await hub.admit('A');
  await using lane = await startLane('L1');
  const refused = await call(`${lane.url}/console/api/chain`, { json: file });
  assert.equal([refused.status, refused.body.code], [409, 'Chain.NotMaster']);
  await lane.must('set_sync_master', { upload: true, download: true });
  for (const wrong of [
    { ...file, servers: ['hub" }\nport: 1'] },
    { ...file, servers: [] },
    { ...file, credentials: `${file.credentials}\u0000` },
    { ...file, credentials: seedIn(file) },
    { ...file, authority: 'none' },
    { ...file, authority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' },
    { ...file, signingKey: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n' },
    { ...file, store: '../../x' },
    { ...file, kind: 'other' },
  ]) {
    const answer = await call(`${lane.url}/console/api/chain`, { json: wrong });
    assert.is(answer.status, 400, JSON.stringify(wrong));
    assert.not.match(answer.text, seedIn(file));
  }
  assert.is((await chainOf(lane)).joined, false);
});

test('a chain that cannot be reached, or that is none of ours, keeps a store from nothing', async () => {
  const hub = await emptyHub();
  const file = { ...(await hub.admit('A')), servers: [`127.0.0.1:${await freePort()}`] };
  await using master = await startMaster('MA');
  await using slave = await startLane('S1');
  assert.is((await call(`${master.url}/console/api/chain`, { json: file })).status, 200);
  await running(master);
  await joinStore(slave, master);
  await slave.learn('7');
  assert.is((await slave.post('start_sync')).body.code, 0);
  const trouble = await until('the trouble', async () => (await chainOf(master)).trouble);
  assert.type(trouble, 'string');
  assert.is((await chainOf(master)).connected, false);
  const started = performance.now();
  assert.match(await codeOf(slave.chain.link.read('all', 'x')), /^(?:timeout|no-line)$/);
  assert.ok(performance.now() - started < 30_000);
  assert.is((await slave.post('start_sync')).body.code, 0);
});

test('names that a subject would read as an order are refused before anything is sent', async () => {
  await using lane = await startLane('L1');
  const { link } = lane.chain;
  for (const name of ['', '>', '*', 'a b', 'a..b', '.a', 'ü', 'a.>'])
    for (const work of [link.read('all', name), link.report(name, ''), link.send(name, '', { id: '1' })])
      assert.is(await codeOf(work), 'name', name);
  assert.is(await codeOf(link.read('all', 'a')), 'no-line');
});

joining.run();
