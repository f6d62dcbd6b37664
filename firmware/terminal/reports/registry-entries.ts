/** What the lines of a registry say: which payment or refund, and how much. Raiffeisenbank's columns are known, others are named. */
import { beginning } from '../../../drivers/lib/shorten.ts';
import type { RegistryColumns } from '../../config/index.ts';
import { amountInDigits, HEAD_LINES } from '../../store/index.ts';
import { kopecksOfRoubles } from '../banks/roubles.ts';
import { TerminalError } from '../errors.ts';
import type { RegistryLine, UnreadableLine } from './registry-file.ts';

/** Source: Raiffeisenbank's manual of its payments by SBP, the daily registry. */
const RAIFFEISENBANK: RegistryColumns = {
  order: 'id заказа',
  bank: 'QR id',
  refund: 'id возврата',
  type: 'Тип',
  amount: 'Сумма',
};

/** How the columns of a registry are named by a call. */
export interface NamedColumns {
  readonly columns: RegistryColumns | null;
  /** The name of a registry of the configuration. */
  readonly registry: string | null;
  readonly profile: string | null;
}

/**
 * What a call says itself, else the configuration under the name that the call says, or under that of the profile.
 * @param registries of the configuration
 * @returns null for Raiffeisenbank's
 * @throws {TerminalError} 400 for a name that the configuration does not have
 */
export function columnsOf(
  { columns, registry, profile }: NamedColumns,
  registries: Readonly<Record<string, RegistryColumns>>,
): RegistryColumns | null {
  if (columns !== null) return columns;
  const named = new Map(Object.entries(registries));
  if (registry === null) return named.get(profile ?? '') ?? null;
  const known = named.get(registry);
  if (known !== undefined) return known;
  const names = named.size === 0 ? 'which has none' : [...named.keys()].join(', ');
  throw TerminalError.invalid(
    'registry',
    `is "${registry}", which is none of terminal.registries of the configuration (${names})`,
  );
}

export interface RegistryEntry {
  readonly line: number;
  readonly isRefund: boolean;
  readonly order: string | null;
  readonly bank: string | null;
  readonly transaction: string | null;
  readonly refund: string | null;
  /** Kopecks, never negative. */
  readonly amount: number;
}

/** Why a file is refused whose columns are to be named. */
const UNKNOWN_COLUMNS = 'unknown-columns';
const REFUND_WORDS = /возврат|отмен|сторн|refund|return|revers|chargeback/i;
const PAYMENT_WORDS = /оплат|плат[её]ж|покупк|продаж|зачислен|payment|sale|purchase/i;
/** What programs write into a cell that has nothing to say. */
const NOTHING = /^(?:[-\u2013\u2014.,0]+|нет|no|none|null|nan|false|#?n\/a|#?н\/д)$/i;
const fold = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, ' ');

/** Columns of a call that a line names. */
const namedIn = (line: readonly string[], columns: RegistryColumns): number => {
  const folded = new Set(line.map(fold));
  return Object.values(columns).filter((name) => folded.has(fold(name))).length;
};

/** Which of the first lines names the columns: that with the most of them, the first of several. Above it there may be a title. */
function headAmong(lines: readonly RegistryLine[], columns: RegistryColumns): number {
  const counts = lines.map(({ cells }) => namedIn(cells, columns));
  return counts.indexOf(Math.max(...counts));
}

/** @throws {TerminalError} 400 for a column that the file does not have, or has twice; `columns` of it are those that it has */
function placesOf(header: readonly string[], columns: RegistryColumns): ReadonlyMap<string, number> {
  const folded = header.map(fold);
  const places = Object.entries(columns).map(([field, name]) => [field, folded.indexOf(fold(name)), name] as const);
  const missing = places.find(([field, place]) => place < 0 && (columns !== RAIFFEISENBANK || field === 'amount'));
  if (missing !== undefined) {
    const [field, , name] = missing;
    throw TerminalError.invalid(
      `columns.${field}`,
      `is "${name}", which is no column of the file (${header.join(', ')})`,
      { parameters: { columns: header, reason: UNKNOWN_COLUMNS } },
    );
  }
  const twice = places.find(([, place, name]) => place >= 0 && folded.lastIndexOf(fold(name)) !== place);
  if (twice !== undefined) {
    const [field, , name] = twice;
    throw TerminalError.invalid(
      `columns.${field}`,
      `is "${name}", which the file has twice: it is not clear which is meant`,
    );
  }
  const found = new Map(places.filter(([, place]) => place >= 0).map(([field, place]) => [field, place]));
  if (!['order', 'bank', 'transaction'].some((field) => found.has(field)) || !found.has('amount')) {
    const must = 'must name the amount, and one of order, bank and transaction';
    throw TerminalError.invalid('columns', must, { parameters: { columns: header, reason: UNKNOWN_COLUMNS } });
  }
  return found;
}

