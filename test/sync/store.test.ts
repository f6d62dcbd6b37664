/** A master and its slaves: what travels, what comes back, what goes for good. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FakeModel } from '../recognition/support.ts';
import { each, temporaryFolder, until } from '../support.ts';
import { address, agree, BOTH, invitation, joinStore, keep, type Lane, startLane, startMaster, status } from './rig.ts';
import { inStore, itemsOf, TAKES } from './store.ts';

const test = suite('synchronisation: a store');
const it = each(test, inStore);

const NONE = { upload: false, download: false };
const NO_MARKS = { id: '', SNs: [], items: [] };

const progress = async (master: Lane) => (await master.get('get_deletion_all_progress')).body.data;
const deletedBy = (master: Lane, ...sns: readonly string[]) =>
  until(`progress of ${sns.join()}`, async () => (await progress(master)).SNs.toSorted().join() === sns.join());
const sidOf = (lane: Lane, item: string): string =>
  lane
    .held()
    .find((name) => name.startsWith(`${item}/`))
    ?.split('/')[2] ?? '';

it('templates learned on any device reach all at once, with any item name and their picture', async (store) => {
  const slave = await store.add('S1');
  const other = await store.add('S2', BOTH, { model: new FakeModel('other', 4) });
  const ids = ['>', '*', 'a b', 'ü', '.a', '001', '1'];
  const lanes = [store.master, slave, other];
  for (const [index, id] of ids.entries()) await lanes[index % 3]?.learn(id);
  await store.holds(...ids);
  for (const lane of lanes)
    assert.equal(
      (await lane.get('get_item_list')).body.data.map(({ id }: { id: string }) => id).sort(),
      ids.toSorted(),
    );
  const image = (lane: Lane) => lane.must('get_template_image', { id: 'a b', sid: sidOf(lane, 'a b') });
  assert.equal(await image(slave), await image(store.master));
  // of another model: embedded anew from the picture
  await until('re-embedded', () => other.recognition.reembedding?.progress.left === 0);
  assert.equal(other.recognition.templates.reader.counts('other@1#0123456789abcdef'), { total: 7, foreign: 0 });
  await store.master.learn('8', 2);
  assert.is((await store.master.get('get_result')).body.data.items[0].id, '8');
});

it('rules 5, 6: deletions by API are local, own templates return unless upload is off', async (store) => {
  const slave = await store.add('S1');
  await slave.learn('7');
  await store.master.learn('8');
  await store.holds('7', '8');
  await store.direct('S1', { upload: true, download: false });
  for (const [path, json] of [['clear_all_template'], ['delete_item', { id: '7' }]] as const) {
    await slave.must(path, json);
    await until('the own template is back', () => slave.held().length === 1);
    assert.match(slave.held()[0] ?? '', '7/S1/');
  }
  await store.direct('S1', TAKES);
  await store.holds('7', '8');
  await slave.must('delete_item', { id: '7' });
  await slave.must('start_sync');
  assert.equal([itemsOf(slave), itemsOf(store.master)], ['8', '7,8']);
});

it('rule 2: a device that joins after a deletion knows of it, in case it was only off', async (store) => {
  const slave = await store.add('S1');
  await slave.learn('7');
  await store.holds('7');
  await slave.must('delete_item_template', { id: '7', sid: sidOf(slave, '7') });
  await store.holds();
  const late = await store.add('S2');
  const known = () => late.recognition.exchange.tombstonesOf('7').length;
  await until('the deletion is known', () => known() === 1);
});

it('rule 2: delete_item_template is for good, on every device, for a template of any device', async (store) => {
  const one = await store.add('S1');
  const two = await store.add('S2');
  const sid = await one.learn('7');
  await one.learn('7', 2);
  await store.holds('7', '7');
  await two.must('delete_item_template', { id: '7', sid });
  await store.holds('7');
  await store.settle();
  assert.is((await store.holds('7')).join().includes(sid), false);
});

it('rules 10 to 12: a mark deletes on every device, also without exchange, and nothing else', async (store) => {
  const { master } = store;
  const one = await store.add('S1');
  const two = await store.add('S2', NONE);
  for (const lane of [one, two, master]) await lane.learn('7');
  await one.learn('8');
  await until('shared', () => itemsOf(master) === '7,7,8');
  await two.must('start_sync');
  assert.is(itemsOf(two), '7', 'it takes nothing, and no other device has what it made');
  const bringBack = keep(two, '7');
  await master.must('set_deletion_all_flag', { id: '7' });
  await deletedBy(master, 'M', 'S1', 'S2');
  assert.equal([one, master, two].map(itemsOf), ['8', '8', '']);
  assert.is((await two.post('add_item_template', { id: '7' })).body.code, -6316, 'it would not stay');
  await bringBack();
  await two.must('start_sync');
  assert.is(itemsOf(two), '', 'deleted again, at each synchronisation');
  await store.leave('S2');
  await one.learn('9'); // while all others are synchronised
  await store.holds('8', '9');
  // rule 11
  await master.must('clear_deletion_all_flag', { id: '7' });
  await until('S1 has heard of it', async () => {
    await one.must('start_sync');
    return (await one.post('add_item_template', { id: '7' })).body.code === 0;
  });
  await store.holds('7', '8', '9');
  assert.equal(await progress(master), NO_MARKS);
});

test(
  'a restarted master keeps its marks and their progress, a rebooted one does not',
  inStore(
    async (store) => {
      const slave = await store.add('S1');
      await slave.learn('7');
      const bringBack = keep(slave, '7');
      await store.master.must('set_deletion_all_flag', { id: '7' });
      await deletedBy(store.master, 'M', 'S1');
      await store.leave('M');
      await bringBack();
      const again = await store.start('M', { bootId: 'first' });
      assert.equal((await progress(again)).SNs, ['M', 'S1']);
      await until('deleted again', () => slave.held().length === 0);
      await store.leave('M');
      await bringBack();
      await store.start('M', { bootId: 'second' });
      await store.holds('7');
      assert.equal(await progress(store.master), NO_MARKS);
    },
    { bootId: 'first' },
  ),
);

it('a slave that was away, with a clock that is years off, converges when it returns', async (store) => {
  const slave = await store.add('S1');
  const gone = await store.master.learn('7');
  await store.master.learn('8');
  await slave.learn('9');
  await store.holds('7', '8', '9');
  await store.leave('S1');
  await store.master.must('delete_item_template', { id: '7', sid: gone });
  await store.master.must('set_deletion_all_flag', { id: '8' });
  await store.master.learn('10');
  const back = await store.start('S1', { wall: () => Date.UTC(2061, 0) });
  await store.holds('9', '10');
  await back.learn('11');
  await store.holds('9', '10', '11');
});

test('the next master gets what was learned, also by a lost device, and nothing deleted returns', async () => {
  using folder = temporaryFolder();
  await using witness = await startLane('S1', { orphanMs: 300 });
  let learned = '';
  {
    await using first = await startMaster('M1');
    await joinStore(witness, first);
    {
      await using away = await startLane('S2', { folder: folder.path });
      await joinStore(away, first);
      await away.learn('7');
      await agree([first, witness, away], 1);
    }
    await first.must('delete_item_template', { id: '7', sid: sidOf(first, '7') });
    learned = await first.learn('8');
    await witness.learn('9');
    await until('both are there', () => itemsOf(first) === '8,9' && itemsOf(witness) === '8,9');
  }
  await using second = await startMaster('M2');
  await joinStore(witness, second);
  await until('it is given', async () => {
    await witness.must('start_sync');
    return itemsOf(second) === '8,9';
  });
  assert.is(second.held()[0], `8/M1/${learned}`);
  await using back = await startLane('S2', { folder: folder.path });
  await joinStore(back, second);
  await agree([second, witness, back], 2);
});

test('the limit bounds one synchronisation, and the status reports what is left', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  for (const item of ['1', '2', '3', '4', '5']) await master.learn(item);
  await master.must('start_sync');
  await slave.must('set_sync_limit', { limit: 2 });
  assert.equal((await slave.get('get_sync_limit')).body.data, { limit: 2 });
  assert.is((await slave.get('get_device_info')).body.data.sync_limit, 2);
  await slave.must('set_sync_slave', await invitation(master));
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
  assert.equal(
    { role: mine.role, paired: mine.paired, masterSN: mine.masterSN, problem: mine.problem, pending: mine.pending },
    { role: 'slave', paired: true, masterSN: 'M', problem: null, pending: 0 },
  );
  assert.ok(mine.lag >= 0 && mine.lastSuccess > 0);
  const listed = await until('both are listed', async () => {
    const { devices } = await status(master);
    return devices.every(({ silent }: { silent: number | null }) => silent !== null) ? devices : null;
  });
  const found = listed.map(({ sn, conflict }: { sn: string; conflict: boolean }) => [sn, conflict]);
  assert.equal(found, [
    ['M', false],
    ['S1', false],
  ]);
  const { data } = (await slave.get('get_device_info')).body;
  const now = [data.syncMode, data.masterIP, data.masterSN, data.mastersyncPort, data.upload, data.download, data.sync];
  assert.equal(now, ['slave', '127.0.0.1', 'M', mastersyncPort, true, true, true]);
  await slave.must('set_sync_standalone');
  assert.equal((await slave.get('get_device_info')).body.data.syncMode, 'standalone');
});

test('a full item is the same everywhere, each device’s first, and one deletion frees one place', async () => {
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
  await slave.must('delete_item_template', { id: '7', sid: slow[0] });
  await sync();
  assert.equal(await agree([master, slave], 1), [`7/M/${right[0]}`], 'what had no place does not take the free one');
  const taught = await slave.learn('7', 5);
  assert.equal(await agree([master, slave], 2), [`7/M/${right[0]}`, `7/S1/${taught}`]);
});

test.run();
