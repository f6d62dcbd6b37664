/** A file of items as somebody sends it: read, and each entry checked. */
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseJson } from '../../../http/body.ts';
import { HttpFailure } from '../../../http/failure.ts';
import { problemsWith, sentence } from '../../../store/schema.ts';
import { ItemError } from '../../items/item.ts';
import { readItems } from '../../items/item-csv.ts';
import { cleanItem } from '../requests.ts';
import { ItemsFile, MAX_ENTRIES } from './schemas.ts';

export interface ItemFile {
  readonly kind: 'json' | 'csv';
  readonly bytes: Uint8Array;
}

export type Entries = Static<typeof ItemsFile>['items'];

/** Much faster than a check that reads the schema for each value. */
const CHECK = Compile(ItemsFile);

/** @throws {HttpFailure} as a text that is none tells it */
function mustFit(file: unknown): void {
  // of a list of millions nothing else is looked at
  const count = (file as { items?: unknown } | null)?.items;
  if (Array.isArray(count) && count.length > MAX_ENTRIES)
    throw new HttpFailure('parameter', `items must have at most ${MAX_ENTRIES} entries`, { field: 'items' });
  if (CHECK.Check(file)) return;
  const [problem = { field: '', must: 'must fit what the call takes' }] = problemsWith(ItemsFile, file);
  throw new HttpFailure('parameter', sentence(problem, 'the body'), { field: problem.field });
}

function parsed({ kind, bytes }: ItemFile): unknown {
  return kind === 'csv' ? { items: readItems(bytes, MAX_ENTRIES + 1) } : parseJson(Buffer.from(bytes));
}

/** @throws {HttpFailure} with the entry and its field @throws {ItemError} `IllegalFile` */
export function readItemFile(sent: ItemFile): Entries {
  const file = parsed(sent);
  mustFit(file);
  const { items } = file as Static<typeof ItemsFile>; // it fits
  const seen = new Set<string>();
  for (const [index, { id, name, plu }] of items.entries()) {
    cleanItem(id, `items.${index}.id`);
    cleanItem(name ?? '', `items.${index}.name`);
    cleanItem(plu ?? '', `items.${index}.plu`);
    if (seen.has(id))
      throw new ItemError('IllegalFile', `the item ${id} is there twice; nothing was changed`, { item: id });
    seen.add(id);
  }
  return items;
}
