/** A store in trouble: storage that is full on either side, a message server that is killed or answers nobody. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../skipping.ts';
import { until } from '../support.ts';
import { address, agree, BOTH, joinStore, type Lane, NO_SERVER, startLane, startMaster, status } from './rig.ts';

const trouble = suite('synchronisation: a store in trouble');
const test = needing(NO_SERVER, 'synchronisation: a store in trouble', trouble);

test('a slave whose storage is full says so and takes nothing, and goes on when there is less to take', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1', { storageMb: 1 });
  const crop = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(400_000)]);
  const model = 'fake@1#0123456789abcdef';
  const learn = () =>
    master.recognition.templates.add({ item: '7', model, vector: new Float32Array(192).fill(0.072), crop });
  const sids = [await learn(), await learn(), await learn()];
  await master.must('start_sync');
  const { pairingCode } = await master.must('get_sync_pairing_code');
  await slave.must('set_sync_slave', { ...(await address(master)), ...BOTH, pairingCode });
  assert.is((await slave.post('start_sync')).body.code, -6307);
  assert.match((await status(slave)).problem, /storage of the device is full/);
  assert.equal(slave.held(), []);
  for (const sid of sids.slice(1)) await master.must('delete_item_template', { id: '7', sid });
  await agree([master, slave], 1);
  await slave.must('start_sync');
  assert.is((await status(slave)).problem, null);
});

test('a centre that is full says so, still gives what it has, and has room again when templates are deleted', async () => {
  await using master = await startMaster('M', { centreMb: 1 });
  await using full = await startLane('S1');
  await using other = await startLane('S2');
  await joinStore(other, master);
  const crop = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(400_000)]);
  const model = 'fake@1#0123456789abcdef';
  const learn = (lane: Lane) =>
    lane.recognition.templates.add({ item: '7', model, vector: new Float32Array(192).fill(0.072), crop });
  const sids = [await learn(other), await learn(other)];
  await agree([master, other], 2);
  await learn(full);
  const { pairingCode } = await master.must('get_sync_pairing_code');
  await full.must('set_sync_slave', { ...(await address(master)), ...BOTH, pairingCode });
  const { body } = await full.post('start_sync');
  assert.is(body.code, -6307);
  assert.match(body.msg, 'the storage of the master is full');
  assert.is(full.held().length, 3);
  assert.match((await status(full)).problem, 'the storage of the master is full');
  await other.must('delete_item_template', { id: '7', sid: sids[0] });
  await until('there is room', async () => (await full.post('start_sync')).body.code === 0 || null);
  await agree([master, full, other], 2);
});

test('a server that runs but answers nobody is started anew, and the store goes on', async () => {
  await using master = await startMaster('M', { stuckMs: 0 });
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  const pid = Number(master.sync.serverPid);
  process.kill(pid, 'SIGSTOP');
  await slave.learn('7');
  const asked = master.post('start_sync');
  await until('another server', () => ![null, pid].includes(master.sync.serverPid) || null);
  assert.is.not((await asked).body.code, 0);
  await agree([master, slave], 1);
});

test('a killed server is started again and the store goes on', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await agree([master, slave], 1);
  const pid = master.sync.serverPid;
  assert.type(pid, 'number');
  process.kill(Number(pid), 'SIGKILL');
  await until('another server', () => master.sync.serverPid !== null && master.sync.serverPid !== pid);
  await slave.learn('8');
  await agree([master, slave], 2);
});

trouble.run();
