/** Names and codes of items in a store: what is set on one device reaches all of them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodePart } from '../../drivers/lib/text.ts';
import { fits, MOST_COUNTED } from '../../firmware/core/schema/index.ts';
import { ITEMS_PER_TURN } from '../../firmware/recognition/items/item-imports.ts';
import { ItemRecord, isLater, versionOf } from '../../firmware/recognition/items/item-versions.ts';
import { Items } from '../../firmware/recognition/items/items.ts';
import { replaced } from '../replaced.ts';
import { call, each, pick, temporaryFolder, until } from '../support.ts';
import { ItemBucket, ItemLane } from './items-simulation.ts';
import { BOTH, joinStore, type Lane } from './rig.ts';
import { inStore, TAKES } from './store.ts';

const test = suite('synchronisation: names, prices and barcodes of items');
const it = each(test, inStore);

const said = (lane: Lane, id: string) => {
  const item = lane.recognition.items.find(id);
  return item && [item.name, item.plu, item.price, item.barcodes.join()];
};
const put = async (lane: Lane, id: string, json: object): Promise<void> => {
  const { status, text } = await call(`${lane.url}/v1/items/${id}`, { method: 'PUT', json });
  assert.ok(status < 300, text);
};
/** As a call carries it out after the time for second thoughts. */
const remove = (lane: Lane, id: string): Promise<void> => lane.recognition.items.delete(id);
const all = (lanes: readonly Lane[], id: string, wanted: unknown) =>
  until(`${id}: ${wanted}`, () => lanes.every((lane) => JSON.stringify(said(lane, id)) === JSON.stringify(wanted)));

const APPLES = { name: 'Apples', plu: '77', price: 12_300, barcodes: ['4006381333931'] };

test('of changes made apart the higher number counts, and equal ones end the same everywhere', () => {
  const said = (revision: number, price: number) => versionOf({ id: 'a', revision, item: { price } });
  const [first, again, other] = [said(1, 5), said(2, 5), said(2, 7)];
  assert.equal([isLater(again, first), isLater(first, again)], [true, false]);
  assert.is(isLater(other, again), !isLater(again, other));
  assert.is(isLater(again, again), false);
  // as it lies on a device that has taken it
  assert.equal(versionOf({ id: 'a', revision: 2, item: { price: 5, plu: 'a', barcodes: [] } }), again);
});

it('a change with the highest number, or beyond, stops nothing, and can be changed where it is', async (store) => {
  const lane = await store.add('S1');
  const { items } = store.master.recognition;
  const { db } = items.file;
  // as an earlier release took it
  for (const [id, revision] of [
    ['most', MOST_COUNTED],
    ['beyond', Number.MAX_SAFE_INTEGER],
  ] as const) {
    await items.put(id, { name: 'Pears' });
    db.prepare('UPDATE item_versions SET revision = ? WHERE item = ?').run(BigInt(revision), id);
    await items.patch(id, { price: 5 });
    const before = items.markOf(id);
    await items.patch(id, { price: 7 });
    assert.is.not(items.markOf(id), before);
    await items.deleteAsOf(id, String(before));
    await items.applyLater([{ id, revision: 1, by: 'S9', item: null }], 'M');
    assert.is(items.get(id).price, 7);
  }
  for await (const page of items.records('M')) for (const word of page) assert.ok(fits(ItemRecord, word), word.id);
  await put(store.master, 'it5', APPLES);
  await all([store.master, lane], 'it5', ['Apples', '77', 12_300, '4006381333931']);
});

const NUMBERS = [2 ** 52, 2 ** 40, 2 ** 20 + 2];

test('a number beyond counting is refused, under any name, and the next change counts', async () => {
  using folder = temporaryFolder();
  const { centre } = new ItemBucket();
  const [one, two] = [new ItemLane(folder.path, 'S1'), new ItemLane(folder.path, 'S2')];
  await one.items.put('a', { price: 9900 });
  await one.round(centre);
  await two.round(centre);
  const publish = (words: object[], part = 0) =>
    centre.put(`$KV.laneware_items.${encodePart('S9')}.${part}`, JSON.stringify({ words }));
  const word = (revision: number, by = 'S9') => ({ id: 'a', revision, by, item: { price: 1 } });
  const rounds = async () => {
    for (const lane of [one, two, one]) await lane.round(centre);
    return [one, two].map(({ items }) => items.get('a').price);
  };
  for (const revision of NUMBERS)
    for (const by of ['S9', 'S1', 'S2', 'zzz']) {
      await publish([word(revision, by)]);
      assert.equal(await rounds(), [9900, 9900], `${revision} by ${by}`);
    }
  // no ladder, neither in one message nor in several, nor over several commits
  const ladder = Array.from({ length: 2 * ITEMS_PER_TURN + 1 }, (_, step) => word((step + 1) * 2 ** 20));
  await publish(ladder);
  for (const [part, step] of ladder.entries()) await publish([step], part + 1);
  await rounds();
  const revision = (await one.words())[0]?.revision ?? 0;
  assert.ok(revision <= 2 ** 20, String(revision));
  for (let part = 0; part <= ladder.length; part++) await publish([], part);
  // what could be counted counts, as words of him who said so
  await publish([word(revision + 2, 'S1')]);
  assert.equal(await rounds(), [1, 1]);
  assert.equal(pick(await one.words(), 'by'), ['S9']);
  await two.items.patch('a', { price: 9900 });
  await two.round(centre);
  assert.equal(await rounds(), [9900, 9900]);
  for (const { items } of [one, two]) await items.close();
});

