/** The sandbox bank's payments, of every dialect: each is on the disk before anyone is told of it. */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Clock } from '../host/clock.ts';
import { transaction } from '../store/database.ts';
import { openBooks } from './books.ts';
import { SandboxError } from './errors.ts';
import { comesInto, paymentBegins, scriptOf } from './scripts.ts';

/** The banks whose interfaces are spoken. */
export type Dialect = 'cft' | 'rbs' | 'tbank' | 'raif' | 'yookassa' | 'gpb' | 'anyway';

/** - `processing`: the payer has paid, and the bank is not done; `cancelled`: withdrawn by the merchant */
export type PaymentState = 'open' | 'processing' | 'paid' | 'declined' | 'cancelled' | 'expired';

/** What a dialect keeps beside a payment. */
export type Detail = Readonly<Record<string, string>>;

export interface SandboxPayment {
  readonly dialect: Dialect;
  /** The id that the till asks by; the code's where the dialect has no other. */
  readonly bankId: string;
  readonly qrcId: string;
  /** The till's id of the order, or its `Idempotency-Key`. */
  readonly orderId: string | null;
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  readonly state: PaymentState;
  /** How often money was taken; more than 1 would be a defect of the bank. */
  readonly charges: number;
  /** Kopecks that have gone back to the payer, or are about to. */
  readonly refunded: number;
  /** What the QR code carries. */
  readonly link: string;
  /** Whether the till was given its code. */
  readonly coded: boolean;
  /** The payment system's id of the transfer; null until it is paid. */
  readonly trxId: string | null;
  readonly paidAt: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Until it can no longer be paid; 0 for one that is not open. */
  readonly remainingMs: number;
  readonly detail: Detail;
}

export interface NewPayment {
  readonly dialect: Dialect;
  /** Who is paid: other merchants cannot see it. */
  readonly merchant: string;
  /** The code's id unless given. */
  readonly bankId?: string;
  readonly orderId: string | null;
  readonly amount: number;
  readonly purpose: string | null;
  readonly ttlMs: number;
  /** False where the code is given by another call. */
  readonly coded?: boolean;
  readonly detail?: Detail;
}

/** A code that stays, such as one that is printed. */
export interface CashLink {
  readonly qrcId: string;
  readonly link: string;
}

