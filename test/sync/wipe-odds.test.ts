/** Everything is deleted on every device of a store, and something comes between: who is spared, who is not, and what stays. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import type { MarksDocument } from '../../firmware/sync/centre/centre.ts';
import { each, temporaryFolder, until } from '../support.ts';
import { BOTH, type Lane, running } from './rig.ts';
import { inStore, itemsOf, storeOf, TAKES, withMarks } from './store.ts';

const test = suite('synchronisation: what comes between a deletion of everything');
const it = each(test, inStore);

const GIVES = { upload: true, download: false };

/** What a device has learned, as a backup of it has that. */
const copyLearned = (from: string, to: string): void => cpSync(join(from, 'templates.db'), join(to, 'templates.db'));

/** Until it is released, the master cannot take away what lies at the centre. */
function holdCentre(master: Lane) {
  const { exchange } = master.recognition;
  const addTombstones = exchange.addTombstones.bind(exchange);
  const tried = Promise.withResolvers<void>();
  exchange.addTombstones = async (names) => {
    if (names.length === 0) return;
    tried.resolve();
    throw new RecognitionError('Internal.StorageFull', 'no room');
  };
  const release = (): void => {
    exchange.addTombstones = addTombstones;
  };
  return { tried: tried.promise, release };
}

it('what a round hears of the one before takes nothing that was learned after the next', async (store) => {
  const { master } = store;
  const centre = holdCentre(master);
  await store.wipe();
  const [isHeard, isLearned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let round: Promise<unknown> = Promise.resolve();
  const late = async (real: () => Promise<MarksDocument>): Promise<MarksDocument> => {
    const document = await real();
    isHeard.resolve();
    await isLearned.promise;
    return document;
  };
  await withMarks(late, async () => {
    round = running(master);
    await isHeard.promise;
    await store.wipe('second-wipe');
    await master.learn('8');
    isLearned.resolve();
  });
  await round;
  centre.release();
  await store.forgottenBy('M');
  await running(master);
  await store.holds('8');
});

it('what was on its way to the master when everything was forgotten goes, too', async (store) => {
  const slave = await store.add('S1');
  const { exchange } = store.master.recognition;
  const receive = exchange.receive.bind(exchange);
  const [isComing, isForgotten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  exchange.receive = async (templates) => {
    isComing.resolve();
    await isForgotten.promise;
    await receive(templates);
  };
  await slave.learn('7');
  await isComing.promise;
  await store.leave('S1');
  await store.wipe();
  isForgotten.resolve();
  await store.forgottenBy('M');
  await running(store.master);
  await store.holds();
});

it('no device forgets before the centre is empty: later learning and what a joiner brings stay', async (store) => {
  await store.direct('M', GIVES);
  const slave = await store.add('S1');
  await slave.learn('7');
  await running(slave);
  const centre = holdCentre(store.master);
  await store.wipe();
  await centre.tried;
  await running(slave);
  assert.equal([(await storeOf(store.master)).wipe.done, itemsOf(slave)], [[], '7']);
  await store.add('S2', BOTH, { items: ['9'] });
  centre.release();
  await store.forgottenBy('M', 'S1');
  await slave.learn('8');
  await store.direct('M', BOTH);
  await store.settle();
  await store.holds('8', '9');
});

it('a device that forgot, and returns as a new board with a later backup, deletes nothing', async (store) => {
  using board = temporaryFolder();
  const first = await store.add('S1');
  await store.wipe();
  await store.forgottenBy('M', 'S1');
  await first.learn('7');
  await store.master.learn('8');
  await store.holds('7', '8');
  await store.leave('S1');
  copyLearned(store.folderOf('S1'), board.path);
  const second = await store.add('S1', BOTH, { folder: board.path });
  await running(second);
  await store.holds('7', '8');
  await store.leave('S1');
});

it('a backup of before brings nothing back', async (store) => {
  using backup = temporaryFolder();
  const first = await store.add('S1', TAKES);
  await first.learn('7');
  await store.master.learn('8');
  await until('both are here', () => itemsOf(first) === '7,8');
  await store.leave('S1');
  copyLearned(store.folderOf('S1'), backup.path);
  await store.start('S1');
  await store.wipe();
  await store.forgottenBy('M', 'S1');
  await store.leave('S1');
  copyLearned(backup.path, store.folderOf('S1'));
  assert.is(itemsOf(await store.start('S1')), '7,8');
  await store.direct('S1', BOTH);
  await store.settle();
  await store.holds();
});

/** The marks as read by a slave of a release that does not know of deletions of everything. */
async function ofEarlierRelease(real: () => Promise<MarksDocument>): Promise<MarksDocument> {
  const { wipe: all, ...known } = await real();
  return all?.devices.join() === 'M' ? { ...known, wipe: all } : known;
}

it('a slave of an earlier release is waited for, and forgets nothing learned later', async (store) => {
  const slave = await store.add('S1', TAKES);
  await slave.learn('7');
  await withMarks(ofEarlierRelease, async () => {
    await store.wipe();
    await store.forgottenBy('M');
    await store.master.learn('8');
    await until('it has what was learned', () => itemsOf(slave) === '7,8');
    await running(slave);
    const { devices, done } = (await storeOf(store.master)).wipe;
    assert.equal([devices, done], [['M', 'S1'], ['M']]);
  });
  await running(slave);
  await store.forgottenBy('M', 'S1');
  await running(store.master);
  await store.holds('8');
});

it('what a slave that does not know yet gives meanwhile goes, too', async (store) => {
  const slave = await store.add('S1', TAKES);
  await slave.learn('7');
  await withMarks(ofEarlierRelease, async () => {
    await store.wipe();
    await store.forgottenBy('M');
    await store.direct('S1', BOTH);
    await until('the master has it', () => itemsOf(store.master) === '7');
  });
  await running(slave);
  await store.forgottenBy('M', 'S1');
  await store.holds();
});

test.run();
