/** The refunds of the book of money. Each is written before it is sent to the bank, and after each step. */
import { type Book, type BookTable, changedWhere, type Row, type Values } from '../../core/book/index.ts';
import type { LocalDay } from '../model/local-day.ts';
import {
  type Decision,
  type NewRefund,
  type Refund,
  type RefundProgress,
  type RefundWay,
  refundOf,
  storedTillId,
} from '../model/refund.ts';
import { type SumOfShift, sumOf } from './accepted-payments.ts';
import { ChangeWatch } from './change-watch.ts';

/** Condition for refunds that have changed since the commit `:since`. */
const CHANGED = changedWhere('refunds', 'change_no > :since');
const DONE_BETWEEN = "state = 'done' AND ended_at >= :from AND ended_at < :to";

/** The columns of how a refund went back; unknown values change nothing. */
const columnsOf = ({ paidBy, trxId }: RefundWay = { paidBy: null, trxId: null }): Values => ({
  ...(paidBy !== null && { method: paidBy.method, method_word: paidBy.word }),
  ...(trxId !== null && { trx_id: trxId }),
});

export class RefundLedger {
  readonly book: Book;
  readonly table: BookTable;
  readonly #openShift: () => number | null;
  /** Wakes those who wait for a refund, by its `refundId`. */
  readonly changes = new ChangeWatch();

  /** @param openShift number of the shift in which refunds are done; null for none */
  constructor(book: Book, openShift: () => number | null) {
    this.book = book;
    this.table = book.table('refunds');
    this.#openShift = openShift;
  }

  get isOpen(): boolean {
    return this.book.problem === null;
  }

