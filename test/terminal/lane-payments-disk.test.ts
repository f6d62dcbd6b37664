/** The payments of a store's lanes at a master whose disk is full. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { suiteNeeding } from '../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { failed } from '../support.ts';
import { seeded } from '../tools/seeded.ts';
import { kinds, missing, Store, sellMany, sold, sums } from './lane-store.ts';

const test = suiteNeeding(whyNoSmallDisk(), 'terminal: payments of a store’s lanes on a full disk');

const MINUTE = 60_000;

test('a disk that is full takes nothing, keeps what it has, and goes on when there is room', async () => {
  using disk = new SmallDisk(4);
  using store = new Store();
  store.payments = new LanePayments({ path: join(disk.path, 'lanes.db'), clock: store.clock });
  for (const lane of store.lanes) lane.sell(1000);
  await store.sendAll();
  disk.fill();
  store.clock.mono += 3 * MINUTE;
  for (const lane of store.lanes) sellMany(lane, 15, seeded(3));
  assert.match((await failed(Error, store.sendAll())).message, /full/);
  const found = await store.reconcile();
  assert.equal([missing(found), found.lanes[1]?.taken], [['LW2', 'LW3'], 1000]);
  assert.equal([...new Set(kinds(found).map(([kind]) => kind))], ['lane-missing']);
  disk.empty();
  await store.sendAll();
  assert.equal(sums(await store.reconcile()), sold(store.lanes));
  store.payments.close();
});

test.run();
