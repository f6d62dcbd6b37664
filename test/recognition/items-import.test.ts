/** Thousands of items at once: whole or not at all, and a till's payment on the same event loop has its turn meanwhile. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SystemClock } from '../../firmware/core/host/clock.ts';
import { Items } from '../../firmware/recognition/items/items.ts';
import type { ItemEntry } from '../../firmware/recognition/model/item.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import { atEnd, pick, temporaryFolder } from '../support.ts';

const test = suite('recognition: import of items');

const CLOCK = new SystemClock(0);
const MANY = 3000;
/** Items between two turns of the event loop, at the most. */
const MOST_AT_ONCE = 200;

const entries = (count: number): ItemEntry[] =>
  Array.from({ length: count }, (_, at) => ({ id: `i${at}`, name: `Item ${at}`, price: at }));

async function withItems(work: (items: Items) => Promise<void>): Promise<void> {
  using folder = temporaryFolder();
  const items = new Items(join(folder.path, 'items.db'), CLOCK);
  await using _end = atEnd(() => items.close());
  await work(items);
}

test('while items come in others have their turn, and read none of them before all are kept', () =>
  withItems(async (items) => {
    const coming = { isOver: false };
    const done = items.imports.run(entries(MANY)).finally(() => {
      coming.isOver = true;
    });
    let turns = 0;
    for (; !coming.isOver; turns += 1) {
      const seen = items.page({}, null, 10).length;
      await turn();
      assert.ok(seen === 0 || coming.isOver, `turn ${turns} reads ${seen}`);
    }
    assert.equal(await done, { created: MANY, updated: 0 });
    assert.ok(turns >= MANY / MOST_AT_ONCE, `${turns} turns`);
    assert.is(items.get(`i${MANY - 1}`).price, MANY - 1);
  }));

test('items for which there is no room are refused as a whole, and a few find theirs', () =>
  withItems(async (items) => {
    Object.assign(items.file, { maxPages: 60 });
    const full = await items.imports.run(entries(MANY)).catch((error: unknown) => error);
    assert.is(full instanceof RecognitionError && full.codeName, 'Internal.StorageFull');
    assert.equal(items.page({}, null, 10), []);
    assert.equal(await items.imports.run(entries(2)), { created: 2, updated: 0 });
  }));

test('what is written meanwhile waits, and stays with any outcome of the import', () =>
  withItems(async (items) => {
    const broken = [...entries(MANY), { id: 'x', price: { toString: 'no price' } as unknown as number }];
    const failing = items.imports.run(broken).catch((error: unknown) => error);
    const put = items.put('own', { name: 'Apples' });
    assert.instance(await failing, Error);
    assert.is((await put).isNew, true);
    assert.equal(pick(items.page({}, null, 10), 'id'), ['own']);
    assert.equal(await items.imports.run(entries(2)), { created: 2, updated: 0 });
  }));

test('an import into a file that cannot be opened is refused', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'file'), '');
  const items = new Items(join(folder.path, 'file/items.db'), CLOCK);
  assert.ok(items.problem !== null);
  assert.instance(await items.imports.run(entries(1)).catch((error: unknown) => error), Error);
  await items.close();
});

test('a file taken away during an import is noticed before any of it is acknowledged', () =>
  withItems(async (items) => {
    const coming = items.imports.run(entries(MANY)).catch((error: unknown) => error as Error);
    await turn();
    rmSync(items.file.path);
    assert.match(((await coming) as Error).message, /^items\.db was taken away/);
    assert.is(items.find('i0'), null);
  }));

test.run();
