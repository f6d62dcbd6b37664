/** The templates for all stores as they lie at the hub: put down, listed, taken back. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Static, TSchema } from 'typebox';
import { DOWN, downAtHub } from '../../../firmware/chain/subjects.ts';
import { problemsWith, sentence } from '../../../firmware/store/schema.ts';
import {
  CATALOGUE,
  CatalogueHead,
  type CatalogueItem,
  CataloguePart,
  checksumOf,
  keyOfPart,
  keyOfTemplate,
  PARTS,
  partOf,
} from '../../../firmware/sync/from-chain/catalogue.ts';
import { documentAt, putDocument } from '../down.ts';
import { ChainFailure, type Keys } from '../keys.ts';
import type { PackagedItem } from './package.ts';

const PLACE = { store: null, key: CATALOGUE };
/** What a message may have, with room for its headers. */
const MAX_PART_BYTES = 1_000_000;

interface Lying {
  readonly head: CatalogueHead;
  readonly items: ReadonlyMap<string, CatalogueItem>;
  /** Of the head at the hub; 0: there is none. */
  readonly sequence: number;
}

export interface Changed {
  readonly number: number;
  readonly items: number;
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
    const { head, items } = await this.#read();
    return { number: head.number, items: [...items.values()].filter(({ templates }) => templates.length > 0) };
  }

  /** Puts items down in place of what the chain has of each. @returns those that are others than before @throws {ChainFailure} */
  async put(packaged: readonly PackagedItem[]): Promise<Changed> {
    const before = await this.#read();
    const number = this.#next(before);
    const others = packaged.filter(({ item, source }) => before.items.get(item)?.source !== source);
    const items = new Map(before.items);
    for (const other of others) items.set(other.item, await this.#putItem(other, number));
    return await this.#publish(before, items, number, others.length);
  }

  /** Takes items back: they go from each store that has left them as they came. @param names null: all @throws {ChainFailure} */
  async drop(names: readonly string[] | null): Promise<Changed> {
    const before = await this.#read();
    const number = this.#next(before);
    const there = [...before.items.values()].filter(({ templates }) => templates.length > 0);
    const isThere = new Set(there.map(({ item }) => item));
    const unknown = names?.find((item) => !isThere.has(item));
    if (unknown !== undefined) throw new ChainFailure(`the chain has put down no templates of item ${unknown}`);
    const gone = there.filter(({ item }) => names === null || names.includes(item));
    const items = new Map(before.items);
    for (const each of gone) items.set(each.item, { ...each, number, source: checksumOf(''), templates: [] });
    return await this.#publish(before, items, number, gone.length);
  }

  #next({ head }: Lying): number {
    return Math.max(head.number + 1, this.#now());
  }

  async #putItem({ item, model, source, templates }: PackagedItem, number: number): Promise<CatalogueItem> {
    const named: CatalogueItem['templates'] = [];
    for await (const { named: each, bytes } of templates(number)) {
      await this.#store(keyOfTemplate(each.sha256), bytes);
      named.push(each);
    }
    return { ...{ item, number, model, source }, templates: named };
  }

  /** The head last: until it lies there, stores have what was before. */
  async #publish(
    { head, sequence }: Lying,
    items: ReadonlyMap<string, CatalogueItem>,
    number: number,
    changed: number,
  ): Promise<Changed> {
    if (changed === 0) return { number: head.number, items: 0 };
    const byPart = Map.groupBy(items.values(), ({ item }) => partOf(item));
    const parts: (string | null)[] = [];
    for (let at = 0; at < PARTS; at++) {
      const own = byPart.get(at)?.toSorted((one, other) => (one.item < other.item ? -1 : 1));
      parts.push(own === undefined ? null : await this.#putPart({ items: own }, head.parts));
    }
    const body = JSON.stringify({ format: 1, number, parts } satisfies CatalogueHead);
    await putDocument(this.#connection, this.#keys, { place: PLACE, body, on: sequence, now: this.#now() });
    await this.#sweep(parts, items);
    return { number, items: changed };
  }

  async #putPart(part: CataloguePart, present: CatalogueHead['parts']): Promise<string> {
    const text = JSON.stringify(part);
    if (Buffer.byteLength(text) > MAX_PART_BYTES)
      throw new ChainFailure('the chain has too many items for its catalogue');
    const checksum = checksumOf(text);
    if (!present.includes(checksum)) await this.#store(keyOfPart(checksum), text);
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

  async #read(): Promise<Lying> {
    const found = await documentAt(this.#connection, this.#keys, PLACE);
    const none: CatalogueHead = { format: 1, number: 1, parts: Array<null>(PARTS).fill(null) };
    if (found === null) return { head: none, items: new Map(), sequence: 0 };
    if (found.body === null)
      throw new ChainFailure(
        'what lies at the hub as the templates is not signed by this chain: somebody else writes there',
      );
    const head = parsed(CatalogueHead, found.body, 'the templates');
    const items: CatalogueItem[] = [];
    for (const checksum of head.parts) if (checksum !== null) items.push(...(await this.#partAt(checksum)).items);
    return { head, items: new Map(items.map((each) => [each.item, each])), sequence: found.sequence };
  }

  async #partAt(checksum: string): Promise<CataloguePart> {
    const manager = await jetstreamManager(this.#connection);
    const found = await manager.streams.getMessage(DOWN, { last_by_subj: downAtHub(null, keyOfPart(checksum)) });
    if (found === null || checksumOf(found.data) !== checksum)
      throw new ChainFailure(
        'a part of the templates is not at the hub: somebody changes them at this moment, or its disks have lost it',
      );
    return parsed(CataloguePart, Buffer.from(found.data).toString(), 'a part of the templates');
  }
}

/** Of what this chain has signed. @throws {ChainFailure} */
function parsed<S extends TSchema>(schema: S, text: string, what: string): Static<S> {
  const said: unknown = JSON.parse(text);
  const [problem] = problemsWith(schema, said);
  if (problem !== undefined)
    throw new ChainFailure(`${what} at the hub is of another release: ${sentence(problem, 'it')}`);
  return said as Static<S>;
}
