/** The ledger: every payment, durable at each step, in SQLite. */
import type { BankRef, BankReport } from '../../banks/index.ts';
import type { Book, BookTable, Row, Values } from '../../core/book/index.ts';
import type { PaymentFailure, PaymentStatus } from '../model/payment.ts';
import {
  type CheckedPayment,
  type NewPayment,
  type PaymentRow,
  paymentOf,
  statusColumns,
} from '../model/payment-row.ts';
import { saleColumns } from '../model/sale-fields.ts';
import { AcceptedPayments } from './accepted-payments.ts';
import { ChangeWatch } from './change-watch.ts';
import { PaymentQueries, paymentsWhere } from './payment-queries.ts';
import { RunningSums } from './running-sums.ts';

/** The place of the last call. */
const LAST_CALL = '(SELECT coalesce(max(called), 0) FROM payments)';
const CALLED_LAST = 'called = (SELECT max(called) FROM payments)';

/** After a rebuild banks are asked again about payments that ended unpaid, if they are no older than this. */
const BANK_REPORTS_MS = 7 * 86_400_000;

/** A bank's report about the money of a payment. */
export type Transaction = Pick<BankReport, 'trxId' | 'paidAt' | 'refunded' | 'payer' | 'paidBy'>;

/** What the bank is known to have of a payment when it is entered: usually nothing. */
export interface AtBank {
  /** The bank's reference from before the ledger lost the payment. */
  readonly ref: BankRef | null;
  readonly payload: string | null;
}

const UNKNOWN: AtBank = Object.freeze({ ref: null, payload: null });

const paymentOrNull = (row: Row | null): PaymentRow | null => (row === null ? null : paymentOf(row));

export class Ledger {
  readonly book: Book;
  readonly table: BookTable;
  /** Lists and counts of payments. */
  readonly queries: PaymentQueries;
  /** Accepted payments, by day and by shift. */
  readonly accepted: AcceptedPayments;
  /** Sums of payments for reports. */
  readonly sums: RunningSums;
  /** Wakes those who wait for a payment, by order id. */
  readonly changes = new ChangeWatch();
  readonly #openShift: () => number | null;

  /** @param openShift number of the shift in which payments are asked for and accepted; null for none */
  constructor(book: Book, openShift: () => number | null) {
    this.book = book;
    this.table = book.table('payments');
    this.queries = new PaymentQueries(this.table);
    this.accepted = new AcceptedPayments(book, this.table);
    this.sums = new RunningSums(book, this.table);
    this.#openShift = openShift;
  }

  get isOpen(): boolean {
    return this.book.problem === null;
  }

  byId(id: number): PaymentRow | null {
    return this.#first('id = :id', { id });
  }

  find(orderId: string): PaymentRow | null {
    return paymentOrNull(this.table.find(orderId));
  }

  /** The payment that a till has named by a key. @param till name of its credential */
  ofSale(till: string | null, key: string): PaymentRow | null {
    const find = (): PaymentRow | null =>
      this.#first('sale_key = :key AND till IS :till ORDER BY id LIMIT 1', { key, till });
    return find() ?? (this.table.restoreLost() ? find() : null);
  }

  /** The payment of the last call: the one that `getDynamicQRStatus` reports. */
  last(): PaymentRow | null {
    return this.book.isChanging ? this.#first(CALLED_LAST) : paymentOrNull(this.table.first(CALLED_LAST));
  }

  /** The failure of the last call, where it has no payment; else null. */
  failedCall(): PaymentFailure | null {
    const row = this.table.get(`SELECT * FROM failed_call WHERE after = ${LAST_CALL}`);
    return row === undefined
      ? null
      : { category: String(row.category), code: Number(row.code), message: String(row.message) };
  }

