/** What counts as kept of the centre's files, and when the master syncs them. */
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StoreKeeper } from '../../firmware/sync/centre/store-keeper.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('synchronisation: what is kept on the disk of the master');

const at = (last: number, created = 'first') => ({ created, last });

test('a number counts as kept when all has been there for a while and was synced then', async () => {
  using folder = temporaryFolder();
  const keeper = new StoreKeeper(folder.path, 5000);
  assert.is(keeper.flushed, null);
  keeper.record(at(7), 1000);
  assert.equal([keeper.flushed, keeper.due(1000), keeper.due(5999)], [at(0), 5000, 1]);
  assert.is(await keeper.flush(5999), false);
  keeper.record(at(9), 4000); // came later: it is the next one's
  assert.is(await keeper.flush(6000), true);
  assert.equal([keeper.flushed, keeper.due(6000)], [at(7), null]);
  assert.is(await keeper.flush(6000), false);
  keeper.record(at(9), 6000);
  assert.is(keeper.due(6000), 5000);
  keeper.record(at(2, 'second'), 7000);
  assert.equal([keeper.flushed, keeper.due(7000)], [at(0, 'second'), 5000]);
});

test('a bucket that went back is waited for anew', async () => {
  using folder = temporaryFolder();
  const keeper = new StoreKeeper(folder.path, 5000);
  keeper.record(at(7), 0);
  keeper.record(at(5), 4000);
  assert.is(keeper.due(4000), 5000);
});

test('files that come and go are no failure; one that cannot be synced is reported and retried', async () => {
  using folder = temporaryFolder();
  const block = join(folder.path, '1.blk');
  const keeper = new StoreKeeper(folder.path, 10);
  writeFileSync(block, 'one');
  keeper.record(at(1), 0);
  assert.is(await keeper.flush(10), true);
  appendFileSync(block, 'two');
  rmSync(block);
  keeper.record(at(2), 20);
  assert.is(await keeper.flush(30), true);
  assert.is(existsSync(block), false);
  const none = new StoreKeeper(join(folder.path, 'not', 'there'), 10);
  none.record(at(1), 0);
  assert.is(await none.flush(10), true);
});

test.run();
