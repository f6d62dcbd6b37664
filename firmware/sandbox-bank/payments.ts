/** The sandbox bank's books: each payment is on the disk before anyone is told of it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Clock } from '../host/clock.ts';
import { type Migration, type OpenedDatabase, openDatabase, transaction } from '../store/database.ts';
import { writeFailure } from '../store/write-failure.ts';
import { SandboxError } from './errors.ts';

export type PaymentState = 'open' | 'paid' | 'declined' | 'expired';

export interface SandboxPayment {
  readonly qrcId: string;
  /** The till's `Idempotency-Key`. */
  readonly orderId: string | null;
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  readonly state: PaymentState;
  /** How often money was taken; more than 1 would be a defect of the bank. */
  readonly charges: number;
  /** What the QR code carries. */
  readonly link: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Until it can no longer be paid; 0 for one that is not open. */
  readonly remainingMs: number;
}

export interface NewPayment {
  readonly orderId: string | null;
  readonly amount: number;
  readonly purpose: string | null;
  /** Who is paid; a repeated order id must be for the same one. */
  readonly payee: string;
  readonly ttlMs: number;
}

/** More than any till makes in a day of tests; the oldest beyond it go at the next start. */
const KEPT_PAYMENTS = 20_000;
/** Without letters and digits that look alike; 32 of them, so a random byte falls on each equally often. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ID_LETTERS = 30;

const MIGRATIONS: readonly Migration[] = [
  {
    adds: 'payments',
    readableFrom: '0.1.0',
    sql: `CREATE TABLE payment (
      seq INTEGER PRIMARY KEY,
      qrc_id TEXT NOT NULL UNIQUE,
      order_id TEXT UNIQUE,
      amount INTEGER NOT NULL,
      purpose TEXT,
      payee TEXT NOT NULL,
      link TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'declined')),
      charges INTEGER NOT NULL DEFAULT 0,
      created_wall INTEGER NOT NULL,
      expires_wall INTEGER NOT NULL,
      boot_id TEXT NOT NULL,
      expires_monotonic INTEGER NOT NULL
    ) STRICT`,
  },
];

type Row = Record<string, SQLOutputValue>;
const textOrNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);
const isoTime = (value: SQLOutputValue | undefined): string => new Date(Number(value)).toISOString();

function newId(): string {
  return `AD${Array.from(randomBytes(ID_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/** It is a bank to play with: where the disk takes nothing, its books are in memory, and the device beside it starts. */
function openBooks(dataFile: string, now: number): OpenedDatabase {
  try {
    mkdirSync(dirname(dataFile), { recursive: true });
    return openDatabase(dataFile, MIGRATIONS, now);
  } catch (error) {
    if (writeFailure(error) === null) throw error;
    return openDatabase(':memory:', MIGRATIONS, now);
  }
}

export class SandboxPayments {
  readonly #db: DatabaseSync;
  readonly #clock: Clock;
  /** Where damaged books were set aside; null when they were whole. */
  readonly setAside: string | null;

  constructor(dataFile: string, clock: Clock) {
    const { db, setAside } = openBooks(dataFile, clock.wall());
    this.#db = db;
    this.#clock = clock;
    this.setAside = setAside;
    transaction(db, () => {
      db.prepare('DELETE FROM payment WHERE seq <= (SELECT max(seq) FROM payment) - ?').run(KEPT_PAYMENTS);
      this.#adoptEarlierBoots();
    });
  }

