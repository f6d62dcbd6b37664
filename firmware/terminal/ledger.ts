/** The ledger: every payment, durable at each step, in SQLite. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type Migration, transaction } from '../store/database.ts';
import type { PaymentStanding, PaymentState } from './payment.ts';

export const LEDGER_MIGRATIONS: readonly Migration[] = [
  {
    adds: 'payments',
    readableFrom: '0.1.0',
    sql: `CREATE TABLE payments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,      -- wall clock, ms since 1970
      boot_id TEXT NOT NULL,            -- the boot that created_mono belongs to
      created_mono INTEGER NOT NULL,    -- monotonic clock, ms
      profile TEXT NOT NULL,
      bank TEXT NOT NULL,
      profile_sealed TEXT NOT NULL,     -- the bank profile as it was, AES-256-GCM
      amount INTEGER NOT NULL,          -- kopecks
      purpose TEXT,
      ttl INTEGER NOT NULL,             -- minutes
      bank_id TEXT,
      payload TEXT,
      state TEXT NOT NULL,
      seen INTEGER NOT NULL,            -- intent to show: set before the first byte
      drawn INTEGER NOT NULL DEFAULT 0, -- the till was told that the code is on the display
      late INTEGER NOT NULL,
      superseded INTEGER NOT NULL,
      error_category TEXT,
      error_code INTEGER,
      error_message TEXT,
      ended_at INTEGER,                 -- wall clock of the last change of state
      watched INTEGER NOT NULL DEFAULT 0 -- settled: the bank is not asked any more
    );
    CREATE INDEX payments_followed ON payments (watched, state);`,
  },
];

export interface NewPayment {
  readonly orderId: string;
  readonly createdAt: number;
  readonly bootId: string;
  readonly createdMono: number;
  readonly profile: string;
  readonly bank: string;
  readonly profileSealed: string;
  readonly amount: number;
  readonly purpose: string | null;
  readonly ttl: number;
  readonly standing: PaymentStanding;
}

export interface PaymentRow extends NewPayment {
  readonly id: number;
  readonly bankId: string | null;
  readonly payload: string | null;
  readonly drawn: boolean;
  readonly endedAt: number | null;
  /** Its outcome is known, or nothing more can be learnt: the bank is not asked about it any more. */
  readonly settled: boolean;
}

type Row = Record<string, SQLOutputValue>;