  /**
   * Enters a payment before it is sent to the bank.
   * @param before the payment that this one replaces, with its new status, written in the same commit
   */
  insert(payment: NewPayment, known: AtBank = UNKNOWN, before: PaymentRow | null = null): void {
    const { orderId, status, sale } = payment;
    const { payload, ref } = known;
    const called = this.#nextCall();
    this.#change([orderId], () => {
      if (before !== null) this.setStatus(before.orderId, before.status, before.endedAt);
      this.table.add(orderId, {
        order_id: orderId,
        created_at: payment.createdAt,
        boot_id: payment.bootId,
        created_mono: payment.createdMono,
        profile: payment.profile,
        bank: payment.bank,
        merchant: payment.merchant,
        amount: payment.amount,
        purpose: payment.purpose,
        ttl: payment.ttl,
        payload,
        settled: Number(status.state === 'STATIC'),
        called,
        till: payment.till,
        cashier: payment.cashier,
        asked_shift: this.#openShift(),
        sale_key: sale?.key ?? null,
        sale_body: sale?.body ?? null,
        ...saleColumns(sale),
        ...(ref === null ? {} : refColumns(ref)),
        ...statusColumns(status),
      });
    });
  }

  /**
   * Makes a payment, with its new status, the payment of the last call.
   * @param before the payment of the last call until now, with its new status, written in the same commit
   */
  callAgain({ orderId, status, endedAt }: PaymentRow, before: PaymentRow | null): void {
    const called = this.#nextCall();
    this.#change([orderId], () => {
      if (before !== null) this.setStatus(before.orderId, before.status, before.endedAt);
      this.setStatus(orderId, status, endedAt);
      this.#set(orderId, { called });
    });
  }

  /** Records the failure of a call that has no payment, until a later call. */
  recordFailedCall({ category, code, message }: PaymentFailure): void {
    const values = { category, code, message };
    const sql = `INSERT OR REPLACE INTO failed_call VALUES (1, ${LAST_CALL}, :category, :code, :message)`;
    this.#change([], () => this.table.run(sql, values));
  }

  /** Records the reference of the bank to a payment, after each step of its registration. */
  recordRef(orderId: string, ref: BankRef): void {
    this.#set(orderId, refColumns(ref));
  }

  /**
   * Records the code and the intent to show it, in one commit, before the first byte goes out.
   * @param ref the bank's reference, where it came with the code
   */
  intendToShow(orderId: string, payload: string, ref: BankRef | null = null): void {
    this.#set(orderId, { payload, seen: 1, ...(ref === null ? {} : refColumns(ref)) });
  }

  /**
   * Writes a new status. An accepted payment is settled by it, and gets the number of the open shift.
   * @param transaction what the bank reported about the money in the same answer
   */
  setStatus(
    orderId: string,
    status: PaymentStatus,
    endedAt: number | null,
    transaction: Transaction | null = null,
  ): void {
    this.#change([orderId], () => {
      const isAccepted = status.state === 'ACCEPTED';
      const row = this.table.find(orderId);
      const isNew = isAccepted && row !== null && row.state !== 'ACCEPTED';
      this.table.set(orderId, {
        ...statusColumns(status),
        ended_at: endedAt,
        ...(isAccepted ? { settled: 1 } : {}),
        ...(isNew ? { shift: this.#openShift() } : {}),
      });
      if (transaction !== null) this.setTransaction(orderId, transaction);
    });
  }

  /**
   * Writes the bank's report about the money. A value that it no longer reports stays, and the refunded sum never becomes
   * smaller.
   */
  setTransaction(orderId: string, { trxId, paidAt, refunded, payer, paidBy }: Transaction): void {
    this.#change([orderId], () => {
      const row = this.table.find(orderId);
      if (row === null) return;
      const { refunded: before, amount } = paymentOf(row);
      this.table.set(orderId, {
        ...(trxId === null ? {} : { trx_id: trxId }),
        ...(paidAt === null ? {} : { paid_at: paidAt }),
        ...(payer === null ? {} : { payer_bank: payer.bank, payer_phone: payer.phone }),
        ...(paidBy === null ? {} : { method: paidBy.method, method_word: paidBy.word }),
        refunded: Math.max(before, Math.min(refunded ?? 0, amount)),
      });
    });
  }

  /** Subtracts kopecks that a person had wrongly called refunded. */
  subtractRefunded(orderId: string, kopecks: number): void {
    const payment = this.find(orderId);
    if (payment !== null) this.#set(orderId, { refunded: payment.refunded - kopecks });
  }

  /** Records that a person has looked into the payment. */
  acknowledge(orderId: string, note: string | null, at: number): void {
    this.#set(orderId, { note, acknowledged_at: at });
  }

  /** Records that a till has printed the receipt. */
  recordReceipt(orderId: string, at: number): void {
    this.#set(orderId, { receipt_at: at });
  }

  /** Marks a payment about which the bank is not asked any more. */
  markSettled(orderId: string): void {
    if (this.find(orderId)?.settled === false) this.#set(orderId, { settled: 1 });
  }

  /**
   * After a rebuild: has the bank asked again about payments of the last days that ended unpaid, as the book may lack a
   * later report.
   */
  followAgain(): void {
    const since = this.queries.latestMoment() - BANK_REPORTS_MS;
    const ended = "settled = 1 AND state NOT IN ('ACCEPTED', 'STATIC') AND bank_id IS NOT NULL";
    for (const { orderId } of paymentsWhere(this.table, `created_at >= :since AND +${ended}`, { since }))
      this.#set(orderId, { settled: 0 });
  }

  /** Whether a payment is undamaged: checks the row now, and restores it where possible. */
  isSound(id: number): boolean {
    return this.table.isSound(id);
  }

  /** The next payments after an id, each checked, and restored where possible. A lost one is listed as null. */
  checked(id: number, limit: number): CheckedPayment[] {
    return this.table.checked(id, limit).map(({ row, ...checked }) => ({
      ...checked,
      payment: row === null ? null : paymentOf(row),
    }));
  }

  /** The next number for a call, after all others. Not to be read within a change. */
  #nextCall(): number {
    return Number(this.table.first(CALLED_LAST)?.called ?? 0) + 1;
  }

  #first(condition: string, values: Values = {}): PaymentRow | null {
    return paymentsWhere(this.table, condition, values)[0] ?? null;
  }

  /** Payments change only here and in `#set`. @throws {Error} of the storage: nothing has changed then */
  #change(orderIds: readonly string[], work: () => void): void {
    this.book.change(work);
    this.changes.notify(orderIds);
  }

  #set(orderId: string, values: Readonly<Record<string, string | number | null>>): void {
    this.book.change(() => this.table.set(orderId, values));
    this.changes.notify([orderId]);
  }
}

const refColumns = (ref: BankRef) => ({ bank_id: ref.id, bank_ref: JSON.stringify(ref) });
