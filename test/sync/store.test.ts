/** A master and its slaves over a made-up server: what travels, what comes back, what goes for good. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FakeModel } from '../recognition/support.ts';
import { temporaryFolder, until } from '../support.ts';
import { address, agree, BOTH, joinStore, type Lane, startLane, startMaster, status } from './rig.ts';

const test = suite('synchronisation: a store');

const progress = async (master: Lane) => (await master.get('get_deletion_all_progress')).body.data;
const deletedBy = (master: Lane, sns: readonly string[]) =>
  until(`progress of ${sns.join()}`, async () => {
    const { SNs } = await progress(master);
    return SNs.toSorted().join() === sns.toSorted().join();
  });

test('templates learned on any device reach all others at once, whatever their item is called', async () => {
  await using master = await startMaster();
  await using one = await startLane('S1');
  await using two = await startLane('S2');
  await joinStore(one, master);
  await joinStore(two, master);
  const ids = ['>', '*', 'a b', 'ü', '.', '001', '1'];
  for (const [index, id] of ids.entries()) await [master, one, two][index % 3]?.learn(id);
  await agree([master, one, two], ids.length);
  for (const lane of [master, one, two])
    assert.equal(
      (await lane.get('get_item_list')).body.data.map(({ id }: { id: string }) => id).sort(),
      ids.toSorted(),
    );
});

test('what arrives is the template: its picture, and an item that can be recognised', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  const sid = await slave.learn('7');
  await agree([master, slave], 1);
  const image = (lane: Lane) => lane.must('get_template_image', { id: '7', sid });
  assert.equal(await image(master), await image(slave));
  await master.learn('8', 2);
  assert.is(master.recognition.recogniser !== null, true);
  assert.is((await master.get('get_result')).body.data.items[0].id, '8');
});

test('a template of another model is embedded anew from its picture', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1', { model: new FakeModel('other', 4) });
  await joinStore(slave, master);
  await master.learn('7');
  await agree([master, slave], 1);
  await until('re-embedded', () => slave.recognition.reembedding?.progress.left === 0 || null);
  assert.equal(slave.recognition.templates.counts('other@1#0123456789abcdef'), { total: 1, foreign: 0 });
});

test('rules 5 and 6: delete_item and clear_all_template are local, and own templates come back, even with download off', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await master.learn('8');
  await agree([master, slave], 2);
  await slave.must('set_sync_slave', { ...(await address(master)), upload: true, download: false });
  await slave.must('clear_all_template');
  await until('the own template is back', () => slave.held().length === 1 || null);
  assert.match(slave.held()[0] ?? '', '7/S1/');
  await slave.must('delete_item', { id: '7' });
  await until('the own template is back', () => slave.held().length === 1 || null);
  assert.is(master.held().length, 2);
});

test('rules 5 and 6: with upload off a local deletion stays', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await agree([master, slave], 1);
  await slave.must('set_sync_slave', { ...(await address(master)), upload: false, download: true });
  await slave.must('delete_item', { id: '7' });
  await slave.must('start_sync');
  assert.equal(slave.held(), []);
  assert.is(master.held().length, 1);
});

test('rule 2: delete_item_template is for good, on every device, whoever made the template', async () => {
  await using master = await startMaster();
  await using one = await startLane('S1');
  await using two = await startLane('S2');
  await joinStore(one, master);
  await joinStore(two, master);
  const sid = await one.learn('7');
  await one.learn('7', 2);
  await agree([master, one, two], 2);
  await two.must('delete_item_template', { id: '7', sid });
  await agree([master, one, two], 1);
  for (const lane of [one, two, master]) await lane.must('start_sync');
  assert.is((await agree([master, one, two], 1)).join().includes(sid), false);
});

test('upload off shares nothing, download off takes nothing', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master, { upload: false, download: false });
  await slave.learn('7');
  await master.learn('8');
  await until('shared', async () => (await status(master)).devices[0].templates === 1 || null);
  await slave.must('start_sync');
  assert.match(slave.held().join(), /^7\/S1\/\d+$/);
  assert.match(master.held().join(), /^8\/M\/\d+$/);
});

test('rules 10 to 12: a mark deletes on all devices, is reported by serial number, and leaves all other items alone', async () => {
  await using master = await startMaster();
  await using one = await startLane('S1');
  await using two = await startLane('S2');
  await joinStore(one, master);
  await joinStore(two, master, { upload: false, download: false });
  await one.learn('7');
  await two.learn('7');
  await master.learn('7');
  await one.learn('8');
  await agree([master, one], 3);
  await master.must('set_deletion_all_flag', { id: '7' });
  await deletedBy(master, ['M', 'S1', 'S2']);
  assert.match((await agree([master, one], 1)).join(), /^8\/S1\//);
  assert.equal(two.held(), []);
  await two.learn('7'); // deleted again at each synchronisation
  await until('deleted again', () => two.held().length === 0 || null);
  await one.learn('9'); // while all others are synchronised
  await agree([master, one], 2);
});

test('rule 11: unmarked, the item is synchronised again', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await master.must('set_deletion_all_flag', { id: '7' });
  await deletedBy(master, ['M', 'S1']);
  await master.must('clear_deletion_all_flag', { id: '7' });
  await slave.must('start_sync');
  await slave.learn('7');
  await agree([master, slave], 1);
  assert.equal(await progress(master), { id: '', SNs: [], items: [] });
});

test('a restarted master keeps its marks and their progress, a rebooted one does not', async () => {
  using folder = temporaryFolder();
  await using slave = await startLane('S1');
  let port = 0;
  {
    await using master = await startMaster('M', { folder: folder.path, bootId: 'first' });
    await joinStore(slave, master);
    port = (await address(master)).mastersyncPort;
    await slave.learn('7');
    await agree([master, slave], 1);
    await master.must('set_deletion_all_flag', { id: '7' });
    await deletedBy(master, ['M', 'S1']);
  }
  await slave.learn('7');
  {
    await using master = await startLane('M', { folder: folder.path, bootId: 'first', port });
    assert.equal((await progress(master)).SNs, ['M', 'S1']);
    await until('deleted again', () => slave.held().length === 0 || null);
  }
  await slave.learn('7');
  await using master = await startLane('M', { folder: folder.path, bootId: 'second', port });
  await agree([master, slave], 1);
  assert.equal(await progress(master), { id: '', SNs: [], items: [] });
});

test('a slave that was away, with a clock that is years off, converges when it returns', async () => {
  using folder = temporaryFolder();
  await using master = await startMaster();
  let gone = '';
  {
    await using slave = await startLane('S1', { folder: folder.path });
    await joinStore(slave, master);
    gone = await master.learn('7');
    await master.learn('8');
    await slave.learn('9');
    await agree([master, slave], 3);
  }
  await master.must('delete_item_template', { id: '7', sid: gone });
  await master.must('set_deletion_all_flag', { id: '8' });
  await master.learn('10');
  await using slave = await startLane('S1', { folder: folder.path, wall: () => Date.UTC(2061, 0) });
  const held = await agree([master, slave], 2);
  assert.match(held.join(), /^10\/M\/\d+,9\/S1\/\d+$/);
  await slave.learn('11');
  await agree([master, slave], 3);
});

test('a master whose server lost everything is filled again by its devices', async () => {
  await using slave = await startLane('S1');
  using first = temporaryFolder();
  using second = temporaryFolder();
  {
    await using master = await startMaster('M', { folder: first.path });
    await joinStore(slave, master);
    await slave.learn('7');
    await agree([master, slave], 1);
  }
  await using master = await startMaster('M', { folder: second.path });
  await joinStore(slave, master);
  await agree([master, slave], 1);
});

test('what a device that is gone had learned is given to the next master by another', async () => {
  await using witness = await startLane('S1', { orphanMs: 300 });
  let learned = '';
  {
    await using first = await startMaster('M1');
    await joinStore(witness, first);
    learned = await first.learn('7');
    await agree([first, witness], 1);
  }
  await using second = await startMaster('M2');
  await joinStore(witness, second);
  await until('it is given', async () => {
    await witness.must('start_sync');
    return second.held().length === 1 || null;
  });
  assert.equal(second.held(), [`7/M1/${learned}`]);
});

test('what was deleted for good stays deleted with a new master, though the one that deleted it is gone', async () => {
  using folder = temporaryFolder();
  await using witness = await startLane('S1');
  {
    await using first = await startMaster('M1');
    await joinStore(witness, first);
    {
      await using away = await startLane('S2', { folder: folder.path });
      await joinStore(away, first);
      await away.learn('7');
      await agree([first, witness, away], 1);
    }
    const [sid] = first.held().map((name) => name.split('/')[2]);
    await first.must('delete_item_template', { id: '7', sid });
    await agree([first, witness], 0);
  }
  await using second = await startMaster('M2');
  await joinStore(witness, second);
  await using back = await startLane('S2', { folder: folder.path });
  await joinStore(back, second);
  await agree([second, witness, back], 0);
});

test('the limit bounds one synchronisation, and the status tells what is left', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  for (const item of ['1', '2', '3', '4', '5']) await master.learn(item);
  await master.must('start_sync');
  await slave.must('set_sync_limit', { limit: 2 });
  assert.equal((await slave.get('get_sync_limit')).body.data, { limit: 2 });
  assert.is((await slave.get('get_device_info')).body.data.sync_limit, 2);
  const { pairingCode } = await master.must('get_sync_pairing_code');
  await slave.must('set_sync_slave', { ...(await address(master)), ...BOTH, pairingCode });
  await until('the first synchronisation', () => slave.held().length === 2 || null);
  await until('its status', async () => (await status(slave)).pending === 3 || null);
  await slave.must('start_sync');
  assert.is(slave.held().length, 4);
  await slave.must('start_sync');
  assert.is(slave.held().length, 5);
  assert.is((await status(slave)).pending, 0);
});

test('the status names the role, the master and every device; get_device_info too', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  assert.equal((await slave.post('start_sync')).body.code, -6312);
  const { mastersyncPort } = await address(master);
  await slave.must('set_sync_slave', { ...(await address(master)), ...BOTH });
  assert.match((await until('the reason', async () => (await status(slave)).problem)) as string, 'awaiting pairing');
  await joinStore(slave, master);
  const mine = await status(slave);
  assert.equal([mine.role, mine.paired, mine.masterSN, mine.problem, mine.pending], ['slave', true, 'M', null, 0]);
  assert.ok(mine.lag >= 0 && mine.lastSuccess > 0);
  const listed = await until('both are listed', async () => {
    const { devices } = await status(master);
    return devices.every(({ silent }: { silent: number | null }) => silent !== null) ? devices : null;
  });
  assert.equal(
    listed.map(({ sn, conflict }: { sn: string; conflict: boolean }) => [sn, conflict]),
    [
      ['M', false],
      ['S1', false],
    ],
  );
  const { data } = (await slave.get('get_device_info')).body;
  assert.equal(
    [data.syncMode, data.masterIP, data.masterSN, data.mastersyncPort, data.upload, data.download, data.sync],
    ['slave', '127.0.0.1', 'M', mastersyncPort, true, true, true],
  );
  await slave.must('set_sync_standalone');
  assert.equal((await slave.get('get_device_info')).body.data.syncMode, 'standalone');
});

test('a full item holds the same everywhere, the first of each device, whatever their clocks say, and none is lost', async () => {
  await using master = await startMaster('M', { max: 2, keepMs: 100 });
  await using slave = await startLane('S1', { max: 2, keepMs: 100, wall: () => Date.UTC(1971, 0) });
  const slow = [await slave.learn('7'), await slave.learn('7', 2)];
  const right = [await master.learn('7', 3), await master.learn('7', 4)];
  await joinStore(slave, master);
  const sync = async (): Promise<void> => {
    for (const lane of [master, slave]) await lane.post('start_sync');
  };
  const held = await until('both hold the same', async () => {
    await sync();
    return master.held().join() === slave.held().join() ? master.held() : null;
  });
  assert.equal(held, [`7/M/${right[0]}`, `7/S1/${slow[0]}`]);
  for (const [lane, sid] of [
    [master, right[0]],
    [slave, slow[0]],
  ] as const)
    await lane.must('delete_item_template', { id: '7', sid });
  assert.equal(await agree([master, slave], 2), [`7/M/${right[1]}`, `7/S1/${slow[1]}`]);
});

test.run();
