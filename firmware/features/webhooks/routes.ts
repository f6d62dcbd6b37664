/** The calls of webhooks: they list the addresses and the deliveries, redeliver an event, and test an address. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../drivers/lib/iso-time.ts';
import type { Clock } from '../../core/host/index.ts';
import { beforeOf, ordinal, problemsOf, requesterOf, requireReachOfAll } from '../../core/http/index.ts';
import { orNull, patternWithMessage } from '../../core/schema/index.ts';
import { EVENT_TYPES, PAGES, pageFields, timestamp, timestampOrNull } from '../../payments/index.ts';
import { shownUrl } from './address-queue.ts';
import { DELIVERY_STATES, type Delivery } from './delivery-book.ts';
import { WEBHOOK_ERRORS } from './records.ts';
import type { WebhookState, Webhooks } from './webhooks.ts';

const EventType = Type.Enum([...EVENT_TYPES], { title: 'EventType' });
const url = Type.String({ description: 'without what stands in its query' });
const problem = (description: string) => orNull(Type.String(), description);

const AddressId = Type.String({
  title: 'WebhookId',
  pattern: patternWithMessage('^[0-9a-f]{12}$', 'must be the `id` of an address, as GET /v1/webhooks returns it'),
  description: 'of the address; it stays the same as long as the address does',
});

const WEBHOOK_EXAMPLE = Object.freeze({
  id: '9b1c04d2e7f8',
  url: 'https://till.shop.example/lane-7',
  types: null,
  toldTo: 1795291083094,
  waiting: 3,
  deliveredAt: '2026-11-21T08:00:20.000Z',
  problem: 'it answered HTTP 502',
  againAt: '2026-11-21T08:05:00.000Z',
  givenUp: 0,
});
const WebhookAnswer = Type.Object(
  {
    id: AddressId,
    url,
    types: orNull(Type.Array(EventType), 'null: all'),
    toldTo: Type.Integer({ description: 'number of the event up to which all were delivered or given up' }),
    waiting: Type.Integer({ description: 'events after that one, of any type' }),
    deliveredAt: timestampOrNull('when it last took one, UTC'),
    problem: problem('why it does not take the next one'),
    againAt: timestampOrNull('when that is sent again, UTC'),
    givenUp: Type.Integer({ description: 'events of the last seven days that it has not accepted within a day' }),
  },
  { title: 'Webhook', description: 'an address that gets events' },
);
const WebhookList = Type.Object(
  { webhooks: Type.Array(WebhookAnswer) },
  { title: 'Webhooks', description: 'the addresses of the configuration', examples: [{ webhooks: [WEBHOOK_EXAMPLE] }] },
);

const DELIVERY_EXAMPLE = Object.freeze({
  id: 17,
  webhook: '9b1c04d2e7f8',
  url: 'https://till.shop.example/lane-7',
  event: 1795291083094,
  type: 'payment.accepted',
  payment: '7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219',
  state: 'waiting',
  attempts: 4,
  status: 502,
  problem: 'it answered HTTP 502',
  firstAt: '2026-11-21T08:00:20.000Z',
  lastAt: '2026-11-21T08:00:35.000Z',
  againAt: '2026-11-21T08:00:43.000Z',
});
const DeliveryAnswer = Type.Object(
  {
    id: Type.Integer(),
    webhook: orNull(AddressId, 'null: the address is not configured any more'),
    url,
    event: Type.Integer({ description: 'its number' }),
    type: Type.String({ description: 'of the event' }),
    payment: Type.String({ description: '`id` of the payment' }),
    state: Type.Enum([...DELIVERY_STATES], {
      title: 'DeliveryState',
      description: 'waiting: it is sent again. delivered: it was accepted. given-up: it was not accepted within a day',
    }),
    attempts: Type.Integer(),
    status: orNull(Type.Integer(), 'HTTP status of the last attempt; null where there was no answer'),
    problem: problem('why it was not taken at the last attempt'),
    firstAt: timestamp('the first attempt'),
    lastAt: timestamp('the last attempt'),
    againAt: timestampOrNull('the next attempt, UTC'),
  },
  { title: 'Delivery', description: 'an event that was sent to an address', examples: [DELIVERY_EXAMPLE] },
);

const DeliveriesQuery = Type.Object(pageFields('deliveries'), { additionalProperties: false });
const DeliveriesPage = Type.Object(
  {
    deliveries: Type.Array(DeliveryAnswer, { description: 'newest first' }),
    cursor: orNull(Type.String(), 'of the next page; null where there is none'),
  },
  {
    title: 'Deliveries',
    description: 'events that were sent to addresses',
    examples: [{ deliveries: [DELIVERY_EXAMPLE], cursor: null }],
  },
);
const DeliveryPath = Type.Object({
  id: ordinal('`id` of the delivery'),
});

const WebhookPath = Type.Object({ id: AddressId });
const TestAnswer = Type.Object(
  {
    id: AddressId,
    url,
    status: orNull(Type.Integer(), 'HTTP status of the answer; null where there was none'),
    problem: problem('why it was not taken; null where it was'),
    tookMs: Type.Integer({ description: 'how long it took, milliseconds' }),
  },
  {
    title: 'WebhookTest',
    description: 'the answer of a receiver to a test',
    examples: [{ id: '9b1c04d2e7f8', url: 'https://till.shop.example/lane-7', status: 204, problem: null, tookMs: 41 }],
  },
);

const webhookAnswer = (
  { failingMs: _, againMs, ...state }: WebhookState,
  now: number,
): Static<typeof WebhookAnswer> => ({
  ...state,
  types: state.types === null ? null : EVENT_TYPES.filter((type) => state.types?.includes(type)),
  deliveredAt: isoTimeOrNull(state.deliveredAt),
  againAt: againMs === null ? null : isoTime(now + againMs),
});

/** @param address the state of the delivery's address: a waiting event is sent again at the address's next attempt */
function deliveryAnswer(
  delivery: Delivery,
  address: WebhookState | undefined,
  now: number,
): Static<typeof DeliveryAnswer> {
  const { orderId, firstAt, lastAt, begun: _, ...rest } = delivery;
  const againMs = address?.againMs ?? null;
  return {
    ...rest,
    webhook: address?.id ?? null,
    url: shownUrl(delivery.url),
    payment: orderId,
    firstAt: isoTime(firstAt),
    lastAt: isoTime(lastAt),
    againAt: delivery.state !== 'waiting' || againMs === null ? null : isoTime(now + againMs),
  };
}

