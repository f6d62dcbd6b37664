/** A file of items as somebody sends it: read, and each entry checked. */
import type { Static } from 'typebox';
import { HttpFailure, parseJson } from '../../core/http/index.ts';
import { compiled, problemsWith, sentence } from '../../core/store/index.ts';
import { ItemError } from '../items/item.ts';
import { type ItemTable, illegal, itemLinesOf } from '../items/item-csv.ts';
import { ITEMS_FILE_EXAMPLE, ItemsFile, MAX_ENTRIES } from './item-schemas.ts';
import { cleanFields, newItem } from './requests.ts';

export interface ItemFile {
  readonly kind: 'json' | 'csv';
  readonly bytes: Uint8Array;
}

export type Entries = Static<typeof ItemsFile>['items'];

/** Much faster than a check that reads the schema for each value. */
const CHECK = compiled(ItemsFile);
/** Of a document that is something else. */
const SHAPE = `; a file of items is ${JSON.stringify(ITEMS_FILE_EXAMPLE)}`;

/** @throws {HttpFailure} where it is no text */
function mustFit(file: unknown): void {
  const count = (file as { items?: unknown } | null)?.items;
  // of a list of millions nothing else is looked at
  if (Array.isArray(count) && count.length > MAX_ENTRIES)
    throw new HttpFailure('parameter', `items must have at most ${MAX_ENTRIES} entries`, { field: 'items' });
  if (CHECK.Check(file)) return;
  const [problem = { field: '', must: 'must fit what the call takes' }] = problemsWith(ItemsFile, file);
  const shape = count === undefined ? SHAPE : '';
  throw new HttpFailure('parameter', sentence(problem, 'the body') + shape, { field: problem.field });
}

const twice = (id: string, line: number | undefined): ItemError =>
  line === undefined
    ? new ItemError('IllegalFile', `the item ${id} is there twice; nothing was changed`, { item: id })
    : illegal(line, 'twice', `the item ${id} is there twice`, { item: id });

/** @param lines where each entry stands in a table @throws {HttpFailure} with the entry and its field @throws {ItemError} `IllegalFile` */
function checked(file: unknown, lines: readonly number[] = []): Entries {
  mustFit(file);
  const { items } = file as Static<typeof ItemsFile>; // it fits
  const seen = new Set<string>();
  for (const [index, { id, ...fields }] of items.entries()) {
    newItem(id, `items.${index}.id`);
    cleanFields(fields, `items.${index}.`);
    if (seen.has(id)) throw twice(id, lines[index]);
    seen.add(id);
  }
  return items;
}

const OF_AN_ENTRY = /^items\.(\d+)\.(.+)$/;

/** What is wrong with an entry, with its line: a person who corrects a table does not count entries. */
function byLine(error: unknown, lines: readonly number[]): unknown {
  if (!(error instanceof HttpFailure) || error.field === null) return error;
  const [, index = '', field = ''] = OF_AN_ENTRY.exec(error.field) ?? [];
  const line = lines[Number(index)];
  if (index === '' || line === undefined) return error;
  return illegal(line, 'value', error.message.replace(error.field, field), { field });
}

/** What a file says, and the columns of it that say nothing. */
export interface ReadFile extends Pick<ItemTable, 'unread'> {
  readonly entries: Entries;
}

/** @throws {HttpFailure} with the entry of a JSON and its field @throws {ItemError} `IllegalFile`, with the line of a CSV */
export async function readItemFile({ kind, bytes }: ItemFile): Promise<ReadFile> {
  if (kind === 'json') return { entries: checked(parseJson(Buffer.from(bytes))), unread: [] };
  const { lines: found, unread } = await itemLinesOf(bytes, MAX_ENTRIES + 1);
  const lines = found.map(({ number }) => number);
  try {
    return { entries: checked({ items: found.map(({ entry }) => entry()) }, lines), unread };
  } catch (error) {
    throw byLine(error, lines);
  }
}

/** A line of a table, and what it says. */
export interface CheckedLine {
  readonly line: number;
  readonly entry: Entries[number];
}

/** What is wrong with a line: parameters of the sentence, and the sentence. */
export type LineFault = ItemError['extra'] & { readonly detail: string };

export interface CheckedTable extends Pick<ItemTable, 'unread'> {
  readonly lines: readonly CheckedLine[];
  readonly faults: readonly LineFault[];
}

export const faultOf = ({ extra, message }: ItemError): LineFault => ({ ...extra, detail: message });

/** Line by line, so that all faults are reported at once. @throws {ItemError} `IllegalFile` where it is no table of items */
export async function checkItemTable(bytes: Uint8Array): Promise<CheckedTable> {
  const { lines: found, unread } = await itemLinesOf(bytes, MAX_ENTRIES + 1);
  const beyond = found[MAX_ENTRIES];
  if (beyond !== undefined)
    throw illegal(beyond.number, 'too-many', `a table has at most ${MAX_ENTRIES} items`, { most: MAX_ENTRIES });
  const [lines, faults, seen]: [CheckedLine[], LineFault[], Set<string>] = [[], [], new Set()];
  for (const { number, entry } of found) {
    try {
      const [one] = checked({ items: [entry()] }, [number]);
      if (one === undefined) continue;
      if (seen.has(one.id)) throw twice(one.id, number);
      seen.add(one.id);
      lines.push({ line: number, entry: one });
    } catch (error) {
      const lineError = byLine(error, [number]);
      if (!(lineError instanceof ItemError)) throw lineError;
      faults.push(faultOf(lineError));
    }
  }
  return { lines, faults, unread };
}
