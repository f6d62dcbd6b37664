/**
 * Payments whose money has gone back, with their refunds, for reports that are made anew with each step of a refund. Each
 * payment is read and checked once, until one of its rows is written or restored.
 */
import { inTurnsOf } from '../../../drivers/lib/turns.ts';
import { isStoreError } from '../../core/files/index.ts';
import type { PaymentRow } from '../model/payment-row.ts';
import type { Refund } from '../model/refund.ts';
import type { Ledger } from '../money/ledger.ts';
import type { RefundLedger } from '../money/refund-ledger.ts';

interface ReadOrder {
  readonly payment: PaymentRow | null;
  readonly refunds: readonly Refund[];
}

/** Orders that are read in one turn of the event loop: some milliseconds. */
const READ_AT_ONCE = 20;
/** Orders in the cache, which is emptied when it is full: as many as a shop with many refunds has in a day. */
const MOST_CACHED = 5000;

export class OrderCache {
  readonly #ledger: Ledger;
  readonly #refunds: RefundLedger;
  readonly #cache = new Map<string, ReadOrder>();

  constructor(ledger: Ledger, refunds: RefundLedger) {
    this.#ledger = ledger;
    this.#refunds = refunds;
    const tables: readonly string[] = [ledger.table.shape.name, refunds.table.shape.name];
    ledger.book.onCommitted((changes) => {
      for (const { table, before, after } of changes)
        if (tables.includes(table)) for (const row of [before, after]) this.#cache.delete(String(row?.order_id));
    });
    ledger.book.onRestored(() => this.#cache.clear());
  }

  find(orderId: string): PaymentRow | null {
    return this.#read(orderId).payment;
  }

  /** Refunds of one payment, oldest first. */
  of(orderId: string): readonly Refund[] {
    return this.#read(orderId).refunds;
  }

  /** Reads orders into the cache, some in each turn of the event loop. */
  async readAll(orderIds: readonly string[]): Promise<void> {
    const unread = [...new Set(orderIds)].filter((orderId) => !this.#cache.has(orderId));
    await inTurnsOf(READ_AT_ONCE, unread, (orderId) => this.#read(orderId));
  }

  /** An order with rows that are not as they were written is not cached: each report that reads it must learn of that. */
  #read(orderId: string): ReadOrder {
    const known = this.#cache.get(orderId);
    if (known !== undefined) return known;
    const read = (): ReadOrder => ({ payment: this.#ledger.find(orderId), refunds: this.#refunds.of(orderId) });
    try {
      const order = this.#ledger.book.readSound(read);
      if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
      this.#cache.set(orderId, order);
      return order;
    } catch (error) {
      if (!isStoreError(error, 'ROWS_UNSOUND')) throw error;
      return read();
    }
  }
}