/** Kopecks with their sign; NaN for what is no amount. */
function amountOf(cell: string): number {
  const digits = amountInDigits(cell) ?? '';
  const kopecks = kopecksOfRoubles(digits.replace(/^-/, ''));
  return digits.startsWith('-') ? -kopecks : kopecks;
}

/** Its sign says it, then its type; only where neither does, the id of a refund. */
function isRefundLine(amount: number, type: string | null, refund: string | null): boolean {
  if (amount < 0 || REFUND_WORDS.test(type ?? '')) return true;
  return refund !== null && !PAYMENT_WORDS.test(type ?? '');
}

/** @returns the entry, or why there is none */
function entryOf({ line, cells }: RegistryLine, places: ReadonlyMap<string, number>): RegistryEntry | string {
  const text = cells[places.get('amount') ?? -1] || null;
  const cell = (field: string): string | null => {
    const found = cells[places.get(field) ?? -1] ?? '';
    return found === '' || NOTHING.test(found) ? null : found;
  };
  const amount = text === null ? Number.NaN : amountOf(text);
  if (Number.isNaN(amount)) return text === null ? 'it has no amount' : `"${beginning(text, 40)}" is no amount`;
  const [order, bank, transaction, refund] = [cell('order'), cell('bank'), cell('transaction'), cell('refund')];
  if (order === null && bank === null && transaction === null) return 'it names no payment';
  const isRefund = isRefundLine(amount, cell('type'), refund);
  return { line, isRefund, order, bank, transaction, refund, amount: Math.abs(amount) };
}

/** Where the cells of a line stand, until other columns are named below. */
interface Columns {
  readonly places: ReadonlyMap<string, number>;
  /** Cells of the line that names them. */
  readonly width: number;
}

/** Reads line by line, by the columns that were named last. */
class EntryReader {
  readonly #wanted: RegistryColumns;
  /** Null below columns that are not those of a registry. */
  #columns: Columns | null;
  readonly #below: readonly RegistryLine[];

  /** @param first lines of the file, one of which names the columns @throws {TerminalError} 400 where none does */
  constructor(first: readonly RegistryLine[], wanted: RegistryColumns) {
    const head = headAmong(first, wanted);
    this.#wanted = wanted;
    this.#columns = this.#named(first[head]?.cells ?? []);
    this.#below = first.slice(head + 1);
  }

  /** Of the first lines those that stand below the columns. */
  *readFirst(): Generator<RegistryEntry | UnreadableLine> {
    for (const line of this.#below) yield* this.read(line);
  }

  /** @returns what the line says, nothing where it names columns that can be read */
  *read(line: RegistryLine): Generator<RegistryEntry | UnreadableLine> {
    if (this.#isHeader(line)) {
      this.#columns = this.#namedBelow(line);
      if (this.#columns !== null) return;
    }
    const entry = this.#entryOf(line);
    yield typeof entry === 'string' ? { line: line.line, reason: entry } : entry;
  }

  #entryOf(line: RegistryLine): RegistryEntry | string {
    if (this.#columns === null) return 'it stands under other columns than those of the first table';
    const { places, width } = this.#columns;
    // the sign between cells stands in one of them, such as the comma of an amount: which cell is which is unclear
    if (line.cells.slice(width).some((cell) => cell !== '')) return 'it has more cells than there are columns';
    return entryOf(line, places);
  }

  #isHeader({ cells }: RegistryLine): boolean {
    const amount = cells[this.#columns?.places.get('amount') ?? -1] ?? '';
    return namedIn(cells, this.#wanted) > 1 && Number.isNaN(amountOf(amount));
  }

  #named(cells: readonly string[]): Columns {
    return { places: placesOf(cells, this.#wanted), width: cells.length };
  }

  /** Totals below the table may have columns of their own. */
  #namedBelow({ cells }: RegistryLine): Columns | null {
    try {
      return this.#named(cells);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      return null;
    }
  }
}

/**
 * The entries of the lines; one of the first twenty names the columns, and below it others may.
 * @param columns of the file; Raiffeisenbank's when null
 * @throws {TerminalError} 400
 */
export async function* entriesOf(
  lines: AsyncIterable<RegistryLine | UnreadableLine>,
  columns: RegistryColumns | null,
): AsyncGenerator<RegistryEntry | UnreadableLine> {
  const wanted = columns ?? RAIFFEISENBANK;
  const unreadable: UnreadableLine[] = [];
  const first: RegistryLine[] = [];
  let reader: EntryReader | null = null;
  for await (const line of lines) {
    if (reader !== null) yield* 'reason' in line ? [line] : reader.read(line);
    else if ('reason' in line) unreadable.push(line);
    else if (first.push(line) === HEAD_LINES) {
      reader = new EntryReader(first, wanted);
      yield* unreadable;
      yield* reader.readFirst();
    }
  }
  if (reader !== null) return;
  reader = new EntryReader(first, wanted);
  yield* unreadable;
  yield* reader.readFirst();
}
