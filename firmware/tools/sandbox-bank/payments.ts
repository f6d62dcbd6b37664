/** The sandbox bank's payments: each change is on the disk before an answer reports it. */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import {
  type Migration,
  type OpenedDatabase,
  openDatabase,
  transaction,
  writeFailure,
} from '../../core/files/index.ts';
import type { Clock } from '../../core/host/index.ts';
import { type NewPayment, newSbpId, SandboxError, type SandboxPayment, type StoredState } from './payment.ts';
import { Sales } from './sales.ts';
import { scriptOf } from './scripts.ts';

/** Migrations of the file that holds the sandbox bank's books. */
export const SANDBOX_MIGRATIONS: readonly Migration[] = [
  {
    schema: 1,
    readableFrom: 1,
    sql: `CREATE TABLE sale (
      seq INTEGER PRIMARY KEY,
      dialect TEXT NOT NULL,
      merchant TEXT NOT NULL,
      bank_id TEXT NOT NULL,
      qrc_id TEXT NOT NULL UNIQUE,
      order_id TEXT,
      amount INTEGER NOT NULL,
      purpose TEXT,
      detail TEXT NOT NULL DEFAULT '{}',
      link TEXT NOT NULL,
      coded INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'processing', 'paid', 'declined', 'cancelled')),
      charges INTEGER NOT NULL DEFAULT 0,
      trx_id TEXT,
      paid_wall INTEGER,
      created_wall INTEGER NOT NULL,
      expires_wall INTEGER NOT NULL,
      since_wall INTEGER NOT NULL,
      boot_id TEXT NOT NULL,
      expires_monotonic INTEGER NOT NULL,
      since_monotonic INTEGER NOT NULL,
      UNIQUE (dialect, merchant, bank_id)
    ) STRICT;
    CREATE INDEX sale_order ON sale (dialect, merchant, order_id);
    CREATE TABLE refund (
      seq INTEGER PRIMARY KEY,
      sale INTEGER NOT NULL REFERENCES sale (seq) ON DELETE CASCADE,
      refund_id TEXT NOT NULL,
      bank_id TEXT NOT NULL UNIQUE,
      amount INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'declined')),
      created_wall INTEGER NOT NULL,
      boot_id TEXT NOT NULL,
      since_monotonic INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX refund_sale ON refund (sale);`,
  },
];

interface OpenedBooks extends OpenedDatabase {
  /** Why the books are only in memory; null where they are in the file. */
  readonly problem: string | null;
}

/**
 * Opens the books and tries a write, because an existing file opens on a read-only disk, too.
 * @throws {Error} where it cannot be written
 */
function openToWrite(dataFile: string, now: number): OpenedDatabase {
  const opened = openDatabase(dataFile, SANDBOX_MIGRATIONS, now);
  try {
    const version = Number(opened.db.prepare('PRAGMA user_version').get()?.user_version);
    opened.db.exec(`PRAGMA user_version = ${version}`); // writes the page, although the value is the same
    return opened;
  } catch (error) {
    opened.db.close();
    throw error;
  }
}

/** Opens the books; where the disk cannot be written, they are in memory, so that the device still starts. */
export function openBooks(dataFile: string, now: number): OpenedBooks {
  try {
    mkdirSync(dirname(dataFile), { recursive: true });
    return { ...openToWrite(dataFile, now), problem: null };
  } catch (error) {
    if (writeFailure(error) === null) throw error;
    return { ...openDatabase(':memory:', SANDBOX_MIGRATIONS, now), problem: messageOf(error) };
  }
}

export class SandboxPayments {
  readonly db: DatabaseSync;
  readonly clock: Clock;
  /** Where damaged books were moved; null where they were whole. */
  readonly setAside: string | null;
  /** Why the books are only in memory; null where they are in the file. */
  readonly problem: string | null;
  readonly #sales: Sales;

  constructor(dataFile: string, clock: Clock) {
    const { db, setAside, problem } = openBooks(dataFile, clock.wall());
    this.db = db;
    this.clock = clock;
    this.setAside = setAside;
    this.problem = problem;
    this.#sales = new Sales(db, clock);
  }

  /** @param linkOf makes the link of the payment's code */
  register(payment: NewPayment, linkOf: (qrcId: string, amount: number) => string): SandboxPayment {
    return transaction(this.db, () => {
      const qrcId = newSbpId('AD');
      this.#sales.insert(qrcId, payment, linkOf(qrcId, payment.amount));
      return this.#sales.known(qrcId);
    });
  }

