/** The templates for all stores as they lie at the hub: put down, listed, taken back. */
import { isDeepStrictEqual } from 'node:util';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DOWN, downAtHub } from '../../../firmware/chain/subjects.ts';
import type { ItemEntry } from '../../../firmware/recognition/items/item.ts';
import {
  CATALOGUE,
  type CatalogueHead,
  type CatalogueItem,
  type CataloguePart,
  checksumOf,
  type DescribedField,
  keyOfPart,
  keyOfPicture,
  keyOfTemplate,
  PARTS,
  partOf,
  placeOfStore,
  type Ring,
} from '../../../firmware/sync/centre/catalogue.ts';
import { announce, putDocument } from '../down.ts';
import { ChainFailure } from '../failures.ts';
import type { Keys } from '../keys.ts';
import { lineAmong } from '../rollout/decide.ts';
import { eachAtOnce } from '../stored.ts';
import { type Lying, lostOf, lyingAt, PLACE, readLying } from './lying.ts';
import type { PackagedItem } from './package.ts';
import type { Pictures } from './pictures.ts';

/** What a message may have, with room for its headers. */
const MAX_PART_BYTES = 1_000_000;
const ALL = 100;
/** What an item without templates was made of. */
const NO_TEMPLATES = checksumOf('');

/** Stores that a description goes to: a share of those that are heard, drawn as for a release, and named ones. */
export interface Aim {
  /** 100: all stores. */
  readonly percent: number;
  /** Public keys of their accounts. */
  readonly accounts: readonly string[];
}

interface Changed {
  readonly number: number;
  readonly items: number;
}

interface PutDown extends Changed {
  /** Items of the package that the hub had lost, in part or whole, and that lie there again as they were. */
  readonly restored: number;
  /** Parts of the catalogue that the hub has lost: what they named and is in no package that is put down anew is offered no more. */
  readonly lostParts: number;
}

export class TemplateDesk {
  readonly #connection: NatsConnection;
  readonly #keys: Keys;
  readonly #now: () => number;
  readonly #heard: () => Promise<readonly string[]>;

  /** @param now ms since 1970 @param heard accounts of stores whose master is heard, and takes a description by rings */
  constructor(connection: NatsConnection, keys: Keys, now: () => number, heard: () => Promise<readonly string[]>) {
    this.#connection = connection;
    this.#keys = keys;
    this.#now = now;
    this.#heard = heard;
  }

  /** @throws {ChainFailure} */
  async list(): Promise<{ head: CatalogueHead; items: readonly CatalogueItem[] }> {
    const { head, items } = await this.#readWhole();
    return { head, items: [...items.values()].filter(isThere) };
  }

