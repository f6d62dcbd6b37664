/** A master that takes in what its chain says of 25,000 items, and what may happen to it meanwhile. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecognitionError } from '../../../firmware/recognition/codes.ts';
import { Items } from '../../../firmware/recognition/items/items.ts';
import { PARTS } from '../../../firmware/sync/centre/catalogue.ts';
import type { StoreTemplatesOptions } from '../../../firmware/sync/centre/store-templates.ts';
import { temporaryFolder, until } from '../../support.ts';
import { CLOCK, idOf, LyingAtChain, openMaster, saying, TRUST } from './made-up-chain.ts';

const test = suite('chain: a description of many items');

const MANY = 25_000;

test('25,000 items come in, also when the master is closed in the midst of it, and each part is read once', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  lying.put(MANY, { number: 10, described: 10 }, { details: saying(10, 9900) });
  {
    await using master = openMaster(folder.path, lying);
    await until('some of it', () => master.items.countOfChain().items > 2000 || null);
  }
  const before = lying.reads;
  assert.ok(before < PARTS);
  await using master = openMaster(folder.path, lying);
  await master.dealt(10);
  assert.equal(master.store.state?.description, { number: 10, items: MANY, kept: 0, barcodes: 0 });
  // the part that it was closed in is read again, and no other
  assert.ok(lying.reads <= PARTS + 1, String(lying.reads));
  await master.items.patch(idOf(7), { name: 'Ours' });
  assert.is(master.store.state?.description.kept, 1);
});

test('a store that comes into the ring and goes out of it has what it is to have; the same ring is no work', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  const both = { details: saying(10, 9900), next: saying(20, 8900, ['price']) };
  const ring = (stores: string[]) => ({ described: 10, ring: { number: 20, below: 0, stores } });
  await using master = openMaster(folder.path, lying);
  const priceAfter = async (number: number, stores: string[]) => {
    lying.put(200, { number, ...ring(stores) }, both);
    master.store.ask();
    await master.dealt(number);
    const { price, fixed } = master.items.get(idOf(3));
    return [price, fixed, master.store.state?.description.number];
  };
  assert.equal(await priceAfter(20, []), [9900, [], 10]);
  assert.equal(await priceAfter(21, [TRUST.account]), [8900, ['price'], 20]);
  const { reads } = lying;
  assert.equal(await priceAfter(22, [TRUST.account, `A${'C'.repeat(55)}`]), [8900, ['price'], 20]);
  assert.is(lying.reads, reads);
  // taken back, as `templates stop` puts it down
  lying.put(200, { number: 30, described: 10 }, { details: saying(30, 9900) });
  master.store.ask();
  await master.dealt(30);
  assert.equal([master.items.get(idOf(3)).price, master.items.get(idOf(3)).fixed], [9900, []]);
});

test('a disk that is full is reported, nothing counts as taken by then, and it goes on when there is room', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  lying.put(200, { number: 10, described: 10 }, { details: saying(10, 9900) });
  const items = new Items(join(folder.path, 'items.db'), CLOCK);
  let left = 20;
  const full: StoreTemplatesOptions['items'] = {
    ...{ problem: null, isOfChain: true },
    wantsChainPicture: async () => false,
    takeChainPictures: async () => undefined,
    countOfChain: () => items.countOfChain(),
    takeOfChain: async (...said) => {
      if (left-- <= 0) throw new RecognitionError('storageFull', 'the disk is full');
      return await items.takeOfChain(...said);
    },
  };
  await using master = openMaster(folder.path, lying, { items: full });
  assert.match(await until('the problem', () => master.store.problem), 'the disk is full');
  assert.is(master.store.state?.number, 0);
  left = Number.POSITIVE_INFINITY;
  master.store.ask();
  await master.dealt(10);
  assert.equal([master.store.problem, items.countOfChain().items], [null, 200]);
  await items.close();
});

test.run();
