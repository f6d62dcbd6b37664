/**
 * Reads one line of a registry by its columns: a payment, a refund or another operation, with ids, amount, fee and day.
 */

import { beginning } from '../../../drivers/lib/text.ts';
import { kopecksOfRoubles, type PaymentMethod } from '../../banks/index.ts';
import {
  amountCell,
  CellFault,
  type CellOf,
  codeCell,
  emptiness,
  type TableRow,
  textCell,
} from '../../core/tables/index.ts';
import { type Days, dayIn, methodIn, type Operations } from './registry-file.ts';

/** A payment or refund in a registry. The ids are those of `RegistryColumns`. */
export interface RegistryEntry {
  readonly line: number;
  readonly isRefund: boolean;
  readonly order: string | null;
  readonly bank: string | null;
  readonly transaction: string | null;
  readonly refund: string | null;
  /** Payment method; null where the line names none. */
  readonly method: PaymentMethod | null;
  /** Kopecks, never negative. */
  readonly amount: number;
  /** The bank's day, as `2026-11-21`; null where the line has none. */
  readonly day: string | null;
  /** Kopecks, with the bank's sign; null where the line has none. */
  readonly commission: number | null;
  readonly payout: number | null;
}

/** A line whose word is neither that of a sale nor that of a refund. */
export interface UnknownOperation
  extends Pick<RegistryEntry, 'line' | 'order' | 'bank' | 'transaction' | 'day' | 'payout'> {
  /** The bank's word for it. */
  readonly operation: string;
  /** Kopecks, with its sign. */
  readonly amount: number;
}

/** A cell that cannot be read, in a line that is compared without it: a fee, a payout, a day or a method. */
export interface UnreadCell {
  readonly line: number;
  /** The column and what is wrong with it. */
  readonly unread: string;
}

export type Entry = RegistryEntry | UnknownOperation;

/** Most characters of a bank's word for an operation; the rest is cut off. */
const LONGEST_WORD = 100;

/** What banks write in an empty cell of an id or a fee. */
const NONE = /^(?:[-\u2013\u2014.,0]+|нет|no|false)$/i;
/** Kopecks with their sign. @param digits with a full stop, and perhaps a minus */
function kopecksOf(digits: string): number | null {
  const kopecks = kopecksOfRoubles(digits.replace(/^-/, ''));
  if (Number.isNaN(kopecks)) return null;
  return digits.startsWith('-') ? -kopecks : kopecks;
}

/** Kopecks of a cell with roubles, with their sign. */
export const kopecksCell = (cell: string): CellOf<number> => amountCell(cell, kopecksOf);

/** As `kopecksCell`, but null where the cell is no amount. */
export const kopecksIn = (cell: string | undefined): number | null => {
  const kopecks = kopecksCell(cell ?? '');
  return kopecks instanceof CellFault ? null : kopecks;
};

/** The columns of a table, by its header. */
export interface Columns {
  /** Index of each field's column. */
  readonly places: ReadonlyMap<string, number>;
  /** Cells of the header. */
  readonly names: readonly string[];
}

/** Why a line cannot be read. The message is part of a sentence. */
export class LineFault extends Error {}

/** Reads the cells of a line by their fields. */
export class LineCells {
  readonly unread: UnreadCell[] = [];
  readonly #line: TableRow;
  readonly #columns: Columns;

  constructor(line: TableRow, columns: Columns) {
    this.#line = line;
    this.#columns = columns;
  }

  text(field: string): string {
    return this.#line.cells[this.#columns.places.get(field) ?? -1] ?? '';
  }

  /** A value that the comparison needs. @throws {LineFault} where the cell cannot be read */
  needed<T>(field: string, read: (cell: string) => CellOf<T>): T | null {
    const value = read(this.text(field));
    if (value instanceof CellFault) throw new LineFault(this.#sentence(field, value));
    return value;
  }

  /** A value that the comparison does not need: a cell that cannot be read is recorded in `unread`. */
  wanted<T>(field: string, read: (cell: string) => CellOf<T>): T | null {
    const value = read(this.text(field));
    if (!(value instanceof CellFault)) return value;
    this.unread.push({ line: this.#line.line, unread: this.#sentence(field, value) });
    return null;
  }

  #sentence(field: string, { words }: CellFault): string {
    return `"${this.#columns.names[this.#columns.places.get(field) ?? -1] ?? field}" ${words}`;
  }
}

/** The id in a cell; null for an empty cell, and for what banks and programs write instead. */
function idIn(cell: string): CellOf<string> {
  return NONE.test(cell) || emptiness(cell) === 'absent' ? null : codeCell(cell);
}

const shareIn = (cell: string): CellOf<number> => (NONE.test(cell) ? 0 : kopecksCell(cell));

/** Reads a line. @throws {LineFault} */
export function entryOf(line: number, cells: LineCells, days: Days, operations: Operations): Entry {
  const amount = cells.needed('amount', kopecksCell);
  if (amount === null) throw new LineFault('it has no amount');
  const [type, refund] = [cells.needed('type', textCell), cells.needed('refund', idIn)];
  const [order, bank, transaction] = ['order', 'bank', 'transaction'].map((field) => cells.needed(field, idIn));
  const ids = { order: order ?? null, bank: bank ?? null, transaction: transaction ?? null };
  const operation = operations.of(type, amount, refund);
  const isNamed = Object.values(ids).some((id) => id !== null);
  if (operation !== null && !isNamed) throw new LineFault('it names no payment');
  const day = cells.wanted('date', (cell) => dayIn(cell, line, days));
  const when = { line, day, payout: cells.wanted('payout', shareIn) };
  if (operation === null) return { ...when, ...ids, operation: beginning(type ?? '', LONGEST_WORD), amount };
  const isRefund = operation === 'refund';
  const method = methodIn(cells.wanted('method', textCell)) ?? methodIn(type);
  const commission = cells.wanted('commission', shareIn);
  return { ...when, ...ids, isRefund, refund, method, amount: Math.abs(amount), commission };
}
