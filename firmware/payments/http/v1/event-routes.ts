/** The stream of events for tills. */

import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  type EventStreamPool,
  EventStreams,
  eventNumber,
  mayReach,
  requesterOf,
  sentEvent,
} from '../../../core/http/index.ts';
import { patternWithMessage } from '../../../core/schema/index.ts';
import type { StoredEvent } from '../../events/outbox.ts';
import { EVENT_TYPES } from '../../model/event-types.ts';
import { terminalFailure } from '../../model/failures.ts';
import type { Terminal } from '../../terminal.ts';
import { timestamp } from './fields.ts';
import { PAYMENT_EXAMPLE, PaymentAnswer } from './payment-schemas.ts';
import { RefundAnswer } from './refund-schemas.ts';

const ANY_TYPE = EVENT_TYPES.map((type) => type.replace('.', '\\.')).join('|');
const TYPES = patternWithMessage(
  `^(?:${ANY_TYPE})(?:,(?:${ANY_TYPE}))*$`,
  `must name types of events, separated by commas: ${EVENT_TYPES.join(', ')}`,
);

const Query = Type.Object(
  {
    after: eventNumber(
      'number of the last event that the reader has: those after it come first. 0: all stored events. Left out, and without `Last-Event-ID`: only later events',
    ),
    types: Type.Optional(
      Type.String({ pattern: TYPES, description: 'only events of these types, separated by commas' }),
    ),
  },
  { additionalProperties: false },
);
const Headers = Type.Object({
  'last-event-id': eventNumber('the same as `after`, and before it: browsers send it by themselves'),
});

/** The content of an event, in the stream and in webhooks (`docs/events.md`). */
export const EventBody = Type.Object(
  {
    number: Type.Integer({ description: 'greater than that of each event before; unique' }),
    type: Type.Enum([...EVENT_TYPES], { title: 'EventType', description: 'what has happened' }),
    at: timestamp('when it happened, by the clock of the device'),
    payment: PaymentAnswer,
    refund: Type.Optional(RefundAnswer),
  },
  { title: 'Event', description: 'what has happened, with the payment (and the refund) as it then was' },
);

const Hello = Type.Object({
  last: Type.Integer({ description: 'number of the last event of this ledger' }),
  beatMs: Type.Integer({ description: 'the longest time between two messages, in milliseconds' }),
});
const Gap = Type.Object({
  reason: Type.Enum(['pruned', 'ahead'], {
    description:
      'pruned: events after `after` have been deleted. ahead: no event has the number `after` yet: it is of another device, or of a ledger that was lost',
  }),
  after: Type.Integer({ description: 'what was asked for' }),
  from: Type.Integer({ description: 'the events after this one follow' }),
});

const Stream = Type.Union([
  sentEvent('HelloMessage', Type.Literal('hello'), Hello),
  sentEvent('BeatMessage', Type.Literal('beat'), Type.Object({})),
  sentEvent('GapMessage', Type.Literal('gap'), Gap),
  sentEvent('EventMessage', Type.Enum([...EVENT_TYPES], { title: 'EventType' }), EventBody),
]);

const EXAMPLE = {
  id: '1795291083094',
  event: 'payment.accepted',
  data: JSON.stringify({
    number: 1_795_291_083_094,
    type: 'payment.accepted',
    at: '2026-11-21T08:00:20.000Z',
    payment: PAYMENT_EXAMPLE,
  }),
};

/** @param streams the pool of open streams, shared with those of the pages */
export function addEventRoutes(app: FastifyInstance, terminal: Terminal, streams: EventStreamPool): void {
  const onProblem = (err: unknown) => app.log.error({ err }, 'the events cannot be read');
  const events = new EventStreams(terminal.events, onProblem);
  app.addHook('preClose', async () => events.close());

  app.get<{ Querystring: Static<typeof Query>; Headers: Static<typeof Headers> }>(
    '/v1/events',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'streamEvents',
        tags: ['events'],
        summary: 'What happens to payments and refunds, live and since a moment before',
        description:
          'Server-sent events: `hello` once; `gap` where requested events have been deleted; the events since, in order; a `beat` when all of them are sent; then each event as it comes, and `beat` while nothing happens. Silence for more than two beats means that the device is lost: connect again with `Last-Event-ID`, and nothing is missed. An event may come more than once over a crash of the device, never out of order. A till that reaches only its own payments gets the events of those alone.',
        querystring: Query,
        headers: Headers,
        response: {
          200: { description: 'the stream', content: { 'text/event-stream': { schema: Stream, example: EXAMPLE } } },
        },
      },
    },
    (request, reply) => {
      const { query, headers } = request;
      const after = headers['last-event-id'] ?? query.after;
      const types = query.types === undefined ? null : new Set(query.types.split(','));
      const caller = requesterOf(reply);
      const isWanted = ({ type, till }: StoredEvent): boolean => (types?.has(type) ?? true) && mayReach(caller, till);
      return streams.send(request, reply, () => {
        try {
          return events.open({ after: after ?? null, isWanted });
        } catch (error) {
          throw terminalFailure(error, { therefore: 'the events cannot be read' });
        }
      });
    },
  );
}
