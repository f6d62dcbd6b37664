/** Reads the lines of a registry: its header, its entries, and its totals. */

import { type DateOrder, HEAD_LINES, type TableRow, type UnreadableRow } from '../../core/tables/index.ts';
import { TerminalError } from '../../payments/index.ts';
import type { KnownOperations, RegistryColumns } from './config.ts';
import {
  columnIndexes,
  columnNames,
  headerIndexOf,
  namedIn,
  onlyFittingColumns,
  RAIFFEISENBANK,
} from './registry-columns.ts';
import { Operations } from './registry-file.ts';
import {
  type Columns,
  type Entry,
  entryOf,
  kopecksIn,
  LineCells,
  LineFault,
  type RegistryEntry,
  type UnknownOperation,
  type UnreadCell,
} from './registry-line.ts';

const OF_MOSCOW = /мск|msk|московск/i;
const MOSCOW = 'Europe/Moscow';
/** The lines that a comparison gets. */
export type RegistryLine = RegistryEntry | UnknownOperation | UnreadableRow | UnreadCell;

/** The sums of a total line; null for each that it lacks. */
export interface RegistryTotal {
  readonly isTotal: true;
  readonly line: number;
  readonly amount: number | null;
  readonly payout: number | null;
}

export type RegistryItem = RegistryLine | RegistryTotal;

/** How to read the days and the words of a registry. */
interface Meaning {
  /** How to read dates that may mean two days; null where the call does not say. */
  readonly dates?: DateOrder | null;
  /** The banks' time zone in the configuration; null: Moscow where the registry says so, else the device's. */
  readonly bank: string | null;
  /** The device's time zone. */
  readonly device: string;
  /** Meanings of words in the column of the type, in addition to the known ones. */
  readonly operations?: KnownOperations;
}

export interface Registry {
  /** The cells of the header, and the names of the columns by their fields. */
  readonly header: readonly string[];
  readonly columns: RegistryColumns;
  /** The time zone of the days. */
  readonly timeZone: string;
  readonly items: AsyncIterable<RegistryItem>;
}

const TOTAL_WORDS = /^(?:итог|всего|total|к (?:перечислению|выплате|возмещению|зачислению))/i;
const PAYOUT_WORDS = /перечисл|выплат|возмещ|зачисл|payout/i;

/**
 * Reads a line of totals or of the payout: `Итого;;;1 234,56;4,44;1 230,12`, `Итого к перечислению: 1 230,12`; null for
 * other lines.
 */
function totalOf({ line, cells }: TableRow, places: ReadonlyMap<string, number>): RegistryTotal | null {
  const at = cells.findIndex((cell) => cell !== '');
  const label = cells[at] ?? '';
  if (!TOTAL_WORDS.test(label)) return null;
  if (PAYOUT_WORDS.test(label)) {
    const amounts = [label.slice(label.lastIndexOf(':') + 1), ...cells.slice(at + 1)].map(kopecksIn);
    const payout = amounts.find((each) => each !== null) ?? null;
    return payout === null ? null : { isTotal: true, line, amount: null, payout };
  }
  const [amount, payout] = ['amount', 'payout'].map((field) => kopecksIn(cells[places.get(field) ?? -1]));
  if ((amount ?? payout ?? null) === null) return null;
  return { isTotal: true, line, amount: amount ?? null, payout: payout ?? null };
}

/** Whether a line is an entry whose first cell is neither its id nor its operation: there a total line has its word. */
function isNamed(entry: Entry | string, { cells }: TableRow): boolean {
  if (typeof entry === 'string') return false;
  const names = [entry.order, entry.bank, entry.transaction, 'operation' in entry ? entry.operation : null];
  return !names.includes(cells.find((cell) => cell !== '') ?? '');
}

/** Reads lines by the columns of the last header above them. */
class EntryReader {
  readonly header: readonly string[];
  readonly columns: RegistryColumns;
  readonly zone: string;
  readonly #dates: DateOrder | null;
  readonly #operations: Operations;
  readonly #wanted: RegistryColumns;
  /** Null below a header of another table. */
  #columns: Columns | null;
  /** Those of the first lines that are below the header. */
  readonly #below: readonly TableRow[];

