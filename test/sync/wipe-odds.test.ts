/** Everything is deleted on every device of a store, and something comes between: who is spared, who is not, and what stays. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecognitionError } from '../../firmware/recognition/codes.ts';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { needing } from '../skipping.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { agree, joinStore, type Lane, NO_SERVER, running, startLane, startMaster } from './rig.ts';
import { forgottenBy, storeOf, wipe } from './wiping.ts';

const odds = suite('synchronisation: what comes between a deletion of everything');
const test = needing(NO_SERVER, 'synchronisation: what comes between a deletion of everything', odds);

const itemsOf = (lane: Lane): string =>
  lane
    .held()
    .map((name) => name.split('/')[0])
    .join();

/** What a device has learned, as a backup of it has that. */
const copyLearned = (from: string, to: string): void => cpSync(join(from, 'templates.db'), join(to, 'templates.db'));

/** Until it is released, the master cannot take away what lies at the centre. */
function holdCentre(master: Lane) {
  const { exchange } = master.recognition;
  const keepTombstones = exchange.keepTombstones.bind(exchange);
  const tried = Promise.withResolvers<void>();
  exchange.keepTombstones = async (names) => {
    if (names.length === 0) return;
    tried.resolve();
    throw new RecognitionError('storageFull', 'no room');
  };
  return { tried: tried.promise, release: () => Object.assign(exchange, { keepTombstones }) };
}

test('what a round hears of the one before takes nothing that was learned after the next', async () => {
  await using master = await startMaster();
  const centre = holdCentre(master);
  await wipe(master);
  const told = Centre.prototype.marks;
  const [isHeard, isLearned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  Centre.prototype.marks = async function marks() {
    const document = await told.call(this);
    isHeard.resolve();
    await isLearned.promise;
    return document;
  };
  const round = running(master);
  await isHeard.promise;
  await wipe(master, 'second-wipe');
  await master.learn('8');
  isLearned.resolve();
  Centre.prototype.marks = told;
  await round;
  centre.release();
  await forgottenBy(master, ['M']);
  await running(master);
  assert.is(itemsOf(master), '8');
});

test('one that was followed by another deletes nothing when it is sent again', async () => {
  await using master = await startMaster();
  await wipe(master);
  await forgottenBy(master, ['M']);
  await wipe(master, 'second-wipe');
  await forgottenBy(master, ['M']);
  await master.learn('8');
  const { status, body } = await wipe(master);
  assert.equal([status, body.id, body.done], [200, 'second-wipe', ['M']], 'the latest is told');
  await running(master);
  assert.is(itemsOf(master), '8');
});

test('what was on its way to the master when everything was forgotten goes, too', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  const { exchange } = master.recognition;
  const receive = exchange.receive.bind(exchange);
  const [isComing, isForgotten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  exchange.receive = async (templates) => {
    isComing.resolve();
    await isForgotten.promise;
    await receive(templates);
  };
  await slave.learn('7');
  await isComing.promise;
  await slave.close();
  assert.is((await wipe(master)).status, 200);
  isForgotten.resolve();
  await forgottenBy(master, ['M']);
  await running(master);
  assert.is(itemsOf(master), '');
});

test('who joins before the centre is emptied keeps what it brings', async () => {
  await using master = await startMaster();
  await master.must('set_sync_master', { upload: true, download: false });
  await running(master);
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await running(slave);
  const centre = holdCentre(master);
  assert.is((await wipe(master)).status, 200);
  await centre.tried;
  await using late = await startLane('S2');
  await late.learn('9');
  await joinStore(late, master);
  await running(late);
  centre.release();
  await forgottenBy(master, ['M', 'S1']);
  await running(late);
  await agree([slave, late], 1);
  assert.is(itemsOf(late), '9');
});

test('a device that has forgotten, and comes back as a new board with a backup of later, deletes nothing', async () => {
  using before = temporaryFolder();
  using after = temporaryFolder();
  await using master = await startMaster();
  const first = await startLane('S1', { folder: before.path });
  await joinStore(first, master);
  await wipe(master);
  await forgottenBy(master, ['M', 'S1']);
  await first.learn('7');
  await master.learn('8');
  await agree([master, first], 2);
  await first.close();
  copyLearned(before.path, after.path);
  await using second = await startLane('S1', { folder: after.path });
  assert.is(itemsOf(second), '7,8');
  await joinStore(second, master);
  await running(second);
  await agree([master, second], 2);
});

test('a backup of before brings nothing back', async () => {
  using folder = temporaryFolder();
  using backup = temporaryFolder();
  await using master = await startMaster();
  const first = await startLane('S1', { folder: folder.path });
  await joinStore(first, master, { upload: false, download: true });
  await first.learn('7');
  await master.learn('8');
  await until('both are here', () => itemsOf(first) === '7,8');
  await first.close();
  copyLearned(folder.path, backup.path);
  const second = await startLane('S1', { folder: folder.path });
  await wipe(master);
  await forgottenBy(master, ['M', 'S1']);
  await second.close();
  copyLearned(backup.path, folder.path);
  await using third = await startLane('S1', { folder: folder.path });
  assert.is(itemsOf(third), '7,8');
  await third.must('set_sync_slave', { ...(await slaveOf(third)), upload: true, download: true });
  await running(third);
  await running(master);
  await agree([master, third], 0);
});

const slaveOf = async (lane: Lane) => {
  const { masterIP, mastersyncPort } = (await lane.get('get_device_info')).body.data;
  return { masterIP, mastersyncPort };
};

test('a slave of an earlier release is waited for, and takes nothing of later with it once it knows', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master, { upload: false, download: true });
  await slave.learn('7');
  const told = Centre.prototype.marks;
  // it reads what the master tells, but for what it does not know
  Centre.prototype.marks = async function marks() {
    const { wipe: all, ...known } = await told.call(this);
    return all?.devices.join() === 'M' ? { ...known, wipe: all } : known;
  };
  try {
    await wipe(master);
    await forgottenBy(master, ['M']);
    await master.learn('8');
    await until('it has what was learned', () => itemsOf(slave) === '7,8');
    await running(slave);
    const { devices, done } = (await storeOf(master)).wipe;
    assert.equal([devices, done], [['M', 'S1'], ['M']]);
  } finally {
    Centre.prototype.marks = told;
  }
  await running(slave);
  await forgottenBy(master, ['M', 'S1']);
  await running(master);
  await agree([master, slave], 1);
  assert.is(itemsOf(slave), '8');
});

