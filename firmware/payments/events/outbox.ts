/**
 * The outbox of the book of money: events, written with the change that they report, in one commit (`firmware/payments/money/money.ts`). So nothing is
 * reported that did not happen, and nothing that happened is left out. Source of the pattern: "transactional outbox",
 * https://microservices.io/patterns/data/transactional-outbox.html.
 *
 * An event has a number greater than those of all events before it: milliseconds since 1970 where the clock has advanced since
 * the previous event, else one more than that event's number. So the numbers of a book that was made anew, or restored to an
 * earlier state, continue above what any reader has seen.
 *
 * An event has a copy of its payment: the row would show a later state than the one that is reported.
 */

import { isoTime } from '../../../drivers/lib/iso-time.ts';
import type { Row } from '../../core/book/index.ts';
import { type Clock, certainTime } from '../../core/host/index.ts';
import { presentEvents } from '../model/event-types.ts';
import { columnText, type PaymentRow } from '../model/payment-row.ts';
import type { Ledger } from '../money/ledger.ts';

/** After a rebuild of the book the payments of its last day are reported again: the newest ones, so many at most. */
const REPORTED_AGAIN_MS = 24 * 3_600_000;
const MOST_REPORTED_AGAIN = 1000;
/** How long an event is stored at least, unless there are too many: a till may be off over a holiday. */
export const KEPT_MS = 7 * 24 * 3_600_000;
/** How many events are stored at most once all recipients have them: some 20 MB, a week of a busy lane. */
export const MOST_KEPT = 20_000;
/** How many events are stored at most while a recipient lacks them: more than two a second for a whole day. */
export const MOST_UNDELIVERED = 200_000;
/** Events deleted in one commit, and numbers of events read at once: a sale waits for one such piece at most. */
const PRUNED_AT_ONCE = 100;
const COUNTED_AT_ONCE = 2000;

export interface StoredEvent {
  readonly number: number;
  /** One of `EVENTS`, or of a release after this one. */
  readonly type: string;
  /** Wall clock, ms since 1970. */
  readonly at: number;
  readonly orderId: string;
  /** The till that asked for the payment. */
  readonly till: string | null;
  /** The event as it is sent: JSON on one line. */
  readonly text: string;
}

const INSERT = 'INSERT INTO events (number, at, type, order_id, body) VALUES (:number, :wall, :type, :orderId, :body)';
const EVENT = 'SELECT *, (SELECT till FROM payments WHERE payments.order_id = events.order_id) AS till FROM events';
const OLDEST = 'SELECT number, at FROM events ORDER BY number LIMIT :limit';
const NUMBERS = `SELECT json_group_array(number) AS numbers
  FROM (SELECT number FROM events WHERE number > :after ORDER BY number LIMIT :limit)`;
const BEGIN = 'INSERT OR IGNORE INTO events_kept VALUES (1, :lostTo)';

/** How many values at the beginning match. */
function leadingOf<T>(values: readonly T[], isMatch: (value: T) => boolean): number {
  const end = values.findIndex((value) => !isMatch(value));
  return end === -1 ? values.length : end;
}

/** How many of the ascending numbers are not greater than `most`. */
function countUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

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
  /** Numbers of the stored events, in order: `/health` asks for each address how many wait, and only new ones are read for it. */
  #numbers: number[] = [];
  /** The opening of the book from which `#numbers` were read. */
  #countedIn = 0;

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
    let announced = 0;
    book.onCommitted(() => {
      if (book.lastEvent === announced) return;
      announced = book.lastEvent;
      listener();
    });
  }

  /** Number of the last event, deleted or not. */
  get last(): number {
    return this.#ledger.book.lastEvent;
  }

  /** The last number of the deleted events: all events up to it are deleted. */
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

  /** How many of the counted events come after a number: `pruneOutdated` counts all, piece by piece. */
  countAfter(number: number): number {
    this.#countMore();
    return this.#numbers.length - countUpTo(this.#numbers, number);
  }

  /** Reads numbers of events written since the last count. @returns whether there may be more */
  #countMore(): boolean {
    const { openings } = this.#ledger.book;
    if (this.#countedIn !== openings) this.#numbers = [];
    const limit = COUNTED_AT_ONCE;
    const text = this.#table.get(NUMBERS, { after: this.#numbers.at(-1) ?? 0, limit })?.numbers;
    const found: number[] = JSON.parse(String(text));
    this.#numbers.push(...found);
    this.#countedIn = openings;
    return found.length === limit;
  }

  /**
   * Counts all events, then deletes those that are too old or too many, the oldest first: one piece with each call.
   * An event dated too early by a slow clock takes no younger event with it.
   * @param deliveredTo the number up to which every recipient has its events
   * @returns whether more is to be done
   */
  pruneOutdated(deliveredTo: number): boolean {
    if (this.#countMore()) return true;
    const timestamp = certainTime(this.#clock) - KEPT_MS;
    const oldest = this.#table
      .all(OLDEST, { limit: PRUNED_AT_ONCE })
      .map(({ number, at }) => ({ number: Number(number), at: Number(at) }));
    const excess = this.#numbers.length - MOST_KEPT;
    const outdated = Math.max(
      excess,
      leadingOf(oldest, ({ at }) => at < timestamp),
    );
    const delivered = leadingOf(oldest, ({ number }) => number <= deliveredTo);
    const count = Math.max(Math.min(outdated, delivered), this.#numbers.length - MOST_UNDELIVERED);
    const last = oldest.slice(0, Math.max(0, count)).at(-1);
    if (last === undefined) return false;
    this.prune(last.number);
    return count >= PRUNED_AT_ONCE;
  }

  /** Deletes the events up to a number. */
  prune(upTo: number): void {
    this.#table.change(() => {
      this.#table.run('DELETE FROM events WHERE number <= :upTo', { upTo });
      this.#table.run('UPDATE events_kept SET lost_to = max(lost_to, :upTo)', { upTo });
    });
    this.#numbers.splice(0, countUpTo(this.#numbers, upTo));
  }

  get #table(): Ledger['table'] {
    return this.#ledger.table;
  }

  /** Begins the events of a rebuilt book: a reader of earlier ones gets a gap, and the state of the last day's payments. */
  #beginAnew(): void {
    const first = this.#table.get('SELECT min(number) AS number FROM events')?.number;
    if (typeof first === 'number') {
      this.#table.change(() => this.#table.run(BEGIN, { lostTo: first - 1 }));
      return;
    }
    const wall = this.#clock.wall();
    const since = this.#ledger.queries.latestMoment() - REPORTED_AGAIN_MS;
    const recent = this.#ledger.queries
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
