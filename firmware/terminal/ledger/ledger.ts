/** The ledger: every payment, durable at each step, in SQLite. */
import type { SQLInputValue } from 'node:sqlite';
import type { TableFile } from '../../store/checked/open-table.ts';
import { CheckedTable } from '../../store/checked/table.ts';
import type { BankRef, BankReport } from '../banks/bank.ts';
import type { PaymentFailure, PaymentState, PaymentStatus } from '../payments/payment.ts';
import { LEDGER_MIGRATIONS, PAYMENTS_TABLE } from './ledger-schema.ts';
import {
  type CheckedPayment,
  type NewPayment,
  type PaymentRow,
  paymentOf,
  STATUS_COLUMNS,
  statusColumns,
} from './payment-row.ts';
import { type PaymentSearch, searchOf } from './payment-search.ts';

/** Payments whose checksums are looked at before the ports answer: more than a day of a lane. */
const CHECKED_AT_START = 1000;
/** How long after the end of a code its bank may still be asked what became of it. */
const BANK_TELLS_MS = 7 * 86_400_000;

/** Where the ledger lies, and its second copy. */
export type LedgerPlace = Pick<TableFile, 'path' | 'secondFolder' | 'now'>;

/** What a bank tells of the money of a payment. */
export type Transaction = Pick<BankReport, 'trxId' | 'paidAt' | 'refunded'>;

type Values = Readonly<Record<string, SQLInputValue>>;

/** The place of the last call. */
const LAST_CALL = '(SELECT coalesce(max(called), 0) FROM payments)';
/** The place of a call that comes after all others. */
const NEXT_CALL = '(SELECT coalesce(max(called), 0) + 1 FROM payments)';

const INSERT = `INSERT INTO payments
  (order_id, created_at, boot_id, created_mono, profile, bank, profile_sealed, merchant, amount, purpose, ttl, payload, settled, called,
    ${STATUS_COLUMNS.join(', ')})
  VALUES (:orderId, :createdAt, :bootId, :createdMono, :profile, :bank, '', :merchant, :amount, :purpose, :ttl, :payload, :settled,
    ${NEXT_CALL}, ${STATUS_COLUMNS.map((column) => `:${column}`).join(', ')})`;
const SET_STATUS = `UPDATE payments SET ${STATUS_COLUMNS.map((column) => `${column} = :${column}`).join(', ')}, ended_at = :endedAt
  WHERE order_id = :orderId`;

/** Of payments that were accepted from one moment to another. */
const TAKEN = `state = 'ACCEPTED' AND coalesce(paid_at, ended_at) >= :from AND coalesce(paid_at, ended_at) < :to`;

/** What was accepted with one profile. */
export interface Taken {
  readonly profile: string;
  readonly bank: string;
  readonly count: number;
  /** Kopecks. */
  readonly sum: number;
  /** How many of them somebody must look into. */
  readonly late: number;
}

export class Ledger {
  readonly #table: CheckedTable;

  constructor(table: CheckedTable) {
    this.#table = table;
  }

  /** Whatever became of its files: where the disk gives or takes nothing, it is closed, and whatever is asked of it fails. */
  static open(place: LedgerPlace): Ledger {
    const ledger = new Ledger(CheckedTable.open({ ...place, migrations: LEDGER_MIGRATIONS, shape: PAYMENTS_TABLE }));
    if (ledger.isOpen) ledger.#isOpened();
    return ledger;
  }

  get isOpen(): boolean {
    return this.#table.problem === null;
  }

  /** Tries once more to open it where it is closed; returns whether it was opened by that. */
  tryOpening(): boolean {
    const isOpened = this.#table.tryOpening();
    if (isOpened) this.#isOpened();
    return isOpened;
  }

  /** Its storage, for who looks after that. */
  get table(): CheckedTable {
    return this.#table;
  }