  /** Enters a refund before it is sent to the bank. */
  insert(refund: NewRefund): Refund {
    const { refundId, tillId, orderId, profile, bank, amount, refundedBefore, createdAt, refundedBy, requester, why } =
      refund;
    return this.#commit(refundId, () => {
      this.table.add(refundId, {
        refund_id: refundId,
        till_id: storedTillId(tillId, requester.till),
        order_id: orderId,
        profile,
        bank,
        amount,
        refunded_before: refundedBefore,
        created_at: createdAt,
        giver: refundedBy,
        state: 'asked',
        till: requester.till,
        cashier: requester.cashier,
        answered_by: requester.answeredBy,
        why: why ?? null,
      });
    });
  }

  /** Records the state of a refund. */
  record(refundId: string, { state, bankRefundId, reason, endedAt, way }: RefundProgress): Refund {
    return this.#change(refundId, () => ({
      state,
      bank_refund_id: bankRefundId,
      reason,
      ended_at: endedAt,
      ...columnsOf(way),
    }));
  }

  /** Records the decision of a person. The state of an ended refund stays. */
  decide(refundId: string, decision: Decision): Refund {
    return this.#change(refundId, (refund) => ({
      ...decisionColumns(refund, decision),
      ...(refund.endedAt === null ? { state: decision.outcome, ended_at: decision.at } : {}),
    }));
  }

  /** Records a decision that reverses an earlier one: the state of the refund follows it. */
  reverseDecision(refundId: string, decision: Decision): Refund {
    return this.#change(refundId, (refund) => ({
      ...decisionColumns(refund, decision),
      state: decision.outcome,
      ended_at: decision.at,
      // a shift that is still open has not counted it: if it goes back after all, the shift open then counts it
      ...(refund.shift === this.#openShift() ? { shift: null } : {}),
    }));
  }

  /** Records the bank's report on a refund that a person had decided. Money counted as gone back stays counted. */
  recordBankReport(refundId: string, { state, bankRefundId, reason, endedAt, way }: RefundProgress): Refund {
    return this.#change(refundId, (before) => ({
      told: state,
      told_at: endedAt,
      bank_refund_id: bankRefundId,
      reason,
      ...columnsOf(way),
      ...(state === 'done' && before.state !== 'done' ? { state, ended_at: endedAt } : {}),
    }));
  }

  /** Kopecks that a refunder with a limit gave back between two timestamps, ms since 1970; undecided refunds count too. */
  sumRefundedBy(refundedBy: string, { from, to }: Pick<LocalDay, 'from' | 'to'>): number {
    const condition = "giver = :giver AND created_at >= :from AND created_at < :to AND state <> 'refused'";
    return this.#where(condition, { giver: refundedBy, from, to }).reduce((sum, { amount }) => sum + amount, 0);
  }

  /** The refund of an id. @throws {Error} where there is none */
  get(refundId: string): Refund {
    const row = this.table.find(refundId);
    return row === null ? missing(refundId) : refundOf(row);
  }

  /** @param till the till that asked for the refund */
  ofTill(tillId: string, till: string | null): Refund | null {
    const find = (): Refund | null =>
      this.#where('till_id = :tillId', { tillId: storedTillId(tillId, till) })[0] ?? null;
    return find() ?? (this.table.restoreLost() ? find() : null);
  }

  /** Refunds of one payment, oldest first. */
  of(orderId: string): Refund[] {
    return this.#where('order_id = :orderId ORDER BY id', { orderId });
  }

  /** Order ids of payments with a refund of this operation, or of this id of the bank. */
  ordersRefundedBy(operation: string, limit: number): string[] {
    const condition = 'trx_id = :operation OR bank_refund_id = :operation';
    const sql = `SELECT DISTINCT order_id FROM refunds WHERE ${condition} LIMIT :limit`;
    return this.table.all(sql, { operation, limit }).map(({ order_id }) => String(order_id));
  }

  /** Refunds done between two timestamps, ms since 1970. */
  doneBetween(from: number, to: number): Refund[] {
    return this.#where(DONE_BETWEEN, { from, to });
  }

  /**
   * Refunds done in a shift. One that a person reversed after the shift was closed stays among them: the shift has counted it.
   * @param since number of a commit: only refunds that have changed since
   */
  doneIn(shift: number, since: number): Refund[] {
    return this.#where(`shift = :shift AND ${CHANGED} ORDER BY +id`, { shift, since });
  }

  /** Kopecks that went back, by the shift that has counted them: of the refunds with numbers above `after`, up to `last`. */
  sumsByShift(after: number, last: number): SumOfShift[] {
    const sql = `SELECT shift, sum(amount) AS sum, sum(iif(state = 'done' AND ended_at IS NULL, amount, 0)) AS lost
      FROM refunds WHERE id > :after AND id <= :last AND (+state = 'done' OR +shift IS NOT NULL) GROUP BY +shift`;
    return this.table.all(sql, { after, last }).map(sumOf);
  }

  /** Order ids of the payments whose refunds have changed since: of rows that are not checked. */
  changedSince(since: number): string[] {
    return this.#ordersOf(CHANGED, { since });
  }

  /** Order ids of the payments with refunds done between two timestamps, ms since 1970: of rows that are not checked. */
  ordersDoneBetween(from: number, to: number): string[] {
    return this.#ordersOf(DONE_BETWEEN, { from, to });
  }

  /** The next refunds by the number of their last change, for the master of the store. */
  changedAfter(change: number, limit: number): { readonly change: number; readonly refund: Refund }[] {
    return this.table
      .changedAfter(change, limit)
      .map((row) => ({ change: Number(row.change_no), refund: refundOf(row) }));
  }

  /** Undecided refunds, oldest first. */
  undecided(): Refund[] {
    return this.#where("state NOT IN ('done', 'refused') ORDER BY id");
  }

  /**
   * Refunds that a person has decided and whose end the bank has not reported. Newest first: an old one delays no
   * other.
   */
  unreported(limit: number): Refund[] {
    return this.#where("decided IS NOT NULL AND told NOT IN ('done', 'refused') ORDER BY id DESC LIMIT :limit", {
      limit,
    });
  }

  /** Refunds on which the bank has reported the opposite of an earlier decision of a person. Oldest first. */
  contradicted(): Refund[] {
    return this.#where('decided IS NOT NULL AND told_at >= decided_at AND told <> decided ORDER BY id');
  }

  /** @param valuesAfter returns the new values of the columns */
  #change(refundId: string, valuesAfter: (before: Refund) => Values): Refund {
    return this.#commit(refundId, () => {
      const before = refundOf(this.#row(refundId));
      this.table.set(refundId, valuesAfter(before));
      const isDone = before.state !== 'done' && this.#row(refundId).state === 'done';
      // a refund that was decided to be refused, and went back after all, stays in the shift that has counted it
      if (isDone && before.shift === null) this.table.set(refundId, { shift: this.#openShift() });
    });
  }

  #commit(refundId: string, write: () => void): Refund {
    this.table.change(write);
    this.changes.notify([refundId]);
    return this.get(refundId);
  }

  /** The row as it is within the current transaction. @throws {Error} where there is none */
  #row(refundId: string): Row {
    return this.table.find(refundId) ?? missing(refundId);
  }

  #ordersOf(condition: string, values: Values): string[] {
    const found = this.table.all(`SELECT DISTINCT order_id FROM refunds WHERE ${condition}`, values);
    return found.map(({ order_id }) => String(order_id));
  }

  #where(condition: string, values: Values = {}): Refund[] {
    return this.table.rows(condition, values).map(refundOf);
  }
}

function missing(refundId: string): never {
  throw new Error(`refund ${refundId} is not in the ledger`);
}

const decisionColumns = ({ state, told }: Refund, { outcome, note, at }: Decision) => ({
  told: told ?? state,
  decided: outcome,
  decided_at: at,
  note,
});
