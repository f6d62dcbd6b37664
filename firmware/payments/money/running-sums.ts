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
const MOST_MAINTAINED = 8;
/** Tries of a count, which begins anew where rows were restored meanwhile. */
const MOST_TRIES = 3;

/** A tally, and the numbers of the payments that it still lacks; null before they are known. */
interface Running {
  readonly tally: Tally;
  lacking: Set<number> | null;
}

export class RunningSums {
  readonly #book: Book;
  readonly #table: BookTable;
  /** By the name of the span; the one used last stands last. */
  readonly #running = new Map<string, Running>();
  /** Tallies that `recount` counts beside those in use. */
  readonly #recounts = new Set<Running>();
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
      for (const change of changes) if (change.table === table.shape.name) this.#apply(change);
    });
    book.onRestored((row) => {
      if (row === null || row.table === table.shape.name) this.#drop(row?.id ?? null);
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
      const entry = this.#runningOf(span);
      if (entry.lacking?.size !== 0) this.#countPiece(entry, null);
      if (this.#running.get(span.name) === entry) return entry.tally;
    }
  }

  /** Counts a span in pieces, between which sales come. Counts wait for each other. @throws {StoreError} `ROWS_UNSOUND` */
  async count(span: Span): Promise<void> {
    await this.#counts.run(async () => {
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const entry = this.#runningOf(span);
        await this.#complete(entry);
        if (this.#running.get(span.name) === entry) return;
      }
    });
  }

  /**
   * Counts a span from its rows again. Where the maintained sums differed, `differed` names the span.
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  async recount(span: Span): Promise<void> {
    await this.#counts.run(async () => {
      const recount: Running = { tally: this.#empty(span), lacking: null };
      this.#recounts.add(recount);
      try {
        await this.#complete(recount);
        if (!this.#recounts.has(recount)) return; // rows were restored meanwhile: the next reader has the span counted
        const before = this.#running.get(span.name);
        if (before?.lacking?.size === 0 && !isDeepStrictEqual(before.tally.contents, recount.tally.contents))
          this.#differed.add(span.name);
        this.#running.set(span.name, recount);
      } finally {
        this.#recounts.delete(recount);
      }
    });
  }

  /** `recount` of all maintained spans, once a day. Never fails because of rows that are not sound: these are sought. */
  async recountAll(): Promise<void> {
    for (const { tally } of [...this.#running.values()])
      try {
        await this.recount(tally.span);
      } catch (error) {
        if (!isStoreError(error, 'ROWS_UNSOUND')) throw error;
      }
  }

  async #complete(entry: Running): Promise<void> {
    const isWanted = (): boolean => this.#running.get(entry.tally.span.name) === entry || this.#recounts.has(entry);
    while (entry.lacking?.size !== 0 && isWanted()) {
      this.#countPiece(entry, ROWS_A_PIECE);
      await nextTurn();
    }
  }

  #runningOf(span: Span): Running {
    const entry = this.#running.get(span.name) ?? { tally: this.#empty(span), lacking: null };
    this.#running.delete(span.name);
    this.#running.set(span.name, entry);
    for (const name of this.#running.keys()) if (this.#running.size > MOST_MAINTAINED) this.#running.delete(name);
    return entry;
  }

  #empty(span: Span): Tally {
    return new Tally(span, (till) => this.#printedFrom(till));
  }

  /** @param most rows; null: all @throws {StoreError} `ROWS_UNSOUND` */
  #countPiece(entry: Running, most: number | null): void {
    const { tally } = entry;
    try {
      const lacking = entry.lacking ?? this.#numbersOf(tally.span);
      entry.lacking = lacking;
      const ids = most === null ? [...lacking] : firstOf(lacking, most);
      const sql = 'id IN (SELECT value FROM json_each(:ids))';
      const rows = this.#book.readSound(() => this.#table.rows(sql, { ids: JSON.stringify(ids) }));
      for (const row of rows) if (lacking.delete(Number(row.id))) tally.add(paymentOf(row));
      for (const id of ids) lacking.delete(id);
    } catch (error) {
      if (this.#running.get(tally.span.name) === entry) this.#running.delete(tally.span.name); // the next reader has it counted again
      throw error;
    }
  }

  #numbersOf({ which, values }: Span): Set<number> {
    this.#book.readSound(() => this.#table.restoreLostForReport());
    const sql = `SELECT json_group_array(id) AS ids FROM payments WHERE ${which}`;
    const ids: number[] = JSON.parse(String(this.#table.get(sql, values)?.ids));
    return new Set(ids);
  }

  #apply({ before, after, isDamaged }: Written): void {
    if (this.#running.size + this.#recounts.size === 0) {
      this.#printed.clear();
      return;
    }
    const [old, now] = [before === null ? null : paymentOf(before), paymentOf(after)];
    if (isDamaged || this.#isFirstPrinted(old, now)) {
      this.#drop(null);
      return;
    }
    for (const entry of [...this.#running.values(), ...this.#recounts]) {
      if (entry.lacking === null) continue;
      if (!entry.lacking.delete(now.id) && old !== null) entry.tally.remove(old);
      entry.tally.add(now);
    }
  }

  /** @param restored number of a restored row: a count that has not read it yet continues; null: all counts begin anew */
  #drop(restored: number | null): void {
    const canContinue = restored !== null && this.#isPrintedAsKnown();
    const isUnread = ({ lacking }: Running): boolean => canContinue && lacking?.has(restored) === true;
    for (const [name, entry] of this.#running) if (!isUnread(entry)) this.#running.delete(name);
    for (const entry of this.#recounts) if (!isUnread(entry)) this.#recounts.delete(entry);
    if (!canContinue || this.#running.size === 0) this.#printed.clear();
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