  /**
   * Puts items down in place of what the chain has of each, and again what the hub has lost of those that have not changed.
   * @returns `items` that are others than before @throws {ChainFailure}
   */
  async put(packaged: readonly PackagedItem[]): Promise<PutDown> {
    const before = await readLying(this.#connection, this.#keys);
    const number = this.#next(before);
    const same = new Map<string, CatalogueItem>();
    for (const { item, source } of packaged) {
      const known = before.items.get(item);
      if (known?.source === source) same.set(item, known);
    }
    const lost = await lostOf(this.#connection, [...same.values()]);
    const items = new Map(before.items);
    let [others, restored] = [0, 0];
    for (const each of packaged) {
      const known = same.get(each.item);
      if (known !== undefined && !lost.has(each.item)) continue;
      // under the number that it has, it is no change to any store; one that an earlier release has packed otherwise is one
      if (known !== undefined && isAsPutDown(known, await this.#putItem(each, known.number, known))) restored += 1;
      else {
        items.set(each.item, await this.#putItem(each, number, before.items.get(each.item)));
        others += 1;
      }
    }
    const changed = await this.#publish(before, items, number, others);
    if (restored > 0) await announce(this.#connection, PLACE);
    return { ...changed, restored, lostParts: before.lostParts };
  }

  /**
   * Says what items are sold as: names, prices, barcodes. Their templates stay as they are; an item needs none. Stores that it
   * does not go to keep what they have, until it is widened to all or taken back.
   * @param wins fields that go before those of the stores; left out: as before, of each item
   * @param pictures all that the items of the table are to have; left out: as before, of each item
   * @returns `stored` pictures that the hub did not have @throws {ChainFailure}
   */
  async describe(
    entries: readonly ItemEntry[],
    aim: Aim,
    wins?: readonly DescribedField[],
    pictures?: Pictures,
  ): Promise<Changed & { readonly stored: number }> {
    const before = await this.#readWhole();
    if (before.head.ring !== undefined)
      throw new ChainFailure(
        `description ${before.head.ring.number} is with some stores alone: scripts/chain.sh templates widen --ring 100 puts it down for all, templates stop takes it back`,
      );
    const number = this.#next(before);
    const ring = await this.#ringOf({ number, below: 0, stores: [] }, aim);
    const items = new Map(before.items);
    let changed = 0;
    const shown = new Map<string, Uint8Array>();
    for (const { id, ...said } of entries) {
      const known = items.get(id) ?? { item: id, number, source: NO_TEMPLATES, templates: [] };
      // a column that is left out says nothing
      const item = { ...known.details?.item, ...said };
      const won = known.details?.wins ?? [];
      const now = [...(wins ?? won)];
      const given = pictures?.get(id);
      const picture = pictures === undefined ? known.details?.picture : given && checksumOf(given);
      if (picture !== undefined && given !== undefined) shown.set(picture, given);
      if (isDeepStrictEqual([known.details?.item, won, known.details?.picture], [item, now, picture])) continue;
      const marked = { ...(now.length > 0 && { wins: now }), ...(picture !== undefined && { picture }) };
      items.set(id, { ...known, [ring === null ? 'details' : 'next']: { number, item, ...marked } });
      changed += 1;
    }
    const stored = await this.#storePictures(shown);
    const marks = ring === null ? { described: number } : { ...before.head, ring };
    const published = await this.#publish(before, items, number, changed, marks);
    if (changed === 0 && stored > 0) await announce(this.#connection, PLACE);
    return { ...published, stored };
  }

  /** Those that the hub has not, or has lost. @param pictures by their checksums @returns how many */
  async #storePictures(pictures: ReadonlyMap<string, Uint8Array>): Promise<number> {
    let stored = 0;
    await eachAtOnce([...pictures], async ([checksum, jpeg]) => {
      const key = keyOfPicture(checksum);
      if ((await lyingAt(this.#connection, key, checksum)) !== null) return;
      await this.#store(key, jpeg);
      stored += 1;
    });
    return stored;
  }

  /** Takes the description that is with some stores to more of them, never to fewer. @returns whether all have it now @throws {ChainFailure} */
  async widen(aim: Aim): Promise<boolean> {
    const before = await this.#readWhole();
    const present = ringIn(before);
    const ring = await this.#ringOf(present, aim);
    const items = new Map(before.items);
    for (const [id, { next, ...item }] of items)
      if (ring === null && next !== undefined) items.set(id, { ...item, details: next });
    const marks = ring === null ? { described: present.number } : { ...before.head, ring };
    await this.#publish(before, items, this.#next(before), items.size, marks);
    return ring === null;
  }

  /** Takes it back: stores that have it get what all others have, as a change after it. @throws {ChainFailure} */
  async stop(): Promise<Changed> {
    const before = await this.#readWhole();
    ringIn(before);
    const number = this.#next(before);
    const items = new Map(before.items);
    const described = [...items].filter(([, { next }]) => next !== undefined);
    for (const [id, { next: _, ...item }] of described)
      items.set(id, { ...item, details: { item: null, ...item.details, number } });
    const { ring: _, ...marks } = before.head;
    return await this.#publish(before, items, number, described.length, marks);
  }

  /** Null: all stores. @throws {ChainFailure} */
  async #ringOf({ number, below, stores }: Ring, { percent, accounts }: Aim): Promise<Ring | null> {
    if (percent >= ALL) return null;
    const drawn = percent === 0 ? [] : await this.#heard();
    if (percent > 0 && drawn.length === 0)
      throw new ChainFailure(
        'no master that takes a description by rings has been heard: scripts/chain.sh devices lists those that are there',
      );
    const places = drawn.map((account) => placeOfStore(number, account));
    const line = percent === 0 ? 0 : lineAmong(places, percent);
    return { number, below: Math.max(below, line), stores: [...new Set([...stores, ...accounts])] };
  }

  /** Takes items back: they go from each store that has left them as they came. @param names null: all @throws {ChainFailure} */
  async drop(names: readonly string[] | null): Promise<Changed> {
    const before = await this.#readWhole();
    const number = this.#next(before);
    const there = [...before.items.values()].filter(isThere);
    const known = new Set(there.map(({ item }) => item));
    const unknown = names?.find((item) => !known.has(item));
    if (unknown !== undefined) throw new ChainFailure(`the chain has put down nothing of item ${unknown}`);
    const gone = there.filter(({ item }) => names === null || names.includes(item));
    const items = new Map(before.items);
    for (const { next, ...each } of gone) {
      const details = (each.details ?? next) === undefined ? {} : { details: { number, item: null } };
      items.set(each.item, { ...each, number, source: NO_TEMPLATES, templates: [], ...details });
    }
    return await this.#publish(before, items, number, gone.length);
  }

  /** @throws {ChainFailure} */
  async #readWhole(): Promise<Lying> {
    const lying = await readLying(this.#connection, this.#keys);
    if (lying.lostParts === 0) return lying;
    throw new ChainFailure(
      'a part of the templates is not at the hub: unless they are being changed at this moment, its disks have lost it, or somebody else has written over it. scripts/chain.sh templates put, with each package that was put down, puts down what is missing',
    );
  }

  #next({ head }: Lying): number {
    return Math.max(head.number + 1, this.#now());
  }

  async #putItem(
    { item, model, source, templates }: PackagedItem,
    number: number,
    known: Pick<CatalogueItem, 'details' | 'next'> = {},
  ): Promise<CatalogueItem> {
    const named: CatalogueItem['templates'] = [];
    for await (const { named: each, bytes } of templates(number)) {
      await this.#store(keyOfTemplate(each.sha256), bytes);
      named.push(each);
    }
    const { details, next } = known;
    return {
      ...{ item, number, model, source },
      templates: named,
      ...(details !== undefined && { details }),
      ...(next !== undefined && { next }),
    };
  }

  /** The head last: until it lies there, stores have what was before. @param marks of the head: which description is for whom */
  async #publish(
    { head, parts: present, lostParts, sequence }: Lying,
    items: ReadonlyMap<string, CatalogueItem>,
    number: number,
    changed: number,
    { described, ring }: Pick<CatalogueHead, 'described' | 'ring'> = head,
  ): Promise<Changed> {
    if (changed === 0 && lostParts === 0) return { number: head.number, items: 0 };
    const byPart = Map.groupBy(items.values(), ({ item }) => partOf(item));
    const parts: (string | null)[] = [];
    for (let at = 0; at < PARTS; at++) {
      const own = byPart.get(at)?.toSorted((one, other) => (one.item < other.item ? -1 : 1));
      parts.push(own === undefined ? null : await this.#putPart({ items: own }, present));
    }
    // of items that were taken back nothing is left to be widened
    const isOpen = [...items.values()].some(({ next }) => next !== undefined);
    const marks = { ...(described !== undefined && { described }), ...(isOpen && ring !== undefined && { ring }) };
    const pictured = (head.pictured || picturesOf(items).length > 0) && { pictured: true as const };
    const body = JSON.stringify({ format: 1, number, ...marks, parts, ...pictured } satisfies CatalogueHead);
    await putDocument(this.#connection, this.#keys, { place: PLACE, body, on: sequence, now: this.#now() });
    await this.#sweep(parts, items);
    return { number, items: changed };
  }

  async #putPart(part: CataloguePart, present: ReadonlySet<string>): Promise<string> {
    const text = JSON.stringify(part);
    if (Buffer.byteLength(text) > MAX_PART_BYTES)
      throw new ChainFailure('the chain has too many items for its catalogue');
    const checksum = checksumOf(text);
    if (!present.has(checksum)) await this.#store(keyOfPart(checksum), text);
    return checksum;
  }

  async #store(key: string, data: string | Uint8Array): Promise<void> {
    await jetstream(this.#connection).publish(downAtHub(null, key), data);
  }

  /** Takes away what no head names any more, what a command that was cut off has left among it. */
  async #sweep(parts: CatalogueHead['parts'], items: ReadonlyMap<string, CatalogueItem>): Promise<void> {
    const named = new Set(
      [
        ...parts.flatMap((checksum) => (checksum === null ? [] : [keyOfPart(checksum)])),
        ...[...items.values()].flatMap(({ templates }) => templates.map(({ sha256 }) => keyOfTemplate(sha256))),
        ...picturesOf(items).map(keyOfPicture),
      ].map((key) => downAtHub(null, key)),
    );
    const manager = await jetstreamManager(this.#connection);
    const below = `${downAtHub(null, CATALOGUE)}.>`;
    const { state } = await manager.streams.info(DOWN, { subjects_filter: below });
    for (const subject of Object.keys(state.subjects ?? {}))
      if (!named.has(subject)) await manager.streams.purge(DOWN, { filter: subject });
  }
}

/** Whether it is not taken back from all stores. */
const isThere = ({ templates, details, next }: CatalogueItem): boolean =>
  templates.length > 0 || [details, next].some((said) => (said?.item ?? null) !== null);

/** Checksums of the pictures that are named, in a ring too. */
const picturesOf = (items: ReadonlyMap<string, CatalogueItem>): string[] =>
  [...items.values()].flatMap(({ details, next }) => [details, next].flatMap((each) => each?.picture ?? []));

/** @throws {ChainFailure} where no description is with some stores alone */
function ringIn({ head }: Lying): Ring {
  if (head.ring !== undefined) return head.ring;
  throw new ChainFailure(
    'no description is with some stores alone: scripts/chain.sh templates describe --ring begins one',
  );
}

/** Whether all that an item names is among what was put down of it now. */
function isAsPutDown({ templates }: CatalogueItem, now: CatalogueItem): boolean {
  const there = new Set(now.templates.map(({ sha256 }) => sha256));
  return templates.every(({ sha256 }) => there.has(sha256));
}
