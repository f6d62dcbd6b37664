/** A member that raises the number of an item beyond belief: all that have followed agree, also with who joins later, and it is named. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodePart } from '../../drivers/lib/text.ts';
import { MOST_AHEAD } from '../../firmware/recognition/items/item-versions.ts';
import { subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { temporaryFolder } from '../support.ts';
import { ItemBucket, ItemLane } from './items-simulation.ts';

const test = suite('synchronisation: high numbers of items');

const LIAR = 'S9';
const ROUNDS = 3;

/** What a member says without being a Laneware. */
const say = (bucket: ItemBucket, revision: number, price: number): Promise<unknown> =>
  bucket.centre.put(
    subjectOf('items', `${encodePart(LIAR)}.0`),
    JSON.stringify({ words: [{ id: 'milk', revision, by: LIAR, item: { name: 'Milk', price } }] }),
  );

async function synchronise(bucket: ItemBucket, lanes: readonly ItemLane[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) for (const lane of lanes) await lane.round(bucket.centre);
}

const pricesOf = (lanes: readonly ItemLane[]): (number | null | undefined)[] =>
  lanes.map(({ items }) => items.find('milk')?.price);

test('a number raised by steps is believed by a later lane, and all agree on what follows', async () => {
  using folder = temporaryFolder();
  const bucket = new ItemBucket();
  const lanes = [new ItemLane(folder.path, 'M'), new ItemLane(folder.path, 'S1')];
  for (let step = 1; step <= 4; step++) {
    await say(bucket, step * MOST_AHEAD, 100 * step);
    await synchronise(bucket, lanes);
  }
  assert.equal(pricesOf(lanes), [400, 400]);
  const all = [...lanes, new ItemLane(folder.path, 'S2')];
  await synchronise(bucket, all);
  assert.equal(pricesOf(all), [400, 400, 400]);
  await all[2]?.items.patch('milk', { price: 70 });
  await synchronise(bucket, all);
  assert.equal(pricesOf(all), [70, 70, 70], 'it can still be changed by each of them');
  assert.equal(
    all.map(({ refused }) => refused),
    [[], [], []],
  );
  for (const { items } of all) await items.close();
});

test('a number jumped to by one member is taken by nobody, records or none, and is named', async () => {
  using folder = temporaryFolder();
  const bucket = new ItemBucket();
  const lanes = [new ItemLane(folder.path, 'M'), new ItemLane(folder.path, 'S1')];
  await lanes[0]?.items.put('milk', { name: 'Milk', price: 50 });
  await synchronise(bucket, lanes);
  await say(bucket, 9 * MOST_AHEAD, 1);
  const all = [...lanes, new ItemLane(folder.path, 'S2')];
  await synchronise(bucket, all);
  assert.equal(pricesOf(all), [50, 50, 50]);
  assert.equal(
    all.map(({ refused }) => refused),
    [[LIAR], [LIAR], [LIAR]],
  );
  await say(bucket, 2, 60);
  await synchronise(bucket, all);
  assert.equal(pricesOf(all), [60, 60, 60]);
  assert.equal(all[0]?.refused, [], 'a device that is sound again is not named');
  for (const { items } of all) await items.close();
});

test.run();