  /** A payment by the id of its code, of any merchant. */
  find(qrcId: string): SandboxPayment | null {
    return this.#sales.one('WHERE qrc_id = ?', qrcId);
  }

  /**
   * A payment by any id that its payer may know: the code's, the bank's (the `qrcId` of the device's own `/v1`), or the
   * till's order id, of which the newest payment counts.
   * @throws {SandboxError} `unknown`
   */
  named(id: string): SandboxPayment {
    const newest = 'ORDER BY seq DESC LIMIT 1';
    const payment =
      this.find(id) ??
      this.#sales.one(`WHERE bank_id = ? ${newest}`, id) ??
      this.#sales.one(`WHERE order_id = ? ${newest}`, id);
    if (payment !== null) return payment;
    throw new SandboxError(
      'unknown',
      'there is no payment whose code (qrcId), id at the bank (bankId) or order has this id',
    );
  }

  /** A merchant's payment, by the id by which the till asks. */
  byBankId(dialect: string, merchant: string, bankId: string): SandboxPayment | null {
    return this.#sales.one('WHERE dialect = ? AND merchant = ? AND bank_id = ?', dialect, merchant, bankId);
  }

  /** A merchant's payments of one order, newest first. */
  ofOrder(dialect: string, merchant: string, orderId: string): SandboxPayment[] {
    const sql = 'WHERE dialect = ? AND merchant = ? AND order_id = ? ORDER BY seq DESC';
    return this.#sales.all(sql, dialect, merchant, orderId);
  }

  /** A merchant's newest payment with another code; null where there is none. */
  before(dialect: string, merchant: string, qrcId: string): SandboxPayment | null {
    const sql = 'WHERE dialect = ? AND merchant = ? AND qrc_id <> ? ORDER BY seq DESC LIMIT 1';
    return this.#sales.one(sql, dialect, merchant, qrcId);
  }

  /** Payments, newest first. */
  list(limit: number): SandboxPayment[] {
    return this.#sales.all('ORDER BY seq DESC LIMIT ?', limit);
  }

  /** Gives the till the code: only from now on can a payer see it. */
  handOutCode(qrcId: string): SandboxPayment {
    return transaction(this.db, () => {
      const { coded, amount } = this.#sales.known(qrcId);
      if (!coded) {
        this.#sales.markCoded(qrcId);
        if (scriptOf(amount)?.isExpiredAtOnce) this.#sales.expire(qrcId);
      }
      return this.#sales.known(qrcId);
    });
  }

  /** Takes the money, only once however often it is called. @throws {SandboxError} `unknown`, `not-open` */
  pay(qrcId: string): SandboxPayment {
    return transaction(this.db, () => {
      const payment = this.#sales.known(qrcId);
      if (payment.state === 'paid' || payment.state === 'processing') return payment;
      this.#requireOpen(payment, 'paid');
      return this.#sales.enter(qrcId, scriptOf(payment.amount)?.whenPaid ?? 'paid');
    });
  }

  /** @throws {SandboxError} `unknown`, `not-open` */
  decline(qrcId: string): SandboxPayment {
    return this.#end(qrcId, 'declined');
  }

  /** Cancels a payment for its merchant. @throws {SandboxError} `unknown`, `not-open`: it may just have been paid */
  cancel(qrcId: string): SandboxPayment {
    const payment = this.find(qrcId);
    if (payment?.state === 'open' && scriptOf(payment.amount)?.isPaidWhenCancelled) this.pay(qrcId);
    return this.#end(qrcId, 'cancelled');
  }

  /** Ends the payment's time now. */
  expire(qrcId: string): void {
    transaction(this.db, () => this.#sales.expire(qrcId));
  }

  close(): void {
    this.db.close();
  }

  #end(qrcId: string, state: 'declined' | 'cancelled'): SandboxPayment {
    return transaction(this.db, () => {
      const payment = this.#sales.known(qrcId);
      if (payment.state === state) return payment;
      this.#requireOpen(payment, state);
      return this.#sales.enter(qrcId, state);
    });
  }

  #requireOpen({ state, coded }: SandboxPayment, wanted: StoredState): void {
    if (state === 'open' && !coded && wanted !== 'cancelled') {
      throw new SandboxError('not-open', `the payment has no code yet, and cannot be ${wanted}`);
    }
    if (state !== 'open') {
      throw new SandboxError('not-open', `the payment is ${state} and can no longer be ${wanted}`);
    }
  }
}