const text = (value: SQLOutputValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

function standingOf(row: Row): PaymentStanding {
  const category = text(row.error_category);
  const fault =
    category === null ? null : { category, code: Number(row.error_code), message: text(row.error_message) ?? '' };
  return {
    state: String(row.state) as PaymentState,
    seen: row.seen === 1,
    late: row.late === 1,
    superseded: row.superseded === 1,
    fault,
  };
}

function paymentOf(row: Row): PaymentRow {
  return {
    id: Number(row.id),
    orderId: String(row.order_id),
    createdAt: Number(row.created_at),
    bootId: String(row.boot_id),
    createdMono: Number(row.created_mono),
    profile: String(row.profile),
    bank: String(row.bank),
    profileSealed: String(row.profile_sealed),
    amount: Number(row.amount),
    purpose: text(row.purpose),
    ttl: Number(row.ttl),
    bankId: text(row.bank_id),
    payload: text(row.payload),
    drawn: row.drawn === 1,
    endedAt: row.ended_at === null || row.ended_at === undefined ? null : Number(row.ended_at),
    settled: row.watched === 1,
    standing: standingOf(row),
  };
}

export class Ledger {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #register: StatementSync;
  readonly #standing: StatementSync;
  readonly #one: StatementSync;
  readonly #page: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare(`INSERT INTO payments
      (order_id, created_at, boot_id, created_mono, profile, bank, profile_sealed, amount, purpose, ttl, payload, state, seen, late, superseded, watched)
      VALUES (:orderId, :createdAt, :bootId, :createdMono, :profile, :bank, :profileSealed, :amount, :purpose, :ttl, :payload, :state, :seen, :late, :superseded, :watched)`);
    this.#register = db.prepare(
      'UPDATE payments SET bank_id = :bankId, payload = :payload, seen = 1 WHERE order_id = :orderId',
    );
    this.#standing =
      db.prepare(`UPDATE payments SET state = :state, seen = :seen, late = :late, superseded = :superseded,
      error_category = :category, error_code = :code, error_message = :message, ended_at = :endedAt WHERE order_id = :orderId`);
    this.#one = db.prepare('SELECT * FROM payments WHERE order_id = ?');
    this.#page = db.prepare('SELECT * FROM payments WHERE id > ? ORDER BY id LIMIT ?');
  }

  /**
   * Before the bank hears of it.
   * @param before the payment before as it has become by this one, kept in the same commit
   */
  insert(payment: NewPayment, payload: string | null = null, before: PaymentRow | null = null): void {
    const { standing, ...row } = payment;
    const { state, seen, late, superseded } = standing;
    transaction(this.#db, () => {
      if (before !== null) this.setStanding(before.orderId, before.standing, before.endedAt);
      this.#insert.run({
        ...row,
        payload,
        state,
        seen: Number(seen),
        late: Number(late),
        superseded: Number(superseded),
        watched: Number(state === 'STATIC'),
      });
    });
  }

  /** The bank's id and code together with the intent to show them, in one commit, before the first byte goes out. */
  intendToShow(orderId: string, bankId: string, payload: string): void {
    this.#register.run({ orderId, bankId, payload });
  }

  /** Whether the code is on the display by the till's own wish: only such a one is put back after a restart. */
  setDrawn(orderId: string, drawn: boolean): void {
    this.#db.prepare('UPDATE payments SET drawn = ? WHERE order_id = ?').run(Number(drawn), orderId);
  }

  setStanding(orderId: string, standing: PaymentStanding, endedAt: number | null): void {
    const { state, seen, late, superseded, fault } = standing;
    this.#standing.run({
      orderId,
      state,
      seen: Number(seen),
      late: Number(late),
      superseded: Number(superseded),
      category: fault?.category ?? null,
      code: fault?.code ?? null,
      message: fault?.message ?? null,
      endedAt,
    });
  }

  /** The bank will not be asked about it again. */
  markSettled(orderId: string): void {
    this.#db.prepare('UPDATE payments SET watched = 1 WHERE order_id = ?').run(orderId);
  }

  find(orderId: string): PaymentRow | null {
    const row = this.#one.get(orderId);
    return row === undefined ? null : paymentOf(row);
  }

  /** The newest payment: the one that `getDynamicQRStatus` speaks of. */
  last(): PaymentRow | null {
    const row = this.#db.prepare('SELECT * FROM payments ORDER BY id DESC LIMIT 1').get();
    return row === undefined ? null : paymentOf(row);
  }

  /** The newest payment that a customer may have seen. */
  lastSeen(): PaymentRow | null {
    const row = this.#db.prepare('SELECT * FROM payments WHERE seen = 1 ORDER BY id DESC LIMIT 1').get();
    return row === undefined ? null : paymentOf(row);
  }

  /** Payments that the bank must still be asked about, oldest first. */
  followed(): PaymentRow[] {
    return this.#db.prepare('SELECT * FROM payments WHERE watched = 0 ORDER BY id').all().map(paymentOf);
  }

  /** Accepted although another payment had taken its place or it had been given up, since a moment of the wall clock; newest first. */
  lateSince(wall: number): PaymentRow[] {
    return this.#db
      .prepare('SELECT * FROM payments WHERE late = 1 AND ended_at >= ? ORDER BY ended_at DESC, id DESC')
      .all(wall)
      .map(paymentOf);
  }

  /** Newest first. */
  recent(limit: number): PaymentRow[] {
    return this.#db.prepare('SELECT * FROM payments ORDER BY id DESC LIMIT ?').all(limit).map(paymentOf);
  }

  /** The next payments after an id, in order: for reading the whole ledger in pieces. */
  after(id: number, limit: number): PaymentRow[] {
    return this.#page.all(id, limit).map(paymentOf);
  }

  /** Latest moment that the ledger knows of, ms since 1970; 0 when it is empty. */
  latestMoment(): number {
    const row = this.#db
      .prepare('SELECT max(max(created_at), coalesce(max(ended_at), 0)) AS latest FROM payments')
      .get();
    return Number(row?.latest ?? 0);
  }

  close(): void {
    this.#db.close();
  }
}