test('thousands of changed items are read or written in parts, and sales come between', async () => {
  using folder = temporaryFolder();
  const { centre } = new ItemBucket();
  const [one, two] = [new ItemLane(folder.path, 'S1'), new ItemLane(folder.path, 'M')];
  const entries = Array.from({ length: 3000 }, (_, n) => ({ id: `i${n}`, name: 'Tea', price: n }));
  await one.items.imports.run(entries);
  await one.round(centre);
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  /** Words that were judged or put in each turn. */
  const done = new Map<number, number>();
  const note = (words: number): void => void done.set(turn, (done.get(turn) ?? 0) + words);
  const { items } = two;
  using _judged = replaced(items, 'believable', (words, witnessed) => {
    note(words.length);
    return Items.prototype.believable.call(items, words, witnessed);
  });
  const counting = Object.assign(Object.create(centre), {
    put: async (subject: string, text: string) => {
      note(JSON.parse(text).words.length);
      return await centre.put(subject, text);
    },
  });
  await two.round(counting);
  await two.items.imports.run(entries.map((entry) => ({ ...entry, price: entry.price + 1 })));
  await two.round(counting);
  isOver = true;
  const all = [...done.values()];
  assert.is(
    all.reduce((sum, words) => sum + words),
    2 * entries.length,
  );
  assert.ok(Math.max(...all) < 200, `${Math.max(...all)} in one turn`);
  for (const lane of [one, two]) await lane.items.close();
});

it('names set on one lane reach another, as do changes, deletions and returned items', async (store) => {
  const [one, other] = [await store.add('S1'), await store.add('S2')];
  const lanes = [store.master, one, other];
  await put(one, 'it5', APPLES);
  await all(lanes, 'it5', ['Apples', '77', 12_300, '4006381333931']);
  await put(other, 'it5', { ...APPLES, price: 9900 });
  await all(lanes, 'it5', ['Apples', '77', 9900, '4006381333931']);
  await remove(store.master, 'it5');
  await all(lanes, 'it5', null);
  await put(one, 'it5', { name: 'Pears' });
  await all(lanes, 'it5', ['Pears', 'it5', null, '']);
});

it('a lane that was off gets the change later, and undoes nothing set later elsewhere', async (store) => {
  await store.add('S1');
  await put(store.at('S1'), 'it5', APPLES);
  await put(store.at('S1'), 'gone', { name: 'Plums' });
  await all([store.master], 'gone', ['Plums', 'gone', null, '']);
  await store.leave('S1');
  await put(store.master, 'it5', { ...APPLES, name: 'Red apples' });
  await remove(store.master, 'gone');
  const back = await store.start('S1');
  await all([back, store.master], 'it5', ['Red apples', '77', 12_300, '4006381333931']);
  await all([back, store.master], 'gone', null);
});

it('a table that is imported again unchanged is no change, with codes as without', async (store) => {
  const { items } = store.master.recognition;
  await items.imports.run([
    { id: 'plain', name: 'Plain', price: 100 },
    { id: 'coded', name: 'Coded', price: 100, barcodes: ['X1', '4006381333931'] },
  ]);
  const marks = () => ['plain', 'coded'].map((id) => items.markOf(id));
  const before = marks();
  for (const again of ['id,price,barcodes\ncoded,100,X1|X1|4006381333931|04006381333931\n', null]) {
    const catalogue = `${store.master.url}/v1/catalogue`;
    const table = again ?? (await (await fetch(`${catalogue}?format=csv`)).text());
    const taken = await call(catalogue, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: table });
    assert.is(taken.status, 200, taken.text);
    assert.equal(marks(), before);
  }
});

it('what is said again unchanged on one lane undoes no later change of another', async (store) => {
  const away = await store.start('S1');
  const milk = { id: 'milk', by: 'S0', revision: 1, item: { name: 'Milk', price: 100, barcodes: ['X1', 'X2'] } };
  for (const { recognition, serial } of [store.master, away]) await recognition.items.applyLater([milk], serial);
  await put(store.master, 'milk', milk.item);
  await put(store.master, 'milk', milk.item);
  await away.recognition.items.patch('milk', { price: 150 });
  await joinStore(away, store.master, BOTH);
  await all([store.master, away], 'milk', ['Milk', 'milk', 150, 'X1,X2']);
});

it('a change of many codes counts once: two later changes of another lane go before it', async (store) => {
  const away = await store.start('S1');
  const milk = { id: 'milk', by: 'S0', revision: 1, item: { name: 'Milk', price: 100, barcodes: ['X1', 'X2'] } };
  for (const { recognition, serial } of [store.master, away]) await recognition.items.applyLater([milk], serial);
  const { items } = store.master.recognition;
  const revisionOf = async (id: string) => {
    for await (const words of items.records('M')) for (const word of words) if (word.id === id) return word.revision;
    return 0;
  };
  await items.patch('milk', { name: 'Milk 1', barcodes: ['X1', 'X3', 'X4'] });
  assert.is(await revisionOf('milk'), 2);
  await items.put('4006381333931', { barcodes: ['Y1', 'Y2'] });
  assert.is(await revisionOf('4006381333931'), 1);
  await items.imports.run([{ id: '4006381333931', barcodes: ['Y1', 'Y3'] }]);
  await items.delete('4006381333931');
  assert.is(await revisionOf('4006381333931'), 3);
  for (const price of [150, 160]) await away.recognition.items.patch('milk', { price });
  await joinStore(away, store.master, BOTH);
  await all([store.master, away], 'milk', ['Milk', 'milk', 160, 'X1,X2']);
});

it('a lane that only takes sends nothing', async (store) => {
  const lane = await store.add('S1', TAKES);
  await put(lane, 'own', { name: 'Own' });
  await put(store.master, 'it5', { name: 'Apples' });
  await all([lane], 'it5', ['Apples', 'it5', null, '']);
  assert.is(said(store.master, 'own'), null);
});

test.run();
