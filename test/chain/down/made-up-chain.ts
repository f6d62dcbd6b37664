/** A made-up chain that describes items, and a master that takes in what lies there. */
import { join } from 'node:path';
import type { Trust } from '../../../firmware/chain/trust.ts';
import { Items } from '../../../firmware/recognition/items/items.ts';
import {
  type CatalogueHead,
  type CatalogueItem,
  checksumOf,
  type Details,
  keyOfPart,
  keyOfPicture,
  PARTS,
  partOf,
} from '../../../firmware/sync/centre/catalogue.ts';
import { StoreTemplates, type StoreTemplatesOptions } from '../../../firmware/sync/centre/store-templates.ts';
import { until } from '../../support.ts';

export const TRUST: Trust = { account: `A${'B'.repeat(55)}`, signingKey: 'made-up' };
export const CLOCK = { wall: Date.now, monotonic: () => 0, bootId: 'boot' };
export const idOf = (at: number): string => `item-${at}`;

type Described = Pick<CatalogueItem, 'details' | 'next'>;

/** What lies at the chain. */
export class LyingAtChain {
  /** Parts and pictures, by their keys. */
  readonly parts = new Map<string, Buffer>();
  head = '';
  reads = 0;
  /** Of these. */
  pictureReads = 0;
  headReads = 0;

  /** @param details of all items, or of each by its place */
  put(count: number, marks: Omit<CatalogueHead, 'format' | 'parts'>, details: Described | ((at: number) => Described)) {
    const said = typeof details === 'function' ? details : () => details;
    const byPart = Map.groupBy(
      Array.from({ length: count }, (_, at) => ({ item: idOf(at), ...said(at) })),
      ({ item }) => partOf(item),
    );
    const parts = Array.from({ length: PARTS }, (_, at) => {
      const items = (byPart.get(at) ?? []).map((each) => ({
        ...{ number: 1, model: 'none', source: checksumOf(''), templates: [] },
        ...each,
      }));
      const part = Buffer.from(JSON.stringify({ items }));
      this.parts.set(keyOfPart(checksumOf(part)), part);
      return checksumOf(part);
    });
    this.head = JSON.stringify({ format: 1, ...marks, parts });
  }
}

export const saying = (number: number, price: number, wins?: Details['wins']): Details => ({
  ...{ number, item: { name: 'Chain', price } },
  ...(wins !== undefined && { wins }),
});

export function openMaster(folder: string, lying: LyingAtChain, more: Partial<StoreTemplatesOptions> = {}) {
  const items = new Items(join(folder, 'items.db'), CLOCK);
  const store = new StoreTemplates({
    path: join(folder, 'chain-templates.json'),
    reader: {
      read: async () => {
        lying.headReads += 1;
        return lying.head;
      },
    },
    link: {
      read: async (_scope, key) => {
        lying.reads += 1;
        if (key.startsWith(keyOfPicture(''))) lying.pictureReads += 1;
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
  /** A look that begins from now on has ended: the one after it begins. */
  const looked = async (): Promise<void> => {
    for (const wanted of [lying.headReads + 1, lying.headReads + 2]) {
      store.ask();
      await until('another look', () => lying.headReads >= wanted || null);
    }
  };
  return {
    items: more.items instanceof Items ? more.items : items,
    store,
    dealt,
    looked,
    [Symbol.asyncDispose]: close,
  };
}
