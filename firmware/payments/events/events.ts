/** Events of payments and refunds for other programs: kept in the outbox, followed as a stream, and taken by readers that must have each. */
import type { Clock, LogLine } from '../../core/host/index.ts';
import type { Ledger } from '../money/ledger.ts';
import type { Described } from '../money/money.ts';
import { EventFeed } from './event-feed.ts';
import { Outbox } from './outbox.ts';

/** One that has had all events up to a number. */
export interface EventReader {
  readonly deliveredTo: number;
}

export class Events {
  readonly outbox: Outbox;
  readonly feed: EventFeed;
  /** No event is deleted before they have it. */
  readonly #readers: EventReader[] = [];

  /** @param describe a payment as events have it */
  constructor(ledger: Ledger, clock: Clock, describe: Described['payment'], log: LogLine) {
    this.outbox = new Outbox(ledger, clock, describe);
    const deliveredTo = (): number =>
      Math.min(Number.MAX_SAFE_INTEGER, ...this.#readers.map((reader) => reader.deliveredTo));
    this.feed = new EventFeed(this.outbox, deliveredTo, log);
  }

  /** From now on no event is pruned before it was delivered to this reader. */
  keepFor(reader: EventReader): void {
    this.#readers.push(reader);
  }
}
