/** A master whose disk is full: reported at once and in one line, and the store goes on when there is room. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RoomWatch } from '../../firmware/sync/centre/shares.ts';
import { needing } from '../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { until } from '../support.ts';
import { healthOf } from './intruder.ts';
import { NO_SERVER, startLane, startMaster } from './real-rig.ts';
import { addTemplate, agree, joinStore, type Lane, running } from './rig.ts';

const disks = suite('synchronisation: a full disk');
const diskTest = needing(whyNoSmallDisk(), 'synchronisation: a full disk', disks);
const test = needing(NO_SERVER ?? whyNoSmallDisk(), 'synchronisation: a full disk', disks);

const DISK_MB = 64;
/** Of a master, from the moment that its disk is full until it has room again. */
const MOST_LINES = 5;

async function learnMany(lane: Lane, count: number): Promise<void> {
  for (let number = 0; number < count; number++) await addTemplate(lane, `item ${number}`, Buffer.alloc(20_000));
}

test('a master reports its full disk, in one line of its log, and goes on when there is room', async () => {
  using disk = new SmallDisk(DISK_MB);
  await using master = await startMaster('M', { folder: disk.path, stuckMs: 5000 });
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await agree([master, slave], 1);
  const before = master.warnings.length;
  disk.fill();
  assert.match(healthOf(master), /storageFull: the disk of the master is full.*free some space/);
  await learnMany(slave, 200);
  await until('the slave meets it', () => healthOf(slave) !== '' || null);
  // as often as the master tries it again, and longer than a server that does not work may be left alone
  for (let tries = 0; tries < 2; tries++) await master.post('start_sync');
  const said = master.warnings.slice(before).map(({ message }) => message);
  assert.is(said.filter((message) => message.includes('disk of the master is full')).length, 1);
  assert.ok(said.length <= MOST_LINES, said.join('\n'));
  disk.empty();
  await agree([master, slave], 201);
  assert.is(healthOf(master), '');
});

test('a master whose process starts on a full disk serves its store when there is room', async () => {
  using disk = new SmallDisk(DISK_MB);
  await (await startMaster('M', { folder: disk.path })).close();
  disk.fill();
  await using master = await startLane('M', { folder: disk.path });
  await until('its centre fails', () => master.warnings.find(({ message }) => message.includes('the centre')));
  disk.empty();
  await running(master);
  await using one = await startLane('S1');
  await using two = await startLane('S2');
  for (const slave of [one, two]) await joinStore(slave, master);
  await one.learn('7');
  // the master's own templates wait for its next start
  await agree([one, two], 1);
});

diskTest('a full disk is reported while it is full, logged once, and its end is seen once', () => {
  using disk = new SmallDisk(4);
  const said: string[] = [];
  const log = {
    info: (_details: object, message: string) => void said.push(message),
    warn: (_details: object, message: string) => void said.push(message),
  };
  const room = new RoomWatch(disk.path, log, () => void said.push('room'));
  assert.is(room.problem, null);
  disk.fill();
  for (let looks = 0; looks < 3; looks++) assert.match(room.problem ?? '', /^storageFull: .*free some space/);
  disk.empty();
  for (let looks = 0; looks < 3; looks++) assert.is(room.problem, null);
  assert.is(said.length, 3);
  assert.match(said[0] ?? '', /^storageFull/);
  assert.equal(said.slice(1), ['the disk of the master has room again', 'room']);
});

disks.run();
