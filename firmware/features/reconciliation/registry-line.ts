/** Reads one line of a registry by its columns: the payment or refund, its amount, its fee and its day. */

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

export interface RegistryEntry {
  readonly line: number;
  readonly isRefund: boolean;
  readonly order: string | null;
  readonly bank: string | null;
  readonly transaction: string | null;
  readonly refund: string | null;
  /** How it was paid; null where the line does not say it. */
  readonly method: PaymentMethod | null;
  /** Kopecks, never negative. */
  readonly amount: number;
  /** The bank's day, `2026-11-21`; null where not said. */
  readonly day: string | null;
  /** Kopecks, with the bank's sign; null where not said. */
  readonly commission: number | null;
  readonly payout: number | null;
}

/** A line whose word is neither that of a sale nor that of a refund. */
export interface UnknownOperation
  extends Pick<RegistryEntry, 'line' | 'order' | 'bank' | 'transaction' | 'day' | 'payout'> {
  /** The bank's word. */
  readonly operation: string;
  /** Kopecks, with its sign. */
  readonly amount: number;
}

/** A cell that cannot be read, of a line that is compared without it: its fee, its payout, its day or its method. */
export interface UnreadCell {
  readonly line: number;
  /** The column and what is wrong with it. */
  readonly unread: string;
}

export type Entry = RegistryEntry | UnknownOperation;

/** Longest word of an operation that is kept. */
const LONGEST_WORD = 100;

/** What banks write where a line has no refund, or no fee. */
const NONE = /^(?:[-\u2013\u2014.,0]+|нет|no|false)$/i;
/** Kopecks with their sign. @param digits with a full stop, and perhaps a minus */
function kopecksOf(digits: string): number | null {
  const kopecks = kopecksOfRoubles(digits.replace(/^-/, ''));
  if (Number.isNaN(kopecks)) return null;
  return digits.startsWith('-') ? -kopecks : kopecks;
}

/** Kopecks of a cell with roubles, with their sign. */
export const kopecksCell = (cell: string): CellOf<number> => amountCell(cell, kopecksOf);

/** The same; null where the cell is no amount. */
export const kopecksIn = (cell: string | undefined): number | null => {
  const kopecks = kopecksCell(cell ?? '');
  return kopecks instanceof CellFault ? null : kopecks;
};

/** The places of the cells, until a lower line names other columns. */
export interface Columns {
  readonly places: ReadonlyMap<string, number>;
  /** Cells of the header. */
  readonly names: readonly string[];
}

/** A cell without which its line is not read. The message names the column, and is part of a sentence. */
export class LineFault extends Error {}

/** The cells of a line by their fields. */
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

  /** A value on which the comparison depends. @throws {LineFault} */
  needed<T>(field: string, read: (cell: string) => CellOf<T>): T | null {
    const value = read(this.text(field));
    if (value instanceof CellFault) throw new LineFault(this.#sentence(field, value));
    return value;
  }

  /** A value without which the line is compared, too: what cannot be read is noted. */
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

/** An id; null for what banks and programs write where there is none. */
function idIn(cell: string): CellOf<string> {
  return NONE.test(cell) || emptiness(cell) === 'absent' ? null : codeCell(cell);
}

const shareIn = (cell: string): CellOf<number> => (NONE.test(cell) ? 0 : kopecksCell(cell));

/** @throws {LineFault} */
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