  /**
   * Before the bank hears of it.
   * @param before the payment before as it has become by this one, kept in the same commit
   */
  insert(payment: NewPayment, payload: string | null = null, before: PaymentRow | null = null): void {
    const { status, ...row } = payment;
    const settled = Number(status.state === 'STATIC');
    this.#table.change([payment.orderId], () => {
      if (before !== null) this.setStatus(before.orderId, before.status, before.endedAt);
      this.#table.run(INSERT, { ...row, payload, settled, ...statusColumns(status) });
    });
  }

  /**
   * Makes a payment the one that the last call was about, as it has become by it.
   * @param before the payment that was so till now as it has become by this, kept in the same commit
   */
  callAgain({ orderId, status, endedAt }: PaymentRow, before: PaymentRow | null): void {
    this.#table.change([orderId], () => {
      if (before !== null) this.setStatus(before.orderId, before.status, before.endedAt);
      this.setStatus(orderId, status, endedAt);
      this.#update(`called = ${NEXT_CALL}`, { orderId });
    });
  }

  /** Keeps how a call failed that has no payment of its own, until there is a call after it. */
  keepFailedCall({ category, code, message }: PaymentFailure): void {
    const values = { category, code, message };
    const sql = `INSERT OR REPLACE INTO failed_call VALUES (1, ${LAST_CALL}, :category, :code, :message)`;
    this.#table.change([], () => this.#table.run(sql, values));
  }

  /** How the last call failed, where it has no payment of its own; else null. */
  failedCall(): PaymentFailure | null {
    const row = this.#table.get(`SELECT * FROM failed_call WHERE after = ${LAST_CALL}`);
    return row === undefined
      ? null
      : { category: String(row.category), code: Number(row.code), message: String(row.message) };
  }

  /** Whether another payment of the bank has its id, or any other the code. */
  isTaken({ orderId, bank }: Pick<NewPayment, 'orderId' | 'bank'>, bankId: string, payload: string | null): boolean {
    const others = 'SELECT 1 FROM payments WHERE order_id <> :orderId AND';
    const sql = `${others} bank_id = :bankId AND bank = :bank UNION ALL ${others} payload = :payload LIMIT 1`;
    return this.#table.get(sql, { orderId, bank, bankId, payload }) !== undefined;
  }

  /** What the bank knows a payment by, after each step of its registration. */
  keepRef(orderId: string, ref: BankRef): void {
    this.#update('bank_id = :bankId, bank_ref = :ref', { orderId, bankId: ref.id, ref: JSON.stringify(ref) });
  }

  /** The code together with the intent to show it, in one commit, before the first byte goes out. */
  intendToShow(orderId: string, payload: string): void {
    this.#update('payload = :payload, seen = 1', { orderId, payload });
  }

  /** Whether the code is on the display by the till's own wish: only such a one is put back after a restart. */
  setDrawn(orderId: string, drawn: boolean): void {
    this.#update('drawn = :drawn', { orderId, drawn: Number(drawn) });
  }

  /** @param transaction what the bank has told of the money with it */
  setStatus(
    orderId: string,
    status: PaymentStatus,
    endedAt: number | null,
    transaction: Transaction | null = null,
  ): void {
    this.#table.change([orderId], () => {
      this.#table.run(SET_STATUS, { orderId, ...statusColumns(status), endedAt });
      if (transaction !== null) this.setTransaction(orderId, transaction);
    });
  }

  /** What the bank tells of the money; what it told before stays where it tells nothing now, and more never becomes less. */
  setTransaction(orderId: string, { trxId, paidAt, refunded }: Transaction): void {
    const trx = 'trx_id = coalesce(:trxId, trx_id), paid_at = coalesce(:paidAt, paid_at)';
    this.#update(`${trx}, refunded = max(refunded, :refunded)`, { orderId, trxId, paidAt, refunded: refunded ?? 0 });
  }

  /** A person has looked into it. */
  keepNote(orderId: string, note: string | null, at: number): void {
    this.#update('note = :note, acknowledged_at = :at', { orderId, note, at });
  }

  /** The bank will not be asked about it again. */
  markSettled(orderId: string): void {
    this.#update('settled = 1', { orderId });
  }

  /**
   * Payments that were put back as they had once been are asked about again, if nothing tells that this was the last: what the
   * bank has accepted since must not stay unknown.
   */
  askAgain(): void {
    const ids = this.#table.takeUnconfirmed();
    const since = this.latestMoment() - BANK_TELLS_MS;
    const ended = "settled = 1 AND state NOT IN ('ACCEPTED', 'STATIC') AND bank_id IS NOT NULL";
    for (const id of ids) {
      const doubtful = this.#one(`id = :id AND ${ended} AND created_at + ttl * 60000 >= :since`, { id, since });
      if (doubtful !== null) this.#update('settled = 0', { orderId: doubtful.orderId });
    }
  }

  byId(id: number): PaymentRow | null {
    return this.#one('id = :id', { id });
  }

  find(orderId: string): PaymentRow | null {
    return this.#one('order_id = :orderId', { orderId });
  }

  /**
   * Payments that fit all that is asked for, newest first.
   * @param before only those with a lower number
   */
  search(wanted: PaymentSearch, before: number, limit: number): PaymentRow[] {
    const { conditions, values } = searchOf(wanted);
    const which = [...conditions, 'id < :before'].join(' AND ');
    return this.#many(`${which} ORDER BY id DESC LIMIT :limit`, { ...values, before, limit });
  }

  /** What was accepted from one moment (ms since 1970) to another, by the bank's clock where it has told, by profile and bank. */
  taken(from: number, to: number): Taken[] {
    const sql = `SELECT profile, bank, count(*) AS count, sum(amount) AS sum, sum(late) AS late FROM payments
      WHERE ${TAKEN} GROUP BY profile, bank ORDER BY profile, bank`;
    return this.#table.all(sql, { from, to }).map((row) => ({
      profile: String(row.profile),
      bank: String(row.bank),
      count: Number(row.count),
      sum: Number(row.sum),
      late: Number(row.late),
    }));
  }

  /**
   * The payments themselves, those accepted first in front: for reading them in pieces.
   * @param after the last one of the piece before
   */
  takenBetween(from: number, to: number, limit: number, after: PaymentRow | null = null): PaymentRow[] {
    const beyond = `AND (coalesce(paid_at, ended_at) > :from OR id > :id) ORDER BY coalesce(paid_at, ended_at), id`;
    const since = after?.paidAt ?? after?.endedAt ?? from;
    return this.#many(`${TAKEN} ${beyond} LIMIT :limit`, { from: since, to, id: after?.id ?? 0, limit });
  }

  /** Of these, the payments of which something has gone back. */
  takenAndReturned(from: number, to: number): PaymentRow[] {
    return this.#many(`${TAKEN} AND refunded > 0`, { from, to });
  }

  /** Those that were asked for from one moment to another, and are in a state now. */
  askedBetween(from: number, to: number, state: PaymentState): PaymentRow[] {
    return this.#many('created_at >= :from AND created_at < :to AND state = :state', { from, to, state });
  }

  /** Whether a payment is as it was written: looked at now, and put back where it can be. */
  isSound(id: number): boolean {
    this.#table.verify([id]);
    return this.#table.findings.get(id) !== 'damaged';
  }

  /** The payment of the last call: the one that `getDynamicQRStatus` speaks of. */
  last(): PaymentRow | null {
    return this.#one('called = (SELECT max(called) FROM payments)');
  }

  /** The newest payments that the bank must still be asked about, oldest first. */
  followed(limit: number): PaymentRow[] {
    return this.#many('settled = 0 ORDER BY id DESC LIMIT :limit', { limit }).reverse();
  }

  /** The newest of them before one. */
  followedBefore(id: number): PaymentRow | null {
    return this.#one('id = (SELECT max(id) FROM payments WHERE settled = 0 AND id < :id)', { id });
  }

  /** Those that a process left before their code was shown. */
  unshown(): PaymentRow[] {
    return this.#many('settled = 0 AND seen = 0 ORDER BY id');
  }

  /** Accepted without a till knowing, newest first. */
  untold(): PaymentRow[] {
    return this.#many('untold = 1 ORDER BY id DESC');
  }

  /** Accepted and to be looked into, the latest first. */
  late(limit: number): PaymentRow[] {
    return this.#many('late = 1 ORDER BY ended_at DESC, id DESC LIMIT :limit', { limit });
  }

  lateCount(): number {
    return Number(this.#table.get('SELECT count(*) AS n FROM payments WHERE late = 1')?.n ?? 0);
  }

  /** Newest first. */
  recent(limit: number): PaymentRow[] {
    return this.#many('id <= (SELECT max(id) FROM payments) ORDER BY id DESC LIMIT :limit', { limit });
  }

  /** The next payments after an id, in order: for reading the whole ledger in pieces. */
  after(id: number, limit: number): PaymentRow[] {
    return this.#many('id > :id ORDER BY id LIMIT :limit', { id, limit });
  }

  /** The same, each looked at: what can be put back is. One that is lost has its place. */
  checked(id: number, limit: number): CheckedPayment[] {
    return this.#table.checked(id, limit).map(({ row, ...checked }) => ({
      ...checked,
      payment: row === null ? null : paymentOf(row),
    }));
  }

  /** Latest moment that the ledger knows of, ms since 1970; 0 when it is empty. */
  latestMoment(): number {
    const row = this.#table.get('SELECT max(max(created_at, coalesce(ended_at, 0))) AS latest FROM payments');
    return Number(row?.latest ?? 0);
  }

  /** Writes to the disk and changes nothing. @throws {Error} of the database when it cannot */
  tryWrite(): void {
    this.#table.tryWrite();
  }

  close(): void {
    this.#table.close();
  }

  #isOpened(): void {
    this.#checkNewest();
    this.askAgain();
  }

  /** What the next calls may be about; all the others are looked at beside the payments, and by an export. */
  #checkNewest(): void {
    const { lastId } = this.#table;
    const newest = Array.from({ length: Math.min(CHECKED_AT_START, lastId) }, (_, n) => lastId - n);
    this.#table.verify([...this.followed(CHECKED_AT_START).map(({ id }) => id), ...newest]);
  }

  #one(which: string, values: Values = {}): PaymentRow | null {
    const row = this.#table.get(`SELECT * FROM payments WHERE ${which}`, values);
    return row === undefined ? null : paymentOf(row);
  }

  #many(which: string, values: Values = {}): PaymentRow[] {
    return this.#table.all(`SELECT * FROM payments WHERE ${which}`, values).map(paymentOf);
  }

  #update(what: string, values: Values & { readonly orderId: string }): void {
    const sql = `UPDATE payments SET ${what} WHERE order_id = :orderId`;
    this.#table.change([values.orderId], () => this.#table.run(sql, values));
  }
}
