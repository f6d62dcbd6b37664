/**
 * The outbox of the book of money: events, written with the change that they report, in one commit (`firmware/payments/money/money.ts`). So nothing is
 * reported that did not happen, and nothing that happened is left out. Source of the pattern: "transactional outbox",
 * https://microservices.io/patterns/data/transactional-outbox.html.
 *
 * An event has a number greater than those of all events before it: milliseconds since 1970 where the clock has gone on since the
 * event before, else one more than that. So the numbers of a book that was made anew, or restored to an earlier state, go on above
 * what any reader has seen.
 */

import { isoTime } from '../../../drivers/lib/iso-time.ts';
import { type Clock, certainTime } from '../../core/host/index.ts';
import type { Row } from '../../core/store/index.ts';
import type { Ledger } from '../money/ledger.ts';
import { columnText, type PaymentRow } from '../money/payment-row.ts';
import { presentEvents } from './event-types.ts';

/** After a ledger was rebuilt, payments of its last day are reported again, newest first, so many at most. */
const REPORTED_AGAIN_MS = 24 * 3_600_000;
const MOST_REPORTED_AGAIN = 1000;
/** How long an event is kept at least, unless there are too many: a till may be off over a holiday. */
export const KEPT_MS = 7 * 24 * 3_600_000;
/** How many events are kept at most: some 20 MB, a week of a busy lane. */
export const MOST_KEPT = 20_000;
/** Events kept at most while an address has not taken them: more than two a second for a whole day. */
export const MOST_UNDELIVERED = 200_000;
/** Events deleted in one commit: a sale waits no longer than for these. */
const PRUNED_AT_ONCE = 500;

export interface StoredEvent {
  readonly number: number;
  /** One of `EVENTS`, or of a release after this one. */
  readonly type: string;
  /** Wall clock, ms since 1970. */
  readonly at: number;
  readonly orderId: string;
  /** The till that asked for the payment. */
  readonly till: string | null;
  /** What is sent: JSON on one line. */
  readonly text: string;
}

const INSERT = 'INSERT INTO events (number, at, type, order_id, body) VALUES (:number, :wall, :type, :orderId, :body)';
const EVENT = 'SELECT *, (SELECT till FROM payments WHERE payments.order_id = events.order_id) AS till FROM events';
const BEGIN = 'INSERT OR IGNORE INTO events_kept VALUES (1, :lostTo)';

function eventOf(row: Row): StoredEvent {
  const [number, at, type] = [Number(row.number), Number(row.at), String(row.type)];
  const head = JSON.stringify({ number, type, at: isoTime(at) });
  return {
    number,
    type,
    at,
    orderId: String(row.order_id),
    till: columnText(row.till),
    text: `${head.slice(0, -1)},${String(row.body).slice(1)}`,
  };
}

export class Outbox {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #describe: (payment: PaymentRow) => object;
  /** The opening of the book for which `begin` has run. */
  #readyIn = 0;
  /** Number of the last event that the listener was told of. */
  #announced = 0;

