/** What an item sells as, its id and price, carries a checksum: a card that changes it is found by it, and nothing is refused. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { Items } from '../../firmware/recognition/items/items.ts';
import { StillClock } from '../still-clock.ts';
import { each, temporaryFolder, until } from '../support.ts';
import { startRig } from './support.ts';

const test = suite('recognition: checksums of what sells');

const it = each<[path: string, folder: string]>(test, (run) => async () => {
  using folder = temporaryFolder();
  await run(join(folder.path, 'items.db'), folder.path);
});
const DAY_MS = 24 * 3_600_000;

/** As a card does it, which tells no trigger. */
function changeBehind(path: string, sql: string): void {
  using db = openFile(path);
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(String(trigger.sql));
}

async function on<T>(path: string, work: (items: Items, clock: StillClock) => Promise<T> | T): Promise<T> {
  const clock = new StillClock();
  const items = new Items(path, clock);
  try {
    return await work(items, clock);
  } finally {
    await items.close();
    assert.is(clock.waiting, 0);
  }
}

const damagedIn = (items: Items): readonly string[] => items.file.sums.damaged;

it('a price that the card has changed is found as it is read, and said again is right again', async (path) => {
  await on(path, async (items) => {
    await items.put('a', { name: 'Apple', price: 12_900 });
    await items.put('b', { name: 'Bread', price: 5_000 });
    await items.put('c', { name: 'Cake', price: null });
    changeBehind(path, "UPDATE items SET price = 900 WHERE id = 'a'");
    assert.equal(damagedIn(items), []);
    assert.is(items.find('a')?.price, 900, 'it is refused nobody');
    for (const id of ['b', 'c']) items.get(id);
    assert.equal(damagedIn(items), ['a']);
    await items.patch('a', { name: 'Apples' });
    assert.equal(damagedIn(items), ['a'], 'nobody has said the price');
    await items.patch('a', { price: 12_900 });
    items.page({}, null, 10);
    assert.equal(damagedIn(items), []);
  });
});

it('a checksum changed by the card is mended by the next statement of the same price', async (path) => {
  await on(path, async (items) => {
    await items.put('a', { name: 'Apple', price: 12_900 });
    changeBehind(path, 'UPDATE items SET selling_sum = 7');
    items.page({}, null, 10);
    assert.equal(damagedIn(items), ['a']);
    await items.imports.run([{ id: 'a', price: 12_900 }]);
    items.get('a');
    assert.equal(damagedIn(items), []);
  });
});

it('an item that is damaged and deleted is reported no more', async (path) => {
  await on(path, async (items) => {
    await items.put('a', { price: 12_900 });
    changeBehind(path, 'UPDATE items SET price = 1');
    items.get('a');
    await items.delete('a');
    assert.equal(damagedIn(items), []);
  });
});

it('all of them are looked at after the start and once a day', async (path) => {
  await on(path, (items) => items.imports.run(Array.from({ length: 1200 }, (_, n) => ({ id: `item-${n}`, price: n }))));
  changeBehind(path, "UPDATE items SET price = price + 65536 WHERE id = 'item-1100'");
  await on(path, async (items, clock) => {
    items.checkDaily(clock);
    await until('the first look', () => damagedIn(items).length === 1);
    assert.equal(damagedIn(items), ['item-1100']);
    changeBehind(path, "UPDATE items SET price = price + 65536 WHERE id = 'item-7'");
    clock.go(DAY_MS);
    await until('the next look', () => damagedIn(items).length === 2);
    assert.equal([...damagedIn(items)].sort(), ['item-1100', 'item-7']);
  });
});

it('a bit that turns over in the file is named by /health, as long as it is so', async (path, folder) => {
  await on(path, async (items) => {
    await items.put('4011', { name: 'Bananas', price: 0x12_34_56 });
    await items.put('4012', { name: 'Lemons', price: 100 });
  });
  const bytes = readFileSync(path);
  const at = bytes.indexOf(Buffer.from([0x12, 0x34, 0x56]));
  bytes[at] = 0x13;
  writeFileSync(path, bytes);
  await using rig = await startRig({ folder });
  const { state, reason } = await until('the first look', async () => {
    const part = await rig.part('items');
    return part.state === 'ok' ? null : part;
  });
  assert.is(state, 'degraded');
  assert.match(reason, /4011/);
  assert.not.match(reason, /4012/);
  assert.is((await rig.get('/v1/items/4011')).body.price, 0x13_34_56);
});

test.run();
