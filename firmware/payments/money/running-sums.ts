/**
 * Sums that are maintained with the ledger: counted once from checked rows, a piece in a turn of the event loop, then
 * changed by each commit with the rows that it writes. So a report reads no row of its day, and counts a row that the
 * storage alters later as it was written. When a row is restored, the sums are counted anew.
 */

import { isDeepStrictEqual } from 'node:util';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { Book, BookTable, Written } from '../../core/book/index.ts';
import { isStoreError } from '../../core/files/index.ts';
import { type PaymentRow, paymentOf } from '../model/payment-row.ts';
import { type Span, Tally } from './tally.ts';

/** Rows that are checked in one turn of the event loop: a few milliseconds, so that sales come in between. */
const ROWS_A_PIECE = 50;
/** Spans whose sums are maintained: today, the open shift, and some days that somebody looks at. */
const MOST_KEPT = 8;
/** Tries of a count, which begins anew where rows were restored meanwhile. */
const MOST_TRIES = 3;

/** A tally, and the numbers of the payments that it still lacks; null before they are known. */
interface Kept {
  readonly tally: Tally;
  lacking: Set<number> | null;
}

export class RunningSums {
  readonly #book: Book;
  readonly #table: BookTable;
  /** By the name of the span; the one used last stands last. */
  readonly #kept = new Map<string, Kept>();
  /** Tallies that `recount` counts beside those in use. */
  readonly #anew = new Set<Kept>();
  /** Number of the first payment with a receipt, by till. */
  readonly #printed = new Map<string | null, number | null>();
  /** Spans whose sums were not those of their rows: a fault of this program. */
  readonly #differed = new Set<string>();
  /** Runs one count at a time. */
  readonly #counts = new SerialQueue();

  constructor(book: Book, table: BookTable) {
    this.#book = book;
    this.#table = table;
    book.onCommitted((changes) => {
      for (const change of changes) if (change.table === table.shape.name) this.#note(change);
    });
    book.onRestored((row) => {
      if (row === null || row.table === table.shape.name) this.#forget(row?.id ?? null);
    });
  }

