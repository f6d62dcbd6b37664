/** What tests of events share: a ledger in memory whose events are written by hand, and a reader that connects again by itself. */

import type { Static } from 'typebox';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { EventFeed } from '../../firmware/payments/events/event-feed.ts';
import { Outbox } from '../../firmware/payments/events/outbox.ts';
import type { EventBody } from '../../firmware/payments/http/v1/event-routes.ts';
import type { EventType } from '../../firmware/payments/model/event-types.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { eventsIn, type ReadEvent } from '../events.ts';
import { HandClock } from './harness.ts';

const describe = ({ orderId, status }: PaymentRow) => ({ id: orderId, state: status?.state ?? 'PENDING' });

/** An outbox of its own; `write` adds events by hand. */
export function openFeed(deliveredTo: number | (() => number) = Number.MAX_SAFE_INTEGER, gatherMs = 0) {
  const clock = new HandClock();
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db, { payment: describe, refund: () => ({}) });
  const outbox = new Outbox(ledger, clock, describe);
  outbox.begin();
  const problems: string[] = [];
  const feed = new EventFeed(outbox, (message) => problems.push(message), gatherMs);
  feed.addRecipient({
    get deliveredTo() {
      return typeof deliveredTo === 'number' ? deliveredTo : deliveredTo();
    },
  });
  const write = (
    orderId: string,
    type: EventType = 'payment.shown',
    body = JSON.stringify({ payment: { id: orderId, state: 'PENDING' }, refund: {} }),
  ): void =>
    ledger.book.addEvents((before) => {
      const number = Math.max(clock.wall(), before + 1);
      const insert = 'INSERT INTO events VALUES (:number, :at, :type, :orderId, :body)';
      ledger.table.run(insert, { number, at: clock.wall(), type, orderId, body });
      return number;
    });
  return { clock, db, ledger, outbox, feed, problems, write };
}

/** What an event of any type may hold. */
type AnyBody = Partial<Static<typeof EventBody> & { last: number; beatMs: number; reason: string; after: number }>;
export type PaymentEvent = ReadEvent<AnyBody>;

/** Connects once, and reads until the stream ends or is taken enough of. */
export async function* connect(
  terminal: string,
  options: { readonly query?: string; readonly lastEventId?: number | null; readonly signal?: AbortSignal } = {},
): AsyncGenerator<PaymentEvent> {
  const { query = '', lastEventId = null, signal = null } = options;
  const headers = lastEventId === null ? {} : { 'last-event-id': String(lastEventId) };
  const response = await fetch(`${terminal}/v1/events${query}`, { headers, signal });
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  yield* eventsIn(response.body);
}
