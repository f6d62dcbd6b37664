/** The ledger: every payment, durable at each step, in SQLite. */
import { CheckedTable } from '../../store/index.ts';
import type { BankRef, BankReport } from '../banks/bank.ts';
import type { PaymentFailure, PaymentStatus } from '../payments/payment.ts';
import { type BookPlace, CHECKED_AT_START, ChangeWatch } from './checked-book.ts';
import { LedgerQueries } from './ledger-queries.ts';
import { LEDGER_MIGRATIONS, PAYMENTS_TABLE } from './ledger-schema.ts';
import { LAST_CALL } from './payment-queries.ts';
import { type CheckedPayment, type NewPayment, type PaymentRow, paymentOf, statusColumns } from './payment-row.ts';

/** How long after the end of a code its bank may still be asked what became of it. */
const BANK_REPORTS_MS = 7 * 86_400_000;

/** What a bank reports of the money of a payment. */
export type Transaction = Pick<BankReport, 'trxId' | 'paidAt' | 'refunded' | 'payer'>;

/** What is known of a payment when it is entered: of most nothing. */
export interface AtBank {
  /** What the bank has known it by since before the ledger lost it. */
  readonly ref: BankRef | null;
  readonly payload: string | null;
}

const UNKNOWN: AtBank = Object.freeze({ ref: null, payload: null });

/** Writes beside each change of payments what it means, in the same commit. */
export interface Witness {
  /** A commit begins. */
  isBegun(): void;
  /** A payment is changed by it. @param before null for a new one */
  isChanged(before: PaymentRow | null, after: PaymentRow): void;
  isCommitted(): void;
  /** Nothing has changed. */
  isUndone(): void;
}

export class Ledger extends LedgerQueries {
  /** By order id. */
  readonly changes = new ChangeWatch();
  #witness: Witness | null = null;
  #openShift: () => number | null = () => null;
  #shiftOf: (payment: PaymentRow) => number | null = () => null;

  static open(place: BookPlace): Ledger {
    const ledger = new Ledger(CheckedTable.open({ ...place, migrations: LEDGER_MIGRATIONS, shape: PAYMENTS_TABLE }));
    if (ledger.isOpen) ledger.isOpened();
    return ledger;
  }

  /** From now on no payment changes without it. */
  witnessedBy(witness: Witness): void {
    this.#witness = witness;
    this.table.onChanged((before, after) =>
      witness.isChanged(before === null ? null : paymentOf(before), paymentOf(after)),
    );
  }

  /**
   * From now on payments are asked for in this shift, and accepted in that one.
   * @param openShift its number; null where that cannot be read
   * @param shiftOf the same, unless an earlier one has counted the payment
   */
  countedIn(openShift: () => number | null, shiftOf: (payment: PaymentRow) => number | null): void {
    this.#openShift = openShift;
    this.#shiftOf = shiftOf;
  }

