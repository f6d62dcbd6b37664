/** A master that takes in what its chain says of 25,000 items, and what may happen to it meanwhile. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trust } from '../../../firmware/chain/down/trust.ts';
import { RecognitionError } from '../../../firmware/recognition/codes.ts';
import { Items } from '../../../firmware/recognition/items/items.ts';
import {
  type CatalogueHead,
  type CatalogueItem,
  checksumOf,
  type Details,
  keyOfPart,
  PARTS,
  partOf,
} from '../../../firmware/sync/master/catalogue.ts';
import { StoreTemplates, type StoreTemplatesOptions } from '../../../firmware/sync/master/store-templates.ts';
import { temporaryFolder, until } from '../../support.ts';

const test = suite('chain: a description of many items');

const MANY = 25_000;
const TRUST: Trust = { account: `A${'B'.repeat(55)}`, signingKey: 'made-up' };
const CLOCK = { wall: Date.now, monotonic: () => 0, bootId: 'boot' };
const idOf = (at: number): string => `item-${at}`;

/** What lies at the chain. */
class Lying {
  readonly parts = new Map<string, Buffer>();
  head = '';
  reads = 0;

  put(count: number, marks: Omit<CatalogueHead, 'format' | 'parts'>, details: Pick<CatalogueItem, 'details' | 'next'>) {
    const byPart = Map.groupBy(
      Array.from({ length: count }, (_, at) => idOf(at)),
      partOf,
    );
    const parts = Array.from({ length: PARTS }, (_, at) => {
      const items = (byPart.get(at) ?? []).map((item) => ({
        ...{ item, number: 1, model: 'none', source: checksumOf(''), templates: [] },
        ...details,
      }));
      const part = Buffer.from(JSON.stringify({ items }));
      this.parts.set(keyOfPart(checksumOf(part)), part);
      return checksumOf(part);
    });
    this.head = JSON.stringify({ format: 1, ...marks, parts });
  }
}

const saying = (number: number, price: number, wins?: Details['wins']): Details => ({
  ...{ number, item: { name: 'Chain', price } },
  ...(wins !== undefined && { wins }),
});

function openMaster(folder: string, lying: Lying, more: Partial<StoreTemplatesOptions> = {}) {
  const items = new Items(join(folder, 'items.db'), CLOCK);
  const store = new StoreTemplates({
    path: join(folder, 'chain-templates.json'),
    reader: { read: async () => lying.head },
    link: {
      read: async (_scope, key) => {
        lying.reads += 1;
        const data = lying.parts.get(key);
        return data === undefined ? null : { data, sequence: 1 };
      },
      onNews: () => () => undefined,
      onLine: () => () => undefined,
    },
    trust: () => TRUST,
    isMaster: () => true,
    exchange: {
      namesOf: () => [],
      tombstonesOf: () => [],
      receive: async () => undefined,
      keepTombstones: async () => undefined,
    },
    ...{ items, max: 30, model: 'none', onTaken: () => undefined, log: () => undefined },
    ...more,
  });
  store.start();
  const close = async (): Promise<void> => {
    await store.close();
    await items.close();
  };
  const dealt = (number: number) => until(`change ${number}`, () => store.state?.number === number || null);
  return { items, store, dealt, [Symbol.asyncDispose]: close };
}

test('25,000 items come in, also when the master is closed in the midst of it, and each part is read once', async () => {
  using folder = temporaryFolder();
  const lying = new Lying();
  lying.put(MANY, { number: 10, described: 10 }, { details: saying(10, 9900) });
  {
    await using master = openMaster(folder.path, lying);
    await until('some of it', () => master.items.countOfChain() > 2000 || null);
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
  const lying = new Lying();
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
  const lying = new Lying();
  lying.put(200, { number: 10, described: 10 }, { details: saying(10, 9900) });
  const items = new Items(join(folder.path, 'items.db'), CLOCK);
  let left = 20;
  const full: StoreTemplatesOptions['items'] = {
    ...{ problem: null, isOfChain: true },
    countOfChain: () => items.countOfChain(),
    ownersOf: (code) => items.ownersOf(code),
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
  assert.equal([master.store.problem, items.countOfChain()], [null, 200]);
  await items.close();
});

test.run();