  /** @param describe turns a payment into the JSON of an event */
  constructor(ledger: Ledger, clock: Clock, describe: (payment: PaymentRow) => object) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#describe = describe;
  }

  get isOpen(): boolean {
    return this.#ledger.isOpen;
  }

  /** After a rebuild of the book, which loses its events, reports the last day again. @throws {Error} of SQLite */
  begin(): void {
    const { openings } = this.#ledger.book;
    if (this.#readyIn === openings) return;
    if (this.#table.get('SELECT 1 FROM events_kept') === undefined) this.#beginAnew();
    this.#readyIn = openings;
  }

  /** @param listener called after each commit with events; it must be quick, as a sale waits for it */
  onAppended(listener: () => void): void {
    const { book } = this.#ledger;
    book.onCommitted(() => {
      if (book.lastEvent === this.#announced) return;
      this.#announced = book.lastEvent;
      listener();
    });
  }

  /** Number of the last event, kept or not. */
  get last(): number {
    return this.#ledger.book.lastEvent;
  }

  /** The last number of the deleted events: no event up to it is kept. */
  get lostTo(): number {
    const kept = this.#table.get('SELECT lost_to FROM events_kept');
    return kept === undefined ? this.#clock.wall() : Number(kept.lost_to);
  }

  /** The next events after a number, in order. */
  after(number: number, limit: number): StoredEvent[] {
    return this.#table
      .all(`${EVENT} WHERE number > :number ORDER BY number LIMIT :limit`, { number, limit })
      .map(eventOf);
  }

  find(number: number): StoredEvent | null {
    const row = this.#table.get(`${EVENT} WHERE number = :number`, { number });
    return row === undefined ? null : eventOf(row);
  }

  /** How many events there are after a number. */
  countAfter(number: number): number {
    return Number(this.#table.get('SELECT count(*) AS n FROM events WHERE number > :number', { number })?.n ?? 0);
  }

  /**
   * The number up to which all events are older than a timestamp (ms since 1970), or too many; 0 for none. An event
   * dated too early by a slow clock takes no younger event with it.
   */
  #outdatedUpTo(timestamp: number, mostKept: number): number {
    const firstKept = '(SELECT number FROM events WHERE at >= :timestamp ORDER BY number LIMIT 1)';
    const sql = `SELECT max(
      coalesce((SELECT max(number) FROM events WHERE number < coalesce(${firstKept}, ${Number.MAX_SAFE_INTEGER})), 0),
      coalesce((SELECT number FROM events ORDER BY number DESC LIMIT 1 OFFSET :mostKept), 0)) AS number`;
    return Number(this.#table.get(sql, { timestamp, mostKept })?.number ?? 0);
  }

  /**
   * Deletes some of the events that are too old or too many, the oldest first.
   * @param deliveredTo the number up to which every address has its events
   * @returns whether more of them remain
   */
  pruneOutdated(deliveredTo: number): boolean {
    const outdated = this.#outdatedUpTo(certainTime(this.#clock) - KEPT_MS, MOST_KEPT);
    const upTo = Math.max(Math.min(outdated, deliveredTo), this.#outdatedUpTo(0, MOST_UNDELIVERED));
    return upTo > 0 && this.prune(upTo);
  }

  /** Deletes some of the events up to a number, the oldest first. @returns whether more of them remain */
  prune(upTo: number): boolean {
    const last = this.#table.all('SELECT number FROM events WHERE number <= :upTo ORDER BY number LIMIT :limit', {
      upTo,
      limit: PRUNED_AT_ONCE,
    });
    const number = Number(last.at(-1)?.number ?? 0);
    if (number === 0) return false;
    this.#table.change(() => {
      this.#table.run('DELETE FROM events WHERE number <= :number', { number });
      this.#table.run('UPDATE events_kept SET lost_to = max(lost_to, :number)', { number });
    });
    return last.length === PRUNED_AT_ONCE;
  }

  get #table(): Ledger['table'] {
    return this.#ledger.table;
  }

  /** Starts the events of a rebuilt book: a reader of earlier ones learns of a gap and gets the state of the last day's payments. */
  #beginAnew(): void {
    const first = this.#table.get('SELECT min(number) AS number FROM events')?.number;
    if (typeof first === 'number') {
      this.#table.change(() => this.#table.run(BEGIN, { lostTo: first - 1 }));
      return;
    }
    const wall = this.#clock.wall();
    const since = this.#ledger.latestMoment() - REPORTED_AGAIN_MS;
    const recent = this.#ledger
      .recent(MOST_REPORTED_AGAIN)
      .filter(({ createdAt, endedAt }) => (endedAt ?? createdAt) > since);
    this.#ledger.book.addEvents((before) => {
      let number = Math.max(wall, before);
      this.#table.run(BEGIN, { lostTo: number });
      for (const payment of recent.reverse())
        for (const type of presentEvents(payment)) {
          number += 1;
          const body = JSON.stringify({ payment: this.#describe(payment) });
          this.#table.run(INSERT, { number, wall, type, orderId: payment.orderId, body });
        }
      return number;
    });
  }
}
