/**
 * Reads a sent file of items and checks each entry, in three steps: `fileFindings`, then `checkedFile` gathers them, then
 * `entriesOf` refuses the file for its first fault.
 */
import type { Static } from 'typebox';
import { HttpFailure, parseJson } from '../../../core/http/index.ts';
import { compiled, problemsWith, sentence } from '../../../core/schema/index.ts';
import { type FirstPrice, type ItemLine, illegal, itemLinesOf, type PriceUnit } from '../../items/item-csv.ts';
import { ItemError } from '../../model/item.ts';
import { newItem } from '../item-id.ts';
import { cleanFields, documentFields, documentId } from './item-fields.ts';
import { ITEMS_FILE_EXAMPLE, ItemsFile, MAX_ENTRIES } from './item-schemas.ts';

export interface ItemFile {
  readonly kind: 'json' | 'csv';
  readonly bytes: Uint8Array;
  /** Unit of its prices; null where the call does not say. */
  readonly prices: PriceUnit | null;
}

export type Entries = Static<typeof ItemsFile>['items'];

const ENTRY = ItemsFile.properties.items.items;
/** Compiled: much faster than a check that reads the schema for each value. */
const CHECK = compiled(ItemsFile);
const ENTRY_CHECK = compiled(ENTRY);
/** The hint for a document of another form. */
const SHAPE = `; a file of items is ${JSON.stringify(ITEMS_FILE_EXAMPLE)}`;

/** @throws {HttpFailure} where the file has another form */
function requireFitting(file: unknown): void {
  const items = (file as { items?: unknown } | null)?.items;
  // first, so that the schema need not be checked for a list of millions
  if (Array.isArray(items) && items.length > MAX_ENTRIES)
    throw new HttpFailure('parameter', `items must have at most ${MAX_ENTRIES} entries`, { field: 'items' });
  if (CHECK.fits(file)) return;
  const [problem = { field: '', must: 'must fit what the call takes' }] = problemsWith(ItemsFile, file);
  const shape = items === undefined ? SHAPE : '';
  throw new HttpFailure('parameter', sentence(problem, 'the body') + shape, { field: problem.field });
}

/** A document with its texts read as the cells of a table are. @throws {HttpFailure} with the entry and its field */
function normalised(file: unknown): unknown {
  requireFitting(file);
  const { items } = file as Static<typeof ItemsFile>; // it fits
  return {
    items: items.map(({ id, ...fields }, index) => ({
      id: documentId(id, `items.${index}.id`),
      ...documentFields(fields, `items.${index}.`),
    })),
  };
}

/** The entries of a document. @throws {HttpFailure} with the entry and its field */
function checkedEntries(file: unknown): Entries {
  requireFitting(file);
  const { items } = file as Static<typeof ItemsFile>; // it fits
  for (const [index, entry] of items.entries()) requireItem(entry, `items.${index}.`);
  return items;
}

/** @param at path of the entry, with a dot at its end, or nothing @throws {HttpFailure} with the field */
function requireItem({ id, ...fields }: Entries[number], at: string): void {
  newItem(id, `${at}id`);
  cleanFields(fields, at);
}

/** The entry of a line of a table. @throws {HttpFailure} with its field */
function checkedEntry(entry: unknown): Entries[number] {
  if (!ENTRY_CHECK.fits(entry)) {
    const [problem = { field: '', must: 'must fit what the call takes' }] = problemsWith(
      ItemsFile.properties.items.items,
      entry,
    );
    throw new HttpFailure('parameter', sentence(problem, 'the line'), { field: problem.field });
  }
  requireItem(entry, '');
  return entry;
}

/** A line of a table or an entry of a document, with its content. */
export interface CheckedLine {
  /** Number of the line in a table; index of the entry in a document. */
  readonly line: number;
  readonly entry: Entries[number];
}

/** The fault of a line: the parameters of the sentence, and the sentence. */
export type LineFault = ItemError['more'] & { readonly detail: string };
export const faultOf = ({ more, message }: ItemError): LineFault => ({ ...more, detail: message });

