/**
 * Stores the progress of each address and the results of the latest deliveries in `webhooks.db`. A commit does not wait
 * for the disk: an event whose record is lost in a power cut is delivered again.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Row, Values } from '../../core/book/index.ts';
import { EVENT_LOOP_WAIT_MS, type Migration, namingHolder, openDatabase, transaction } from '../../core/files/index.ts';
import { columnNumber, columnText } from '../../payments/index.ts';

export const DELIVERY_STATES = Object.freeze(['waiting', 'delivered', 'given-up'] as const);
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Most deliveries that are stored; older ones are removed. */
const MOST_DELIVERIES = 10_000;
/** Old deliveries are removed once in this many attempts. */
const SLACK = 500;

export const DELIVERY_MIGRATIONS: readonly Migration[] = [
  {
    schema: 1,
    readableFrom: 1,
    sql: `CREATE TABLE addresses (
      url TEXT PRIMARY KEY,
      told_to INTEGER NOT NULL -- number of the event up to which all were delivered or given up
    );
    CREATE TABLE deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL,
      event INTEGER NOT NULL,  -- number of the event
      type TEXT NOT NULL,
      order_id TEXT NOT NULL,
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      status INTEGER,          -- HTTP, of the last attempt; null for no answer
      problem TEXT,            -- of the last attempt; null where it was taken
      first_at INTEGER NOT NULL, -- wall clock, ms since 1970
      last_at INTEGER NOT NULL,
      first_boot TEXT NOT NULL,  -- the boot that first_mono belongs to
      first_mono INTEGER NOT NULL, -- monotonic clock, ms
      UNIQUE (url, event)
    );
    CREATE INDEX deliveries_given_up ON deliveries (url) WHERE state = 'given-up';
    CREATE INDEX deliveries_taken ON deliveries (url, last_at) WHERE problem IS NULL;`,
  },
];

export interface Delivery {
  readonly id: number;
  readonly url: string;
  /** Number of the event. */
  readonly event: number;
  readonly type: string;
  readonly orderId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly status: number | null;
  readonly problem: string | null;
  /** Time of the first and the last attempt: wall clock, ms since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** The first attempt by the monotonic clock of a boot, ms. */
  readonly begun: { readonly bootId: string; readonly mono: number };
}

/** An attempt, and the state of the delivery after it. */
export type Attempt = Pick<Delivery, 'url' | 'event' | 'type' | 'orderId' | 'state' | 'status' | 'problem'> & {
  readonly at: number;
  /** Time of the attempt by the monotonic clock of a boot, ms. */
  readonly mono: number;
  readonly bootId: string;
};

/** Numbers of events in the outbox. */
export interface Known {
  /** A new address gets the events after this one. */
  readonly from: number;
  /** The last event. */
  readonly last: number;
  /** Events up to this one are no longer stored. */
  readonly lostTo: number;
}

const deliveryOf = (row: Row): Delivery => ({
  id: Number(row.id),
  url: String(row.url),
  event: Number(row.event),
  type: String(row.type),
  orderId: String(row.order_id),
  state: DELIVERY_STATES.find((state) => state === row.state) ?? 'waiting',
  attempts: Number(row.attempts),
  status: columnNumber(row.status),
  problem: columnText(row.problem),
  firstAt: Number(row.first_at),
  lastAt: Number(row.last_at),
  begun: { bootId: String(row.first_boot), mono: Number(row.first_mono) },
});

/** A later attempt, as of a repeated event, never turns a delivered event into another state. */
const RECORD = `INSERT INTO deliveries (url, event, type, order_id, state, attempts, status, problem, first_at, last_at, first_boot, first_mono)
  VALUES (:url, :event, :type, :orderId, :state, 1, :status, :problem, :at, :at, :bootId, :mono)
  ON CONFLICT (url, event) DO UPDATE SET attempts = attempts + 1, status = :status, problem = :problem, last_at = :at,
    state = iif(state = 'delivered', state, :state)`;

export class DeliveryBook {
  readonly #db: DatabaseSync;
  /** Whether the earlier book is lost, so that earlier deliveries are unknown. */
  readonly isLost: boolean;
  #written = 0;

  private constructor(db: DatabaseSync, isLost: boolean) {
    this.#db = db;
    this.isLost = isLost;
    db.exec('PRAGMA synchronous = NORMAL');
  }