/** More than any till makes in a day of tests; the oldest beyond it go at the next start. */
const KEPT_PAYMENTS = 20_000;
/** Without letters and digits that look alike; 32 of them, so a random byte falls on each equally often. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ID_LETTERS = 30;

type Row = Record<string, SQLOutputValue>;
type StoredState = Exclude<PaymentState, 'expired'>;

const STATES: readonly StoredState[] = ['open', 'processing', 'paid', 'declined', 'cancelled'];
const textOrNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);
const isoTime = (value: SQLOutputValue | undefined): string => new Date(Number(value)).toISOString();
const storedState = (row: Row): StoredState => STATES.find((state) => state === row.state) ?? 'open';

/** 32 letters and digits, as the payment system's ids have. @param prefix two letters: AD for codes of one payment */
export function newSbpId(prefix: string): string {
  return `${prefix}${Array.from(randomBytes(ID_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

function parseDetail(value: SQLOutputValue | undefined): Detail {
  return JSON.parse(String(value)) as Detail;
}

const SALES = `SELECT sale.*, (SELECT coalesce(sum(amount), 0) FROM refund
  WHERE refund.sale = sale.seq AND refund.state <> 'declined') AS refunded FROM sale`;

export class SandboxPayments {
  readonly db: DatabaseSync;
  readonly clock: Clock;
  /** Where damaged books were set aside; null when they were whole. */
  readonly setAside: string | null;

  constructor(dataFile: string, clock: Clock) {
    const { db, setAside } = openBooks(dataFile, clock.wall());
    this.db = db;
    this.clock = clock;
    this.setAside = setAside;
    transaction(db, () => {
      db.prepare('DELETE FROM sale WHERE seq <= (SELECT max(seq) FROM sale) - ?').run(KEPT_PAYMENTS);
      this.#adoptEarlierBoots();
    });
  }

  /** @param linkOf makes the link of its code */
  register(payment: NewPayment, linkOf: (qrcId: string) => string): SandboxPayment {
    return transaction(this.db, () => {
      const qrcId = newSbpId('AD');
      this.#insert(qrcId, payment, linkOf(qrcId));
      return this.#known(qrcId);
    });
  }

  /** By the id of its code, whoever's it is. */
  find(qrcId: string): SandboxPayment | null {
    return this.#one(`${SALES} WHERE qrc_id = ?`, qrcId);
  }

  /**
   * As its payer may have it named: by the id of its code, or by the till's of its order, the newest of those.
   * @throws {SandboxError} `unknown`
   */
  named(id: string): SandboxPayment {
    const ofOrder = `${SALES} WHERE order_id = ? ORDER BY seq DESC LIMIT 1`;
    const payment = this.find(id) ?? this.#one(ofOrder, id);
    if (payment !== null) return payment;
    throw new SandboxError('unknown', 'there is no payment whose code (qrcId) or order has this id');
  }

  /** A merchant's own, by the id that the till asks by. */
  byBankId(dialect: Dialect, merchant: string, bankId: string): SandboxPayment | null {
    return this.#one(`${SALES} WHERE dialect = ? AND merchant = ? AND bank_id = ?`, dialect, merchant, bankId);
  }

  /** A merchant's own, by the payment system's id of the transfer. */
  byTrxId(dialect: Dialect, merchant: string, trxId: string): SandboxPayment | null {
    return this.#one(`${SALES} WHERE dialect = ? AND merchant = ? AND trx_id = ?`, dialect, merchant, trxId);
  }

  /** A merchant's own of one order, newest first. */
  ofOrder(dialect: Dialect, merchant: string, orderId: string): SandboxPayment[] {
    const sql = `${SALES} WHERE dialect = ? AND merchant = ? AND order_id = ? ORDER BY seq DESC`;
    return this.#all(sql, dialect, merchant, orderId);
  }

  /** The newest of a merchant's with another order; null where there is none. */
  before(dialect: Dialect, merchant: string, qrcId: string): SandboxPayment | null {
    const sql = `${SALES} WHERE dialect = ? AND merchant = ? AND qrc_id <> ? ORDER BY seq DESC LIMIT 1`;
    return this.#one(sql, dialect, merchant, qrcId);
  }

  /** A printed code, which waits for payments that stand on it. */
  addCashLink(dialect: Dialect, merchant: string, linkOf: (qrcId: string) => string): CashLink {
    const qrcId = newSbpId('AS');
    const link = linkOf(qrcId);
    this.db.prepare('INSERT INTO cash_link VALUES (?, ?, ?, ?)').run(qrcId, dialect, merchant, link);
    return { qrcId, link };
  }

  /** A merchant's own printed code. */
  cashLink(dialect: Dialect, merchant: string, qrcId: string): CashLink | null {
    const sql = 'SELECT link FROM cash_link WHERE dialect = ? AND merchant = ? AND qrc_id = ?';
    const row = this.db.prepare(sql).get(dialect, merchant, qrcId);
    return row === undefined ? null : { qrcId, link: String(row.link) };
  }

  /** What a payer finds on a printed code: the newest payment that stands on it, whatever its state. */
  onCashLink(qrcId: string): SandboxPayment | null {
    return this.#one(`${SALES} WHERE json_extract(detail, '$.cashLink') = ? ORDER BY seq DESC LIMIT 1`, qrcId);
  }

  /** Newest first. */
  list(limit: number): SandboxPayment[] {
    return this.#all(`${SALES} ORDER BY seq DESC LIMIT ?`, limit);
  }

  /** The till gets its code: only from now on can a payer see it. */
  giveCode(qrcId: string): SandboxPayment {
    return transaction(this.db, () => {
      const { coded, amount } = this.#known(qrcId);
      if (!coded) {
        const [wall, now] = [this.clock.wall(), this.clock.monotonic()];
        this.db
          .prepare('UPDATE sale SET coded = 1, since_wall = ?, since_monotonic = ? WHERE qrc_id = ?')
          .run(wall, now, qrcId);
        if (scriptOf(amount) === 22) this.#expire(qrcId);
      }
      return this.#known(qrcId);
    });
  }

  /** Takes the money, once however often it is asked. @throws {SandboxError} `unknown`, `not-open` */
  pay(qrcId: string): SandboxPayment {
    return transaction(this.db, () => {
      const payment = this.#known(qrcId);
      if (payment.state === 'paid' || payment.state === 'processing') return payment;
      this.#mustBeOpen(payment, 'paid');
      return this.#enter(qrcId, paymentBegins(payment.amount));
    });
  }

  /** @throws {SandboxError} `unknown`, `not-open` */
  decline(qrcId: string): SandboxPayment {
    return this.#end(qrcId, 'declined');
  }

  /** The merchant takes it back. @throws {SandboxError} `unknown`, `not-open`: it may have been paid at this moment */
  cancel(qrcId: string): SandboxPayment {
    const payment = this.find(qrcId);
    if (payment?.state === 'open' && scriptOf(payment.amount) === 21) this.pay(qrcId);
    return this.#end(qrcId, 'cancelled');
  }

  /** Its time is over now. */
  expire(qrcId: string): void {
    transaction(this.db, () => this.#expire(qrcId));
  }

  close(): void {
    this.db.close();
  }

  #end(qrcId: string, state: 'declined' | 'cancelled'): SandboxPayment {
    return transaction(this.db, () => {
      const payment = this.#known(qrcId);
      if (payment.state === state) return payment;
      this.#mustBeOpen(payment, state);
      return this.#enter(qrcId, state);
    });
  }

  #mustBeOpen({ state, coded }: SandboxPayment, asked: StoredState): void {
    if (state === 'open' && !coded && asked !== 'cancelled') {
      throw new SandboxError('not-open', `the payment has no code yet, and cannot be ${asked}`);
    }
    if (state !== 'open') {
      throw new SandboxError('not-open', `the payment is ${state} and can no longer be ${asked}`);
    }
  }

  #enter(qrcId: string, state: StoredState): SandboxPayment {
    const [wall, now] = [this.clock.wall(), this.clock.monotonic()];
    const paid = state === 'paid';
    this.db
      .prepare(
        `UPDATE sale SET state = ?, since_wall = ?, since_monotonic = ?, charges = charges + ?,
          trx_id = coalesce(trx_id, ?), paid_wall = coalesce(paid_wall, ?) WHERE qrc_id = ?`,
      )
      .run(state, wall, now, paid ? 1 : 0, paid ? newSbpId('A6') : null, paid ? wall : null, qrcId);
    return this.#known(qrcId);
  }

  #insert(qrcId: string, payment: NewPayment, link: string): void {
    const { dialect, merchant, orderId, amount, purpose, ttlMs, coded = true } = payment;
    const [wall, now] = [this.clock.wall(), this.clock.monotonic()];
    this.db
      .prepare(
        `INSERT INTO sale (dialect, merchant, bank_id, qrc_id, order_id, amount, purpose, detail, link, coded,
          created_wall, expires_wall, since_wall, boot_id, expires_monotonic, since_monotonic)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[dialect, merchant, payment.bankId ?? qrcId, qrcId, orderId, amount, purpose],
        ...[JSON.stringify(payment.detail ?? {}), link, coded ? 1 : 0],
        ...[wall, wall + ttlMs, wall, this.clock.bootId, now + ttlMs, now],
      );
    if (coded && scriptOf(amount) === 22) this.#expire(qrcId);
  }

  #expire(qrcId: string): void {
    const [wall, now] = [this.clock.wall(), this.clock.monotonic()];
    this.db
      .prepare(
        'UPDATE sale SET expires_wall = min(expires_wall, ?), expires_monotonic = min(expires_monotonic, ?) WHERE qrc_id = ?',
      )
      .run(wall, now, qrcId);
  }

  #known(qrcId: string): SandboxPayment {
    const payment = this.find(qrcId);
    if (payment === null) throw new SandboxError('unknown', 'there is no such payment');
    return payment;
  }

  #one(sql: string, ...values: (string | number)[]): SandboxPayment | null {
    const row = this.db.prepare(sql).get(...values);
    return row === undefined ? null : this.#read(row);
  }

  #all(sql: string, ...values: (string | number)[]): SandboxPayment[] {
    return this.db
      .prepare(sql)
      .all(...values)
      .map((row) => this.#read(row));
  }

  /** As it is by now: what has happened to it by itself is booked at the first look after it. */
  #read(row: Row): SandboxPayment {
    const stored = storedState(row);
    const leftMs = Number(row.expires_monotonic) - this.clock.monotonic();
    const next = comesInto(scriptOf(Number(row.amount)), {
      state: stored,
      coded: row.coded === 1,
      sinceMs: this.clock.monotonic() - Number(row.since_monotonic),
      leftMs,
    });
    if (next !== null && next !== stored) return this.#enter(String(row.qrc_id), next);
    return {
      dialect: row.dialect as Dialect,
      bankId: String(row.bank_id),
      qrcId: String(row.qrc_id),
      orderId: textOrNull(row.order_id),
      amount: Number(row.amount),
      purpose: textOrNull(row.purpose),
      state: stored === 'open' && leftMs <= 0 ? 'expired' : stored,
      charges: Number(row.charges),
      refunded: Number(row.refunded),
      link: String(row.link),
      coded: row.coded === 1,
      trxId: textOrNull(row.trx_id),
      paidAt: row.paid_wall === null ? null : isoTime(row.paid_wall),
      createdAt: isoTime(row.created_wall),
      expiresAt: isoTime(row.expires_wall),
      remainingMs: stored === 'open' ? Math.max(0, leftMs) : 0,
      detail: parseDetail(row.detail),
    };
  }

  /** Monotonic times of another boot mean nothing now: what is left of those limits is judged once by the wall clock. */
  #adoptEarlierBoots(): void {
    this.db
      .prepare(
        `UPDATE sale SET boot_id = :boot, since_monotonic = :monotonic - max(0, :wall - since_wall),
          expires_monotonic = :monotonic + max(0, min(expires_wall - :wall, expires_wall - created_wall))
          WHERE boot_id <> :boot`,
      )
      .run({ boot: this.clock.bootId, monotonic: this.clock.monotonic(), wall: this.clock.wall() });
  }
}