  /**
   * Registers, or finds what the same order id has registered before.
   * @param linkOf makes the link of a new payment
   * @throws {SandboxError} `order-differs`
   */
  register(payment: NewPayment, linkOf: (qrcId: string) => string): SandboxPayment {
    return transaction(this.#db, () => {
      const known = payment.orderId === null ? undefined : this.#row('order_id', payment.orderId);
      if (known !== undefined) return this.#sameOrder(known, payment);
      const qrcId = newId();
      this.#insert(qrcId, payment, linkOf(qrcId));
      return this.#known(qrcId);
    });
  }

  find(qrcId: string): SandboxPayment | null {
    const row = this.#row('qrc_id', qrcId);
    return row === undefined ? null : this.#read(row);
  }

  /** Newest first. */
  list(limit: number): SandboxPayment[] {
    const rows = this.#db.prepare('SELECT * FROM payment ORDER BY seq DESC LIMIT ?').all(limit);
    return rows.map((row) => this.#read(row));
  }

  /** Takes the money, once however often it is asked. @throws {SandboxError} `unknown`, `not-open` */
  pay(qrcId: string): SandboxPayment {
    return this.#settle(qrcId, 'paid', 1);
  }

  /** @throws {SandboxError} `unknown`, `not-open` */
  decline(qrcId: string): SandboxPayment {
    return this.#settle(qrcId, 'declined', 0);
  }

  close(): void {
    this.#db.close();
  }

  #settle(qrcId: string, state: 'paid' | 'declined', charges: number): SandboxPayment {
    return transaction(this.#db, () => {
      const payment = this.#known(qrcId);
      if (payment.state === state) return payment;
      if (payment.state !== 'open') {
        const asked = state === 'paid' ? 'paid' : 'declined';
        throw new SandboxError('not-open', `the payment is ${payment.state} and can no longer be ${asked}`);
      }
      this.#db
        .prepare('UPDATE payment SET state = ?, charges = charges + ? WHERE qrc_id = ?')
        .run(state, charges, qrcId);
      return this.#known(qrcId);
    });
  }

  #insert(qrcId: string, { orderId, amount, purpose, payee, ttlMs }: NewPayment, link: string): void {
    const now = this.#clock.wall();
    this.#db
      .prepare(
        `INSERT INTO payment (qrc_id, order_id, amount, purpose, payee, link, created_wall, expires_wall, boot_id,
          expires_monotonic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[qrcId, orderId, amount, purpose, payee, link],
        ...[now, now + ttlMs, this.#clock.bootId, this.#clock.monotonic() + ttlMs],
      );
  }

  #sameOrder(row: Row, { amount, purpose, payee }: NewPayment): SandboxPayment {
    if (row.amount !== amount || row.purpose !== purpose || row.payee !== payee) {
      throw new SandboxError('order-differs', 'this Idempotency-Key already stands for another payment');
    }
    return this.#read(row);
  }

  #known(qrcId: string): SandboxPayment {
    const payment = this.find(qrcId);
    if (payment === null) throw new SandboxError('unknown', 'there is no such payment');
    return payment;
  }

  #row(column: 'qrc_id' | 'order_id', value: string): Row | undefined {
    return this.#db.prepare(`SELECT * FROM payment WHERE ${column} = ?`).get(value);
  }

  #read(row: Row): SandboxPayment {
    const left = Math.max(0, Number(row.expires_monotonic) - this.#clock.monotonic());
    const stored = row.state === 'paid' || row.state === 'declined' ? row.state : null;
    return {
      qrcId: String(row.qrc_id),
      orderId: textOrNull(row.order_id),
      amount: Number(row.amount),
      purpose: textOrNull(row.purpose),
      state: stored ?? (left > 0 ? 'open' : 'expired'),
      charges: Number(row.charges),
      link: String(row.link),
      createdAt: isoTime(row.created_wall),
      expiresAt: isoTime(row.expires_wall),
      remainingMs: stored === null ? left : 0,
    };
  }

  /** Monotonic times of another boot mean nothing now: what is left of those limits is judged once by the wall clock. */
  #adoptEarlierBoots(): void {
    this.#db
      .prepare(
        `UPDATE payment SET boot_id = :boot, expires_monotonic = :monotonic
          + max(0, min(expires_wall - :wall, expires_wall - created_wall)) WHERE boot_id <> :boot`,
      )
      .run({ boot: this.#clock.bootId, monotonic: this.#clock.monotonic(), wall: this.#clock.wall() });
  }
}