  /** @param now wall clock in milliseconds @throws {Error} of SQLite or the file system */
  static open(path: string, now: number): DeliveryBook {
    const { db, setAside } = openDatabase(path, DELIVERY_MIGRATIONS, now, null, EVENT_LOOP_WAIT_MS);
    return new DeliveryBook(db, setAside !== null);
  }

  /**
   * Sets the known addresses; all others are forgotten. An address whose progress is beyond the last event belongs to
   * an earlier outbox, and gets all events that are stored.
   */
  know(urls: readonly string[], { from, last, lostTo }: Known): void {
    transaction(this.#db, () => {
      const known = this.#all('SELECT url FROM addresses').map(({ url }) => String(url));
      for (const url of known) if (!urls.includes(url)) this.#run('DELETE FROM addresses WHERE url = :url', { url });
      for (const url of urls) this.#run('INSERT OR IGNORE INTO addresses VALUES (:url, :from)', { url, from });
      this.#run('UPDATE addresses SET told_to = :lostTo WHERE told_to > :last', { lostTo, last });
    });
  }

  deliveredTo(url: string): number {
    return Number(this.#all('SELECT told_to FROM addresses WHERE url = :url', { url })[0]?.told_to ?? 0);
  }

  /**
   * Records that all events up to this number were delivered or given up, or are of types that the address does not
   * get.
   */
  advance(url: string, number: number): void {
    this.#run('UPDATE addresses SET told_to = max(told_to, :number) WHERE url = :url', { url, number });
  }

  /** Records an attempt. Where it ends the delivery, it also advances the progress of the address. */
  recordAttempt(attempt: Attempt): void {
    transaction(this.#db, () => {
      this.#run(RECORD, { ...attempt });
      if (attempt.state !== 'waiting') this.advance(attempt.url, attempt.event);
    });
    // also at the first attempt of a process: many lanes are switched off each night, before `SLACK` attempts
    if (this.#written % SLACK === 0) this.#prune();
    this.#written += 1;
  }

  /** Deliveries, newest first. @param before only those with a lower id */
  list(before: number, limit: number): Delivery[] {
    return this.#all('SELECT * FROM deliveries WHERE id < :before ORDER BY id DESC LIMIT :limit', {
      before,
      limit,
    }).map(deliveryOf);
  }

  byId(id: number): Delivery | null {
    return this.#all('SELECT * FROM deliveries WHERE id = :id', { id }).map(deliveryOf)[0] ?? null;
  }

  of(url: string, event: number): Delivery | null {
    const sql = 'SELECT * FROM deliveries WHERE url = :url AND event = :event';
    return this.#all(sql, { url, event }).map(deliveryOf)[0] ?? null;
  }

  /**
   * When an address last accepted an event, ms since 1970; null where that is unknown. Failed repetitions do not count.
   */
  lastDelivered(url: string): number | null {
    const [row] = this.#all('SELECT max(last_at) AS at FROM deliveries WHERE url = :url AND problem IS NULL', { url });
    return columnNumber(row?.at);
  }

  /** HTTP status of the last attempt at an address; null where there was no answer. */
  lastStatus(url: string): number | null {
    const sql = 'SELECT status FROM deliveries WHERE url = :url ORDER BY last_at DESC, id DESC LIMIT 1';
    return columnNumber(this.#all(sql, { url })[0]?.status);
  }

  /** How many events were given up. @param since ms since 1970 */
  givenUp(url: string, since: number): number {
    const sql = "SELECT count(*) AS n FROM deliveries WHERE url = :url AND state = 'given-up' AND last_at >= :since";
    return Number(this.#all(sql, { url, since })[0]?.n ?? 0);
  }

  close(): void {
    this.#db.close();
  }

  #prune(): void {
    this.#run('DELETE FROM deliveries WHERE id <= (SELECT max(id) FROM deliveries) - :most', { most: MOST_DELIVERIES });
  }

  #all(sql: string, values: Values = {}): Row[] {
    return this.#db.prepare(sql).all(values);
  }

  #run(sql: string, values: Values): void {
    try {
      this.#db.prepare(sql).run(values);
    } catch (error) {
      throw namingHolder(this.#db.location(), error);
    }
  }
}