  /**
   * Enters a payment before it is sent to the bank.
   * @param before the payment that this one replaces, with its new status, written in the same commit
   */
  insert(payment: NewPayment, known: AtBank = UNKNOWN, before: PaymentRow | null = null): void {
    const { orderId, status, sale } = payment;
    const { payload, ref } = known;
    const called = this.nextCall();
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
        reference: sale?.reference ?? null,
        ...(ref === null ? {} : refColumns(ref)),
        ...statusColumns(status),
      });
    });
  }

  /**
   * Makes a payment the one that the last call was about, as it has become by it.
   * @param before the payment that was so till now as it has become by this, kept in the same commit
   */
  callAgain({ orderId, status, endedAt }: PaymentRow, before: PaymentRow | null): void {
    const called = this.nextCall();
    this.#change([orderId], () => {
      if (before !== null) this.setStatus(before.orderId, before.status, before.endedAt);
      this.setStatus(orderId, status, endedAt);
      this.#set(orderId, { called });
    });
  }

  /** Keeps how a call failed that has no payment of its own, until there is a call after it. */
  keepFailedCall({ category, code, message }: PaymentFailure): void {
    const values = { category, code, message };
    const sql = `INSERT OR REPLACE INTO failed_call VALUES (1, ${LAST_CALL}, :category, :code, :message)`;
    this.#change([], () => this.table.run(sql, values));
  }

  /** What the bank knows a payment by, after each step of its registration. */
  keepRef(orderId: string, ref: BankRef): void {
    this.#set(orderId, refColumns(ref));
  }

  /**
   * The code together with the intent to show it, in one commit, before the first byte goes out.
   * @param ref what the bank knows it by, where that came with the code
   */
  intendToShow(orderId: string, payload: string, ref: BankRef | null = null): void {
    this.#set(orderId, { payload, seen: 1, ...(ref === null ? {} : refColumns(ref)) });
  }

  /**
   * Who has paid is asked about no more: that is known with it.
   * @param transaction what the bank has reported of the money with it
   */
  setStatus(
    orderId: string,
    status: PaymentStatus,
    endedAt: number | null,
    transaction: Transaction | null = null,
  ): void {
    this.#change([orderId], () => {
      const isAccepted = status.state === 'ACCEPTED';
      const row = this.table.row(orderId);
      const isNew = isAccepted && row !== null && row.state !== 'ACCEPTED';
      this.table.set(orderId, {
        ...statusColumns(status),
        ended_at: endedAt,
        ...(isAccepted ? { settled: 1 } : {}),
        ...(isNew ? { shift: this.#shiftOf(paymentOf(row)) } : {}),
      });
      if (transaction !== null) this.setTransaction(orderId, transaction);
    });
  }

  /** What the bank reports of the money; what it reported before stays where it reports nothing now, and more never becomes less. */
  setTransaction(orderId: string, { trxId, paidAt, refunded, payer }: Transaction): void {
    this.#change([orderId], () => {
      const row = this.table.row(orderId);
      if (row === null) return;
      const { refunded: before } = paymentOf(row);
      this.table.set(orderId, {
        ...(trxId === null ? {} : { trx_id: trxId }),
        ...(paidAt === null ? {} : { paid_at: paidAt }),
        ...(payer === null ? {} : { payer_bank: payer.bank, payer_phone: payer.phone }),
        refunded: Math.max(before, refunded ?? 0),
      });
    });
  }

  /** Payments that were accepted without a shift count in the one that is open. */
  adopt(): void {
    const found = this.many("state = 'ACCEPTED' AND shift IS NULL");
    if (found.length === 0) return;
    this.#change([], () => {
      for (const payment of found) this.table.set(payment.orderId, { shift: this.#shiftOf(payment) });
    });
  }

  /** A person has looked into it. */
  keepNote(orderId: string, note: string | null, at: number): void {
    this.#set(orderId, { note, acknowledged_at: at });
  }

  /** A till has printed its receipt. */
  keepReceipt(orderId: string, at: number): void {
    this.#set(orderId, { receipt_at: at });
  }

  /** The bank will not be asked about it again. */
  markSettled(orderId: string): void {
    if (this.find(orderId)?.settled === false) this.#set(orderId, { settled: 1 });
  }

  /**
   * Payments that were restored to an earlier state are asked about again, unless it is known to be the last: what the
   * bank has accepted since must not stay unknown.
   */
  askAgain(): void {
    const ids = this.table.takeUnconfirmed();
    const since = this.latestMoment() - BANK_REPORTS_MS;
    const ended = "settled = 1 AND state NOT IN ('ACCEPTED', 'STATIC') AND bank_id IS NOT NULL";
    for (const id of ids) {
      const settled = this.one(`id = :id AND ${ended} AND created_at + ttl * 60000 >= :since`, { id, since });
      if (settled !== null) this.#set(settled.orderId, { settled: 0 });
    }
  }

  /** Whether a payment is undamaged: checked now, and restored where that is possible. */
  isSound(id: number): boolean {
    this.table.verify([id]);
    return this.table.findings.get(id) !== 'damaged';
  }

  /** The same, each looked at: what can be put back is. One that is lost has its place. */
  checked(id: number, limit: number): CheckedPayment[] {
    return this.table.checked(id, limit).map(({ row, ...checked }) => ({
      ...checked,
      payment: row === null ? null : paymentOf(row),
    }));
  }

  protected override isOpened(): void {
    this.verifyNewest(this.followed(CHECKED_AT_START).map(({ id }) => id));
    this.askAgain();
  }

  /** The one place where payments change. @throws {Error} of SQLite: nothing has changed then */
  #change(orderIds: readonly string[], work: () => void): void {
    const isPart = this.table.isChanging;
    this.commit(work);
    this.changes.notify(orderIds);
    if (!isPart) this.#witness?.isCommitted();
  }

  /** Writes in one commit what others of this file keep beside the payments. @throws {Error} of SQLite: nothing has changed then */
  commit(work: () => void): void {
    const witness = this.#witness;
    const isPart = this.table.isChanging;
    try {
      this.table.change(() => {
        if (!isPart) witness?.isBegun();
        work();
      });
    } catch (error) {
      if (!isPart) witness?.isUndone();
      throw error;
    }
  }

  #set(orderId: string, values: Readonly<Record<string, string | number | null>>): void {
    this.#change([orderId], () => this.table.set(orderId, values));
  }
}

const refColumns = (ref: BankRef) => ({ bank_id: ref.id, bank_ref: JSON.stringify(ref) });
