/** What lies at the hub as the templates for all stores, and what of it the hub has lost. */
import { jetstreamManager } from '@nats-io/jetstream';
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
} from '../../../firmware/sync/centre/catalogue.ts';
import { documentAt } from '../down.ts';
import { ChainFailure } from '../failures.ts';
import type { Keys } from '../keys.ts';
import { eachAtOnce } from '../stored.ts';

export const PLACE = { store: null, key: CATALOGUE };

export interface Lying {
  readonly head: CatalogueHead;
  readonly items: ReadonlyMap<string, CatalogueItem>;
  /** Checksums of the parts that are there. */
  readonly parts: ReadonlySet<string>;
  /** That the head names and that are not there: it is unknown what was in them. */
  readonly lostParts: number;
  /** Of the head at the hub; 0: there is none. */
  readonly sequence: number;
}

/** @throws {ChainFailure} where it is of another release */
export async function readLying(connection: NatsConnection, keys: Keys): Promise<Lying> {
  const found = await documentAt(connection, keys, PLACE);
  const none: CatalogueHead = { format: 1, number: 1, parts: Array<null>(PARTS).fill(null) };
  if (found === null) return { head: none, items: new Map(), parts: new Set(), lostParts: 0, sequence: 0 };
  // somebody else has written over it: as if all were lost
  if (found.body === null)
    return { head: none, items: new Map(), parts: new Set(), lostParts: PARTS, sequence: found.sequence };
  const head = parsed(CatalogueHead, found.body, 'the templates');
  const named = head.parts.filter((checksum) => checksum !== null);
  const parts = new Set<string>();
  const items = new Map<string, CatalogueItem>();
  for (const checksum of named) {
    const text = await lyingAt(connection, keyOfPart(checksum), checksum);
    if (text === null) continue;
    parts.add(checksum);
    const part = parsed(CataloguePart, text.toString(), 'a part of the templates');
    for (const each of part.items) items.set(each.item, each);
  }
  return { head, items, parts, lostParts: named.length - parts.size, sequence: found.sequence };
}

/** @returns those of which a template is not there, or is another than was put down */
export async function lostOf(connection: NatsConnection, items: readonly CatalogueItem[]): Promise<Set<string>> {
  const templates = items.flatMap(({ item, templates: named }) => named.map(({ sha256 }) => ({ item, sha256 })));
  const lost = new Set<string>();
  await eachAtOnce(templates, async ({ item, sha256 }) => {
    if (!lost.has(item) && (await lyingAt(connection, keyOfTemplate(sha256), sha256)) === null) lost.add(item);
  });
  return lost;
}

/** Null where there is nothing, or something else. */
export async function lyingAt(connection: NatsConnection, key: string, checksum: string): Promise<Buffer | null> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const found = await manager.streams.getMessage(DOWN, { last_by_subj: downAtHub(null, key) });
  return found !== null && checksumOf(found.data) === checksum ? Buffer.from(found.data) : null;
}

/** Of what this chain has signed. @throws {ChainFailure} */
function parsed<S extends TSchema>(schema: S, text: string, what: string): Static<S> {
  const said: unknown = JSON.parse(text);
  const [problem] = problemsWith(schema, said);
  if (problem !== undefined)
    throw new ChainFailure(`${what} at the hub is of another release: ${sentence(problem, 'it')}`);
  return said as Static<S>;
}
