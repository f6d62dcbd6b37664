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
  keyOfPart,
  keyOfTemplate,
  PARTS,
  partOf,
} from '../../../firmware/sync/master/catalogue.ts';
import { announce, putDocument } from '../down.ts';
import { ChainFailure } from '../failures.ts';
import type { Keys } from '../keys.ts';
import { type Lying, lostOf, PLACE, readLying } from './lying.ts';
import type { PackagedItem } from './package.ts';

/** What a message may have, with room for its headers. */
const MAX_PART_BYTES = 1_000_000;

export interface Changed {
  readonly number: number;
  readonly items: number;
}

export interface PutDown extends Changed {
  /** Items of the package that the hub had lost, in part or whole, and that lie there again as they were. */
  readonly restored: number;
  /** Parts of the catalogue that the hub has lost: what they named and is in no package that is put down anew is offered no more. */
  readonly lostParts: number;
}

export class TemplateDesk {
  readonly #connection: NatsConnection;
  readonly #keys: Keys;
  readonly #now: () => number;

  /** @param now ms since 1970 */
  constructor(connection: NatsConnection, keys: Keys, now: () => number) {
    this.#connection = connection;
    this.#keys = keys;
    this.#now = now;
  }

  /** @throws {ChainFailure} */
  async list(): Promise<{ number: number; items: readonly CatalogueItem[] }> {
    const { head, items } = await this.#readWhole();
    return { number: head.number, items: [...items.values()].filter(({ templates }) => templates.length > 0) };
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
      if (known !== undefined && isAsPutDown(known, await this.#putItem(each, known.number, known.details)))
        restored += 1;
      else {
        const { details } = before.items.get(each.item) ?? {};
        items.set(each.item, await this.#putItem(each, number, details));
        others += 1;
      }
    }
    const changed = await this.#publish(before, items, number, others);
    if (restored > 0) await announce(this.#connection, PLACE);
    return { ...changed, restored, lostParts: before.lostParts };
  }

  /**
   * Says what items are sold as: names, prices, barcodes. Their templates stay as they are.
   * @returns `unknown` of the table, of which no templates are put down @throws {ChainFailure}
   */
  async describe(entries: readonly ItemEntry[]): Promise<Changed & { readonly unknown: number }> {
    const before = await this.#readWhole();
    const number = this.#next(before);
    const items = new Map(before.items);
    let [changed, unknown] = [0, 0];
    for (const { id, ...said } of entries) {
      const known = items.get(id);
      // a column that is left out says nothing
      const item = { ...known?.details?.item, ...said };
      if (known === undefined || known.templates.length === 0) unknown += 1;
      else if (!isDeepStrictEqual(known.details?.item, item)) {
        items.set(id, { ...known, details: { number, item } });
        changed += 1;
      }
    }
    return { ...(await this.#publish(before, items, number, changed)), unknown };
  }

  /** Takes items back: they go from each store that has left them as they came. @param names null: all @throws {ChainFailure} */
  async drop(names: readonly string[] | null): Promise<Changed> {
    const before = await this.#readWhole();
    const number = this.#next(before);
    const there = [...before.items.values()].filter(({ templates }) => templates.length > 0);
    const isThere = new Set(there.map(({ item }) => item));
    const unknown = names?.find((item) => !isThere.has(item));
    if (unknown !== undefined) throw new ChainFailure(`the chain has put down no templates of item ${unknown}`);
    const gone = there.filter(({ item }) => names === null || names.includes(item));
    const items = new Map(before.items);
    for (const each of gone) {
      const details = each.details === undefined ? {} : { details: { number, item: null } };
      items.set(each.item, { ...each, number, source: checksumOf(''), templates: [], ...details });
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
    details: CatalogueItem['details'],
  ): Promise<CatalogueItem> {
    const named: CatalogueItem['templates'] = [];
    for await (const { named: each, bytes } of templates(number)) {
      await this.#store(keyOfTemplate(each.sha256), bytes);
      named.push(each);
    }
    return { ...{ item, number, model, source }, templates: named, ...(details !== undefined && { details }) };
  }

  /** The head last: until it lies there, stores have what was before. */
  async #publish(
    { head, parts: present, lostParts, sequence }: Lying,
    items: ReadonlyMap<string, CatalogueItem>,
    number: number,
    changed: number,
  ): Promise<Changed> {
    if (changed === 0 && lostParts === 0) return { number: head.number, items: 0 };
    const byPart = Map.groupBy(items.values(), ({ item }) => partOf(item));
    const parts: (string | null)[] = [];
    for (let at = 0; at < PARTS; at++) {
      const own = byPart.get(at)?.toSorted((one, other) => (one.item < other.item ? -1 : 1));
      parts.push(own === undefined ? null : await this.#putPart({ items: own }, present));
    }
    const body = JSON.stringify({ format: 1, number, parts } satisfies CatalogueHead);
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
      ].map((key) => downAtHub(null, key)),
    );
    const manager = await jetstreamManager(this.#connection);
    const below = `${downAtHub(null, CATALOGUE)}.>`;
    const { state } = await manager.streams.info(DOWN, { subjects_filter: below });
    for (const subject of Object.keys(state.subjects ?? {}))
      if (!named.has(subject)) await manager.streams.purge(DOWN, { filter: subject });
  }
}

/** Whether all that an item names is among what was put down of it now. */
function isAsPutDown({ templates }: CatalogueItem, now: CatalogueItem): boolean {
  const there = new Set(now.templates.map(({ sha256 }) => sha256));
  return templates.every(({ sha256 }) => there.has(sha256));
}