test('what a slave that was not told yet gives meanwhile goes, too', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master, { upload: false, download: true });
  await slave.learn('7');
  const told = Centre.prototype.marks;
  Centre.prototype.marks = async function marks() {
    const { wipe: all, ...known } = await told.call(this);
    return all?.devices.join() === 'M' ? { ...known, wipe: all } : known;
  };
  try {
    await wipe(master);
    await forgottenBy(master, ['M']);
    await slave.must('set_sync_slave', { ...(await slaveOf(slave)), upload: true, download: true });
    await until('the master has it', () => itemsOf(master) === '7');
  } finally {
    Centre.prototype.marks = told;
  }
  await running(slave);
  await forgottenBy(master, ['M', 'S1']);
  await agree([master, slave], 0);
});

test('a device that was shut out meanwhile forgets when it is let in again', async () => {
  using folder = temporaryFolder();
  await using master = await startMaster();
  const away = await startLane('S1', { folder: folder.path });
  await joinStore(away, master, { upload: false, download: true });
  await away.learn('7');
  await away.close();
  await wipe(master);
  await forgottenBy(master, ['M']);
  assert.is((await call(`${master.url}/v1/store/devices/S1`, { method: 'DELETE' })).status, 200);
  await master.learn('8');
  await using back = await startLane('S1', { folder: folder.path });
  await joinStore(back, master);
  await forgottenBy(master, ['M', 'S1']);
  await agree([master, back], 1);
  assert.is(itemsOf(back), '8');
});

test('what a full disk or a cut broke off is done at the start, and what is learned then stays', async () => {
  using folder = temporaryFolder();
  const first = await startMaster('M', { folder: folder.path });
  await first.learn('7');
  await first.close();
  const cut = await startLane('M', { folder: folder.path, program: 'no-such-server' });
  cut.recognition.exchange.forgetAll = () => Promise.reject(new RecognitionError('storageFull', 'no room'));
  assert.is((await wipe(cut)).body.code, 'Internal.StorageFull');
  await cut.close();
  const without = await startLane('M', { folder: folder.path, program: 'no-such-server' });
  await without.learn('8');
  await until('it goes on by itself', () => itemsOf(without) === '8');
  await without.close();
  await using again = await startLane('M', { folder: folder.path });
  await forgottenBy(again, ['M']);
  assert.is(itemsOf(again), '8');
});

odds.run();
