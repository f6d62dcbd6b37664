/** Schemas of the addresses that get events, and of their deliveries. */

import Type, { type Static } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../drivers/lib/iso-time.ts';
import { EVENT_TYPES } from '../../core/config/index.ts';
import { ordinal } from '../../core/http/index.ts';
import { orNull, patternWithMessage } from '../../core/store/index.ts';
import { pageFields, timestamp, timestampOrNull } from '../../payments/index.ts';
import { shownUrl } from './address-queue.ts';
import { DELIVERY_STATES, type Delivery } from './delivery-book.ts';
import type { WebhookState } from './webhooks.ts';

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
    givenUp: Type.Integer({ description: 'events of the last seven days that it has not taken within a day' }),
  },
  { title: 'Webhook', description: 'an address that gets events' },
);
export const WebhookList = Type.Object(
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
export const DeliveryAnswer = Type.Object(
  {
    id: Type.Integer(),
    webhook: orNull(AddressId, 'null: the address is not configured any more'),
    url,
    event: Type.Integer({ description: 'its number' }),
    type: Type.String({ description: 'of the event' }),
    payment: Type.String({ description: '`id` of the payment' }),
    state: Type.Enum([...DELIVERY_STATES], {
      title: 'DeliveryState',
      description: 'waiting: it is sent again. delivered: it was taken. given-up: it was not taken within a day',
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

export const DeliveriesQuery = Type.Object(pageFields('deliveries'), { additionalProperties: false });
export const DeliveriesPage = Type.Object(
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
export const DeliveryPath = Type.Object({
  id: ordinal('`id` of the delivery'),
});

export const WebhookPath = Type.Object({ id: AddressId });
export const TestAnswer = Type.Object(
  {
    id: AddressId,
    url,
    status: orNull(Type.Integer(), 'HTTP status of the answer; null where there was none'),
    problem: problem('why it was not taken; null where it was'),
    tookMs: Type.Integer({ description: 'how long it took, milliseconds' }),
  },
  {
    title: 'WebhookTest',
    description: 'what a receiver has said to a test',
    examples: [{ id: '9b1c04d2e7f8', url: 'https://till.shop.example/lane-7', status: 204, problem: null, tookMs: 41 }],
  },
);

export const webhookAnswer = (
  { failingMs: _, againMs, ...state }: WebhookState,
  now: number,
): Static<typeof WebhookAnswer> => ({
  ...state,
  types: state.types === null ? null : EVENT_TYPES.filter((type) => state.types?.includes(type)),
  deliveredAt: isoTimeOrNull(state.deliveredAt),
  againAt: againMs === null ? null : isoTime(now + againMs),
});

/** @param address of the delivery: the first waiting event is sent again at the address's next attempt */
export function deliveryAnswer(
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