/** The answer about a delivery. */
function describe(delivery: Delivery, webhooks: Webhooks, clock: Clock, states = webhooks.states) {
  const id = webhooks.idOf(delivery);
  return deliveryAnswer(
    delivery,
    states.find((state) => state.id === id),
    clock.wall(),
  );
}

export function addWebhookRoutes(app: FastifyInstance, webhooks: Webhooks, clock: Clock): void {
  app.get(
    '/v1/webhooks',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'listWebhooks',
        tags: ['events'],
        summary: 'The addresses that get events, and the state of each',
        description: 'They are set by `terminal.webhooks` of the configuration alone. Secrets are not returned.',
        response: { 200: WebhookList },
      },
    },
    async () => ({ webhooks: webhooks.states.map((state) => webhookAnswer(state, clock.wall())) }),
  );

  app.get(
    '/v1/webhooks/deliveries',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'listDeliveries',
        tags: ['events'],
        summary: 'What was sent to addresses, newest first',
        description:
          'The last 10,000. What waits behind the first event that an address does not take has not been sent yet.',
        querystring: DeliveriesQuery,
        response: { 200: DeliveriesPage },
      },
    },
    async ({ query }, reply) => {
      requireReachOfAll(requesterOf(reply));
      const limit = PAGES.sizeOf(query.limit);
      const found = webhooks.deliveries(beforeOf(query.cursor), limit + 1);
      const page = found.slice(0, limit);
      const { states } = webhooks;
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        deliveries: page.map((delivery) => describe(delivery, webhooks, clock, states)),
        cursor: last === undefined ? null : String(last.id),
      };
    },
  );

  app.post(
    '/v1/webhooks/deliveries/:id/redeliver',
    {
      config: { role: 'technician', audit: { event: 'webhook-redelivered', fields: ['id'], answers: ['event'] } }, // no till may repeat events
      schema: {
        operationId: 'redeliver',
        tags: ['events'],
        summary: 'Send an event to its address again, now',
        description:
          'Once, outside of the order, also where it was delivered before; `state` and `problem` of the answer say what has come of it.',
        params: DeliveryPath,
        response: {
          200: DeliveryAnswer,
          ...problemsOf(WEBHOOK_ERRORS, ['Webhooks.DeliveryNotFound', 'Webhooks.EventGone', 'Webhooks.NotConfigured']),
        },
      },
    },
    async ({ params }) => describe(await webhooks.redeliver(params.id), webhooks, clock),
  );

  app.post(
    '/v1/webhooks/:id/test',
    {
      config: { role: 'technician', audit: { event: 'webhook-tested', fields: ['id'], answers: ['status'] } },
      schema: {
        operationId: 'testWebhook',
        tags: ['events'],
        summary: 'Send an address a signed test message',
        description:
          '`{"number": 0, "type": "test", "at": …}`, for any types that the address wants, and ahead of the events that wait for it. Sent once; it is no delivery, and the queue does not move. `status` and `problem` say what the receiver made of it.',
        params: WebhookPath,
        response: { 200: TestAnswer, ...problemsOf(WEBHOOK_ERRORS, ['Webhooks.AddressNotFound']) },
      },
    },
    async ({ params }) => webhooks.test(params.id),
  );
}