/** A finding in a file, in the file's order: a line, its fault, an ignored column or sheet, or the first price. */
export type FileFinding = CheckedLine | { readonly fault: LineFault } | { readonly unread: string } | FirstPrice;

/** The fault of a line with the line's number, because a person who corrects a table does not count entries. */
function lineError(error: unknown, line: number): unknown {
  if (!(error instanceof HttpFailure) || error.field === null || error.field === '') return error;
  return illegal(line, 'value', error.message, { field: error.field });
}

function findingOf({ number, entry: read }: ItemLine, seen: Set<string>): FileFinding {
  try {
    const entry = checkedEntry(read());
    if (seen.has(entry.id)) throw illegal(number, 'twice', `the item ${entry.id} is there twice`, { item: entry.id });
    seen.add(entry.id);
    return { line: number, entry };
  } catch (cause) {
    const error = lineError(cause, number);
    if (error instanceof ItemError) return { fault: faultOf(error) };
    throw error;
  }
}

/**
 * Reads line by line, so that all faults are reported at once.
 * @throws {ItemError} `IllegalFile` where it is no table of items
 */
async function* tableFindings({ bytes, prices }: ItemFile): AsyncGenerator<FileFinding> {
  const seen = new Set<string>();
  let count = 0;
  for await (const line of itemLinesOf(bytes, prices)) {
    if (!('entry' in line)) yield line;
    else {
      count += 1;
      if (count > MAX_ENTRIES)
        throw illegal(line.number, 'too-many', `a table has at most ${MAX_ENTRIES} items`, { most: MAX_ENTRIES });
      yield findingOf(line, seen);
    }
  }
}

/** @throws {HttpFailure} with the entry of a JSON and its field @throws {ItemError} `IllegalFile` */
export async function* fileFindings(file: ItemFile): AsyncGenerator<FileFinding> {
  if (file.kind === 'csv') yield* tableFindings(file);
  else {
    if (file.prices === 'roubles')
      throw new HttpFailure('parameter', 'prices is of a table: in a document each price is in kopecks', {
        field: 'prices',
      });
    const seen = new Set<string>();
    // checked twice: as it was sent, so that its texts can be read, and as they were read; a table's cells come read
    const entries = checkedEntries(normalised(parseJson(Buffer.from(file.bytes))));
    for (const [at, entry] of entries.entries()) {
      const { id } = entry;
      if (seen.has(id))
        throw new ItemError('IllegalFile', `the item ${id} is there twice; nothing was changed`, { item: id });
      seen.add(id);
      yield { line: at, entry };
    }
  }
}

/** The entries of a file, and its ignored columns and sheets. */
export interface ReadFile {
  readonly entries: Entries;
  readonly unread: readonly string[];
}

/** A file with the faults of its lines, as a check answers it. */
export interface CheckedFile extends Pick<ReadFile, 'unread'> {
  readonly lines: readonly CheckedLine[];
  readonly faults: readonly LineFault[];
  /** The first price, where there is one. */
  readonly price: FirstPrice | null;
}

/** Gathers the findings of a file. */
export async function checkedFile(found: AsyncIterable<FileFinding>): Promise<CheckedFile> {
  const lines: CheckedLine[] = [];
  const faults: LineFault[] = [];
  const unread: string[] = [];
  let price: FirstPrice | null = null;
  for await (const each of found) {
    if ('entry' in each) lines.push(each);
    else if ('fault' in each) faults.push(each.fault);
    else if ('unread' in each) unread.push(each.unread);
    else price = each;
  }
  return { lines, faults, unread, price };
}

/** @throws {ItemError} `IllegalFile` for the first fault */
export function entriesOf({ lines, faults, unread }: CheckedFile): ReadFile {
  const [first] = faults;
  if (first !== undefined) {
    const { detail, ...extra } = first;
    throw new ItemError('IllegalFile', detail, extra);
  }
  return { entries: lines.map(({ entry }) => entry), unread };
}