  /** @param first the first lines of the file, one of which is the header @throws {TerminalError} 400 where none is */
  constructor(first: readonly TableRow[], columns: RegistryColumns | null, meaning: Meaning) {
    const head = headerIndexOf(first, columns);
    this.#wanted = columns ?? RAIFFEISENBANK;
    this.#dates = meaning.dates ?? null;
    this.#operations = new Operations(meaning.operations ?? {});
    this.header = first[head]?.cells ?? [];
    const named = this.#named(this.header);
    this.#columns = named;
    this.#below = first.slice(head + 1);
    this.columns = columnNames(this.header, named.places);
    this.zone = meaning.bank ?? (OF_MOSCOW.test(this.columns.date ?? '') ? MOSCOW : meaning.device);
  }

  /** Reads the lines that were read before the header was known. */
  *readFirst(): Generator<RegistryItem> {
    for (const line of this.#below) yield* this.read(line);
  }

  /** @returns the content of the line; nothing for a further header with the right columns */
  *read(line: TableRow): Generator<RegistryItem> {
    if (this.#isHeader(line)) {
      this.#columns = this.#namedBelow(line);
      if (this.#columns !== null) return;
    }
    const { entry, unread } = this.#entryOf(line);
    const total = isNamed(entry, line) ? null : totalOf(line, this.#columns?.places ?? new Map());
    if (total !== null) yield total;
    else if (typeof entry === 'string') yield { line: line.line, reason: entry };
    else yield* [entry, ...unread];
  }

  /** @returns the entry, or why there is none */
  #entryOf(line: TableRow): { readonly entry: Entry | string; readonly unread: readonly UnreadCell[] } {
    const refused = (entry: string) => ({ entry, unread: [] });
    if (this.#columns === null) return refused('it stands under other columns than those of the first table');
    // the separator occurs inside a cell, such as the comma of an amount: it is unclear where the cells end
    const { length } = this.#columns.names;
    if (line.cells.slice(length).some((cell) => cell !== ''))
      return refused('it has more cells than there are columns');
    const cells = new LineCells(line, this.#columns);
    try {
      const days = { zone: this.zone, dates: this.#dates };
      return { entry: entryOf(line.line, cells, days, this.#operations), unread: cells.unread };
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      return refused(error.message);
    }
  }

  #isHeader({ cells }: TableRow): boolean {
    const amount = cells[this.#columns?.places.get('amount') ?? -1] ?? '';
    return namedIn(cells, this.#wanted) > 1 && kopecksIn(amount) === null;
  }

  #named(cells: readonly string[]): Columns {
    return { places: columnIndexes(cells, this.#wanted), names: cells };
  }

  /** The columns of a further header; null for one of another table, such as of totals. */
  #namedBelow({ cells }: TableRow): Columns | null {
    try {
      return this.#named(cells);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      return null;
    }
  }
}

async function* itemsOf(
  unreadable: readonly UnreadableRow[],
  reader: EntryReader,
  others: AsyncIterable<TableRow | UnreadableRow>,
): AsyncGenerator<RegistryItem> {
  yield* unreadable;
  yield* reader.readFirst();
  for await (const line of others) yield* 'reason' in line ? [line] : reader.read(line);
}

/**
 * Reads a registry. One of its first twenty lines is the header; further headers may follow.
 * @param columns of the call or the configuration; null: the fitting ones of `registries`, else Raiffeisenbank's
 * @param registries those of the configuration, where the call names none
 * @throws {TerminalError} 400
 */
export async function registryOf(
  lines: AsyncGenerator<TableRow | UnreadableRow>,
  columns: RegistryColumns | null,
  meaning: Meaning,
  registries: Readonly<Record<string, RegistryColumns>> = {},
): Promise<Registry> {
  const unreadable: UnreadableRow[] = [];
  const first: TableRow[] = [];
  while (first.length < HEAD_LINES) {
    const { value, done } = await lines.next();
    if (done === true) break;
    if ('reason' in value) unreadable.push(value);
    else first.push(value);
  }
  const reader = new EntryReader(first, columns ?? onlyFittingColumns(first, registries), meaning);
  const { header, zone } = reader;
  return { header, columns: reader.columns, timeZone: zone, items: itemsOf(unreadable, reader, lines) };
}
