/** The calls of the addresses that get events, and of their deliveries. */

import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../core/host/index.ts';
import { askerOf, beforeOf, requireReachOfAll } from '../../core/http/index.ts';
import { PAGES, refusals } from '../../payments/index.ts';
import type { Delivery } from './delivery-book.ts';

import {
  DeliveriesPage,
  DeliveriesQuery,
  DeliveryAnswer,
  DeliveryPath,
  deliveryAnswer,
  TestAnswer,
  WebhookList,
  WebhookPath,
  webhookAnswer,
} from './schemas.ts';

import type { Webhooks } from './webhooks.ts';

/** The answer about a delivery, given the states of the addresses. */
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
      requireReachOfAll(askerOf(reply));
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
          ...refusals('Webhooks.DeliveryNotFound', 'Webhooks.EventGone', 'Webhooks.NotConfigured'),
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
        response: { 200: TestAnswer, ...refusals('Webhooks.AddressNotFound') },
      },
    },
    async ({ params }) => webhooks.test(params.id),
  );
}
