/** Everything is deleted on every device of a store, by `/v1`, over the real server: who forgets, who does not, and what comes back. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecognitionError } from '../../firmware/recognition/codes.ts';
import { freePort } from '../ports.ts';
import { startFirmware } from '../process.ts';
import { needing } from '../skipping.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { agree, joinStore, NO_SERVER, running, startLane, startMaster } from './rig.ts';
import { forgottenBy, storeOf, wipe } from './wiping.ts';

const wipes = suite('synchronisation: everything is deleted everywhere');
const test = needing(NO_SERVER, 'synchronisation: everything is deleted everywhere', wipes);

test('every device of the store forgets all items, once, and what is learned afterwards stays', async () => {
  await using master = await startMaster();
  await using one = await startLane('S1');
  await using two = await startLane('S2');
  await joinStore(one, master);
  await joinStore(two, master, { upload: false, download: false });
  await one.learn('7');
  await two.learn('8');
  await master.learn('9');
  await agree([master, one], 2);
  const { status, body } = await wipe(master);
  assert.is(status, 200);
  assert.equal([body.id, body.devices.toSorted()], ['first-wipe', ['M', 'S1', 'S2']]);
  assert.equal(master.held(), [], 'the master forgets at once');
  await forgottenBy(master, ['M', 'S1', 'S2']);
  await agree([master, one, two], 0);
  await one.learn('7');
  await agree([master, one], 1);
  for (const lane of [master, one, two]) await running(lane);
  assert.is(master.held().length, 1);
});

test('the same one sent again deletes nothing more, another one does', async () => {
  await using master = await startMaster();
  await master.learn('7');
  await wipe(master);
  await forgottenBy(master, ['M']);
  await master.learn('7');
  assert.equal((await wipe(master)).body.done, ['M']);
  await running(master);
  assert.is(master.held().length, 1);
  await wipe(master, 'second-wipe');
  assert.equal(master.held(), []);
});

test('what is typed is the serial number of the master, or nothing is deleted', async () => {
  await using master = await startMaster();
  await master.learn('7');
  const { status, body } = await wipe(master, 'first-wipe', 'S1');
  assert.equal([status, body.code], [409, 'Store.WrongName']);
  assert.is((await storeOf(master)).wipe, null);
  assert.is(master.held().length, 1);
  await using alone = await startLane('A');
  const refused = await wipe(alone, 'first-wipe', '');
  assert.equal([refused.status, refused.body.code], [409, 'Store.NotMaster']);
});

test('a slave that was away forgets when it comes back, and gives nothing of it to the others', async () => {
  using folder = temporaryFolder();
  await using master = await startMaster();
  const away = await startLane('S1', { folder: folder.path });
  await joinStore(away, master);
  await away.learn('7');
  await agree([master, away], 1);
  await away.close();
  await wipe(master);
  await forgottenBy(master, ['M']);
  await master.learn('8');
  await using back = await startLane('S1', { folder: folder.path });
  await forgottenBy(master, ['M', 'S1']);
  await running(back);
  assert.match((await agree([master, back], 1)).join(), /^8\//);
});

test('what a slave learned while it was away, it forgets too, and who joins later forgets nothing', async () => {
  using folder = temporaryFolder();
  await using master = await startMaster();
  const away = await startLane('S1', { folder: folder.path });
  await joinStore(away, master);
  await away.close();
  await wipe(master);
  await forgottenBy(master, ['M']);
  await using late = await startLane('S2');
  await late.learn('9');
  await joinStore(late, master);
  await agree([master, late], 1);
  // not of the store when it learns: its server is not asked before the lane has learned
  await using back = await startLane('S1', { folder: folder.path });
  await forgottenBy(master, ['M', 'S1']);
  assert.match((await agree([master, late, back], 1)).join(), /^9\/S2\//);
});

test('what lies at the centre alone is deleted, too', async () => {
  using folder = temporaryFolder();
  await using master = await startMaster();
  await master.must('set_sync_master', { upload: true, download: false });
  await running(master);
  const gone = await startLane('S1', { folder: folder.path });
  await joinStore(gone, master);
  await gone.learn('7');
  await running(gone);
  await gone.close();
  assert.equal(master.held(), [], 'the master takes nothing');
  await wipe(master);
  await forgottenBy(master, ['M']);
  await using late = await startLane('S2');
  await joinStore(late, master);
  await running(late);
  assert.equal(late.held(), []);
});

test('a store deletes everything though its master was started anew, by a restart of the machine too', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const port = await freePort();
  const master = await startMaster('M', { folder: folder.path, port });
  const away = await startLane('S1', { folder: other.path });
  await joinStore(away, master);
  await away.learn('7');
  await agree([master, away], 1);
  await away.close();
  await wipe(master);
  await master.close();
  await using again = await startLane('M', { folder: folder.path, port, bootId: 'another' });
  await running(again);
  await using back = await startLane('S1', { folder: other.path });
  await forgottenBy(again, ['M', 'S1']);
  await agree([again, back], 0);
});

test('what a master learns after the answer stays, however long its server is away', async () => {
  using folder = temporaryFolder();
  const first = await startMaster('M', { folder: folder.path });
  await first.learn('7');
  await first.close();
  const without = await startLane('M', { folder: folder.path, program: 'no-such-server' });
  assert.is((await wipe(without)).status, 200);
  assert.equal(without.held(), []);
  await without.learn('8');
  await without.close();
  await using again = await startLane('M', { folder: folder.path });
  await forgottenBy(again, ['M']);
  assert.match(again.held().join(), /^8\/M\/[^,]*$/);
});

test('what a full disk broke off is done when the same is asked for again', async () => {
  using folder = temporaryFolder();
  const first = await startMaster('M', { folder: folder.path });
  await first.learn('7');
  await first.close();
  await using master = await startLane('M', { folder: folder.path, program: 'no-such-server' });
  const { exchange } = master.recognition;
  const forgetAll = exchange.forgetAll.bind(exchange);
  exchange.forgetAll = () => Promise.reject(new RecognitionError('storageFull', 'no room'));
  assert.is((await wipe(master)).body.code, 'Internal.StorageFull');
  assert.is(master.held().length, 1);
  exchange.forgetAll = forgetAll;
  assert.is((await wipe(master)).status, 200);
  assert.equal(master.held(), []);
});

test('no other device is told before the master has emptied the centre: what it learns then stays', async () => {
  await using master = await startMaster();
  await master.must('set_sync_master', { upload: true, download: false });
  await running(master);
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await running(slave);
  const { exchange } = master.recognition;
  const keepTombstones = exchange.keepTombstones.bind(exchange);
  const isTried = Promise.withResolvers<void>();
  exchange.keepTombstones = async (names) => {
    if (names.length === 0) return;
    isTried.resolve();
    throw new RecognitionError('storageFull', 'no room');
  };
  assert.is((await wipe(master)).status, 200);
  await isTried.promise;
  await running(slave);
  assert.equal((await storeOf(master)).wipe.done, []);
  assert.is(slave.held().length, 1);
  exchange.keepTombstones = keepTombstones;
  await running(master);
  await forgottenBy(master, ['M', 'S1']);
  await slave.learn('8');
  await running(slave);
  await running(master);
  await running(slave);
  assert.match(slave.held().join(), /^8\/S1\/[^,]*$/);
});

test('a master that is killed in the middle goes on after its start', async () => {
  using folder = temporaryFolder();
  const settings = {
    LANEWARE_SYNC_ROLE: 'master',
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
  };
  const first = await startFirmware(folder.path, { settings });
  const ready = (url: string) =>
    until('synchronised', async () => (await call(`${url}/v1/store/rounds`, { method: 'POST' })).status === 200);
  await ready(first.urls.recognition);
  // answered or not: it is killed while it is at work
  const answer = call(`${first.urls.recognition}/v1/store/wipes/first-wipe`, {
    method: 'PUT',
    json: { master: 'TEST0001' },
  }).catch(() => null);
  await until('taken up', async () => (await call(`${first.urls.recognition}/v1/store`)).body.wipe !== null);
  await first.program.kill('SIGKILL');
  await answer;
  const second = await startFirmware(folder.path, { settings });
  try {
    await until('done', async () => {
      const { body } = await call(`${second.urls.recognition}/v1/store`);
      return body.wipe?.done.join() === 'TEST0001';
    });
  } finally {
    assert.is((await second.program.kill('SIGTERM')).code, 0);
  }
});

wipes.run();