  get differed(): readonly string[] {
    return [...this.#differed];
  }

  /**
   * The sums of a span now. What is not counted yet is counted in this turn of the event loop: await `count` first. A count
   * during which a row was restored begins anew.
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  of(span: Span): Tally {
    for (;;) {
      const kept = this.#keep(span);
      if (kept.lacking?.size !== 0) this.#countPiece(kept, null);
      if (this.#kept.get(span.name) === kept) return kept.tally;
    }
  }

  /** Counts a span in pieces, between which sales come. Counts wait for each other. @throws {StoreError} `ROWS_UNSOUND` */
  async count(span: Span): Promise<void> {
    await this.#counts.run(async () => {
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const kept = this.#keep(span);
        await this.#complete(kept);
        if (this.#kept.get(span.name) === kept) return;
      }
    });
  }

  /**
   * Counts a span from its rows again. Where the maintained sums differed, `differed` names the span.
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  async recount(span: Span): Promise<void> {
    await this.#counts.run(async () => {
      const anew: Kept = { tally: this.#empty(span), lacking: null };
      this.#anew.add(anew);
      try {
        await this.#complete(anew);
        if (!this.#anew.has(anew)) return; // rows were restored meanwhile: the next reader has the span counted
        const before = this.#kept.get(span.name);
        if (before?.lacking?.size === 0 && !isDeepStrictEqual(before.tally.contents, anew.tally.contents))
          this.#differed.add(span.name);
        this.#kept.set(span.name, anew);
      } finally {
        this.#anew.delete(anew);
      }
    });
  }

  /** `recount` of all maintained spans, once a day. Never fails because of rows that are not sound: these are sought. */
  async recountAll(): Promise<void> {
    for (const { tally } of [...this.#kept.values()])
      try {
        await this.recount(tally.span);
      } catch (error) {
        if (!isStoreError(error, 'ROWS_UNSOUND')) throw error;
      }
  }

  async #complete(kept: Kept): Promise<void> {
    const isWanted = (): boolean => this.#kept.get(kept.tally.span.name) === kept || this.#anew.has(kept);
    while (kept.lacking?.size !== 0 && isWanted()) {
      this.#countPiece(kept, ROWS_A_PIECE);
      await nextTurn();
    }
  }

  #keep(span: Span): Kept {
    const kept = this.#kept.get(span.name) ?? { tally: this.#empty(span), lacking: null };
    this.#kept.delete(span.name);
    this.#kept.set(span.name, kept);
    for (const name of this.#kept.keys()) if (this.#kept.size > MOST_KEPT) this.#kept.delete(name);
    return kept;
  }

  #empty(span: Span): Tally {
    return new Tally(span, (till) => this.#printedFrom(till));
  }

  /** @param most rows; null: all @throws {StoreError} `ROWS_UNSOUND` */
  #countPiece(kept: Kept, most: number | null): void {
    const { tally } = kept;
    try {
      const lacking = kept.lacking ?? this.#numbersOf(tally.span);
      kept.lacking = lacking;
      const ids = most === null ? [...lacking] : firstOf(lacking, most);
      const sql = 'id IN (SELECT value FROM json_each(:ids))';
      const rows = this.#book.soundly(() => this.#table.rows(sql, { ids: JSON.stringify(ids) }));
      for (const row of rows) if (lacking.delete(Number(row.id))) tally.add(paymentOf(row));
      for (const id of ids) lacking.delete(id);
    } catch (error) {
      if (this.#kept.get(tally.span.name) === kept) this.#kept.delete(tally.span.name); // the next reader has it counted again
      throw error;
    }
  }

  #numbersOf({ which, values }: Span): Set<number> {
    this.#book.soundly(() => this.#table.seekLostForReport());
    const sql = `SELECT json_group_array(id) AS ids FROM payments WHERE ${which}`;
    const ids: number[] = JSON.parse(String(this.#table.get(sql, values)?.ids));
    return new Set(ids);
  }

  #note({ before, after, isDamaged }: Written): void {
    if (this.#kept.size + this.#anew.size === 0) {
      this.#printed.clear();
      return;
    }
    const [old, now] = [before === null ? null : paymentOf(before), paymentOf(after)];
    if (isDamaged || this.#isFirstPrinted(old, now)) {
      this.#forget(null);
      return;
    }
    for (const kept of [...this.#kept.values(), ...this.#anew]) {
      if (kept.lacking === null) continue;
      if (!kept.lacking.delete(now.id) && old !== null) kept.tally.remove(old);
      kept.tally.add(now);
    }
  }

  /** @param restored number of a restored row: a count that has not read it yet continues; null: all counts begin anew */
  #forget(restored: number | null): void {
    const goesOn = restored !== null && this.#isPrintedAsKnown();
    const isRead = ({ lacking }: Kept): boolean => goesOn && lacking?.has(restored) === true;
    for (const [name, kept] of this.#kept) if (!isRead(kept)) this.#kept.delete(name);
    for (const kept of this.#anew) if (!isRead(kept)) this.#anew.delete(kept);
    if (!goesOn || this.#kept.size === 0) this.#printed.clear();
  }

  /** Whether each till's first receipt is the one that is known: a restored row may have another. */
  #isPrintedAsKnown(): boolean {
    return [...this.#printed].every(([till, known]) => known === this.#firstPrinted(till));
  }

  /** Whether this is now the first payment of its till with a receipt: payments after it without one now count as lacking it. */
  #isFirstPrinted(old: PaymentRow | null, { id, till, receiptAt }: PaymentRow): boolean {
    if (receiptAt === null || (old !== null && old.receiptAt !== null)) return false;
    const known = this.#printed.get(till);
    return known !== undefined && (known === null || id < known);
  }

  #printedFrom(till: string | null): number | null {
    const known = this.#printed.get(till);
    if (known !== undefined) return known;
    const first = this.#firstPrinted(till);
    this.#printed.set(till, first);
    return first;
  }

  #firstPrinted(till: string | null): number | null {
    const sql = `SELECT id FROM payments INDEXED BY payments_receipt
      WHERE receipt_at IS NOT NULL AND till IS :till ORDER BY id LIMIT 1`;
    const found = this.#table.get(sql, { till });
    return found === undefined ? null : Number(found.id);
  }
}

function firstOf(numbers: ReadonlySet<number>, most: number): number[] {
  const first: number[] = [];
  for (const number of numbers) {
    if (first.length === most) break;
    first.push(number);
  }
  return first;
}
