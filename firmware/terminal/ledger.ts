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
  {
    adds: 'the order of the calls, what tills know, and indexes',
    readableFrom: '0.1.0',
    // the defaults, and the trigger, are for rows that the release before writes after this one was taken back
    sql: `ALTER TABLE payments ADD COLUMN called INTEGER;                       -- place among the calls: the last is the highest
    ALTER TABLE payments ADD COLUMN untold INTEGER NOT NULL DEFAULT 0;    -- accepted, and no till knows
    ALTER TABLE payments ADD COLUMN awaited INTEGER NOT NULL DEFAULT 1;   -- a till waits for its outcome
    ALTER TABLE payments ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0; -- taken out of use at the bank
    UPDATE payments SET called = id;
    UPDATE payments SET untold = 1 WHERE late = 1;
    CREATE INDEX payments_called ON payments (called);
    CREATE INDEX payments_bank_id ON payments (bank_id);
    CREATE INDEX payments_payload ON payments (payload);
    CREATE INDEX payments_untold ON payments (untold) WHERE untold = 1;
    CREATE INDEX payments_late ON payments (ended_at) WHERE late = 1;
    CREATE TRIGGER payments_are_called AFTER INSERT ON payments WHEN NEW.called IS NULL BEGIN
      UPDATE payments SET called = (SELECT coalesce(max(called), 0) + 1 FROM payments) WHERE id = NEW.id;
    END;`,
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
    untold: row.untold === 1,
    superseded: row.superseded === 1,
    awaited: row.awaited === 1,
    withdrawn: row.withdrawn === 1,
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

/** Columns of a payment's standing. */
const STANDING = [
  'state',
  'seen',
  'late',
  'untold',
  'superseded',
  'awaited',
  'withdrawn',
  'error_category',
  'error_code',
  'error_message',
] as const;

function columnsOf({ fault, ...standing }: PaymentStanding): Record<(typeof STANDING)[number], string | number | null> {
  return {
    state: standing.state,
    seen: Number(standing.seen),
    late: Number(standing.late),
    untold: Number(standing.untold),
    superseded: Number(standing.superseded),
    awaited: Number(standing.awaited),
    withdrawn: Number(standing.withdrawn),
    error_category: fault?.category ?? null,
    error_code: fault?.code ?? null,
    error_message: fault?.message ?? null,
  };
}

/** The place of a call that comes after all others. */
const NEXT_CALL = '(SELECT coalesce(max(called), 0) + 1 FROM payments)';

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
      (order_id, created_at, boot_id, created_mono, profile, bank, profile_sealed, amount, purpose, ttl, payload, watched, called,
        ${STANDING.join(', ')})
      VALUES (:orderId, :createdAt, :bootId, :createdMono, :profile, :bank, :profileSealed, :amount, :purpose, :ttl, :payload, :watched,
        ${NEXT_CALL}, ${STANDING.map((column) => `:${column}`).join(', ')})`);
    this.#register = db.prepare(
      'UPDATE payments SET bank_id = :bankId, payload = :payload, seen = 1 WHERE order_id = :orderId',
    );
    this.#standing = db.prepare(
      `UPDATE payments SET ${STANDING.map((column) => `${column} = :${column}`).join(', ')}, ended_at = :endedAt
      WHERE order_id = :orderId`,
    );
    this.#one = db.prepare('SELECT * FROM payments WHERE order_id = ?');
    this.#page = db.prepare('SELECT * FROM payments WHERE id > ? ORDER BY id LIMIT ?');
  }

  /**
   * Before the bank hears of it.
   * @param before the payment before as it has become by this one, kept in the same commit
   */
  insert(payment: NewPayment, payload: string | null = null, before: PaymentRow | null = null): void {
    const { standing, ...row } = payment;
    const watched = Number(standing.state === 'STATIC');
    transaction(this.#db, () => {
      if (before !== null) this.setStanding(before.orderId, before.standing, before.endedAt);
      this.#insert.run({ ...row, payload, watched, ...columnsOf(standing) });
    });
  }

  /**
   * Makes a payment the one that the last call was about, as it has become by it.
   * @param before the payment that was so till now as it has become by this, kept in the same commit
   */
  callAgain({ orderId, standing, endedAt }: PaymentRow, before: PaymentRow | null): void {
    transaction(this.#db, () => {
      if (before !== null) this.setStanding(before.orderId, before.standing, before.endedAt);
      this.setStanding(orderId, standing, endedAt);
      this.#db.prepare(`UPDATE payments SET called = ${NEXT_CALL} WHERE order_id = ?`).run(orderId);
    });
  }

  /** Whether another payment than this one has the bank's id, or its code. */
  isTaken(orderId: string, bankId: string, payload: string): boolean {
    const others = 'SELECT 1 FROM payments WHERE order_id <> :orderId AND';
    const row = this.#db
      .prepare(`${others} bank_id = :bankId UNION ALL ${others} payload = :payload LIMIT 1`)
      .get({ orderId, bankId, payload });
    return row !== undefined;
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
    this.#standing.run({ orderId, ...columnsOf(standing), endedAt });
  }

  /** The bank will not be asked about it again. */
  markSettled(orderId: string): void {
    this.#db.prepare('UPDATE payments SET watched = 1 WHERE order_id = ?').run(orderId);
  }

  find(orderId: string): PaymentRow | null {
    const row = this.#one.get(orderId);
    return row === undefined ? null : paymentOf(row);
  }

  /** The payment of the last call: the one that `getDynamicQRStatus` speaks of. */
  last(): PaymentRow | null {
    const row = this.#db.prepare('SELECT * FROM payments ORDER BY called DESC LIMIT 1').get();
    return row === undefined ? null : paymentOf(row);
  }

  /** Payments that the bank must still be asked about, oldest first. */
  followed(): PaymentRow[] {
    return this.#db.prepare('SELECT * FROM payments WHERE watched = 0 ORDER BY id').all().map(paymentOf);
  }

  /** Accepted without a till knowing, newest first. */
  untold(): PaymentRow[] {
    return this.#db.prepare('SELECT * FROM payments WHERE untold = 1 ORDER BY id DESC').all().map(paymentOf);
  }

  /** Accepted and to be looked into, the latest first. */
  late(limit: number): PaymentRow[] {
    return this.#db
      .prepare('SELECT * FROM payments WHERE late = 1 ORDER BY ended_at DESC, id DESC LIMIT ?')
      .all(limit)
      .map(paymentOf);
  }

  lateCount(): number {
    return Number(this.#db.prepare('SELECT count(*) AS n FROM payments WHERE late = 1').get()?.n ?? 0);
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

  /** Writes to the disk and changes nothing. @throws {Error} of the database when it cannot */
  tryWrite(): void {
    const version = Number(this.#db.prepare('PRAGMA user_version').get()?.user_version);
    this.#db.exec(`PRAGMA user_version = ${version}`); // its page is written although it is the same
  }

  close(): void {
    this.#db.close();
  }
}
