/** Who belongs to a chain is changed by one command at a time, and a credential that went astray is cut off by another. */
import { readFileSync } from 'node:fs';
import { jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JoinFile } from '../../firmware/chain/join-file.ts';
import { pairOf } from '../../scripts/chain/keys.ts';
import { withLock } from '../../scripts/chain/lock.ts';
import { needing } from '../needing.ts';
import { Program } from '../process.ts';
import { temporaryFolder, until } from '../support.ts';
import { startMaster } from '../sync/real-rig.ts';
import { chainCommand, joinChain, NO_HUB, startHub } from './hub.ts';
import { startRogue } from './rogue.ts';

const admission = suite('chain: who is admitted');
const test = needing(NO_HUB, 'chain: who is admitted', admission);

test('another file for a store cuts off the holder of the previous one, at once and for good', async () => {
  await using hub = await startHub();
  await using master = await startMaster('MA');
  await using thief = await startRogue(await hub.admit('A'));
  const refused = await hub.admit('A').catch(({ stderr }) => String(stderr));
  assert.match(String(refused), /the chain has a store A already.*store add --again/);
  assert.ok(await thief.isLetIn(), 'a refused command has cut no one off');
  await chainCommand('store', 'mirror', '--keys', hub.keys, 'A');
  await chainCommand('store', 'add', '--keys', hub.keys, 'A', '--again');
  await until('the thief is cut off', async () => !(await thief.isLetIn()));
  const file: JoinFile = JSON.parse(readFileSync(`${hub.keys}/joins/A.json`, 'utf8'));
  await joinChain(master, file);
  // it is the same store to the hub, with what it has there, and its administrator is let in, too
  assert.is(file.account, pairOf(hub.folder().store('A').seed).getPublicKey());
  await using connection = await hub.asStore('A');
  await master.learn('7');
  await master.must('start_sync');
  const manager = await jetstreamManager(connection);
  await until('the mirror', async () => (await manager.streams.info('templates')).state.messages === 1);
  assert.not(await thief.isLetIn());
  // a later push of the account still knows what was revoked
  await using second = await startRogue(file);
  await chainCommand('store', 'add', '--keys', hub.keys, 'A', '--again');
  await until('the file before is cut off, too', async () => !(await second.isLetIn()));
  assert.not(await thief.isLetIn());
});

test('each server compares what it knows with the others every few seconds, not each minute', async () => {
  using folder = temporaryFolder();
  const keys = `${folder.path}/keys`;
  const servers = [1, 2, 3].flatMap((number) => ['--server', `hub-${number}=127.0.0.1@1,2,3,4`]);
  await chainCommand('init', '--keys', keys, '--name', 'fruit', '--here', ...servers);
  for (const number of [1, 2, 3]) {
    const config = readFileSync(`${keys}/servers/hub-${number}/nats.conf`, 'utf8');
    assert.match(config, /resolver: \{ type: full, .*interval: "5s" \}/);
  }
});

test('commands that change the keys at one moment take turns, and a killed one holds up none', async () => {
  await using hub = await startHub();
  const names = ['A', 'B', 'C'];
  const files = await Promise.all(names.map((name) => hub.admit(name)));
  assert.equal(new Set(files.map(({ account }) => account)).size, 3);
  assert.equal(
    hub
      .folder()
      .stores.map(({ name }) => name)
      .sort(),
    names,
  );
  const hold =
    "import { takeDataDir } from './firmware/store/data-dir.ts'; globalThis.held = takeDataDir(process.argv[1]); console.log('{}');";
  await using other = new Program(['--input-type=module', '-e', `${hold} setInterval(() => {}, 1000)`, hub.keys]);
  await other.line(() => true);
  const said: string[] = [];
  const late = withLock(
    hub.keys,
    async () => 'done',
    (line) => void said.push(line),
    0,
  ).catch(String);
  assert.match(await late, /ChainFailure: another command \(pid \d+\) is at work on .*: end it/);
  const waiting = withLock(
    hub.keys,
    async () => 'done',
    (line) => void said.push(line),
  );
  await until('it waits', () => said.length > 0);
  assert.match(said.join(), /waiting for it$/);
  await other.kill('SIGKILL');
  assert.is(await waiting, 'done');
});

admission.run();
