/** The addresses that get events, and the state of each delivery. */
import type { FastifyInstance } from 'fastify';
import { askerOf, beforeOf, mustReachAll } from '../../core/http/index.ts';
import type { Terminal } from '../../payments/terminal.ts';
import type { Delivery } from './delivery-book.ts';
import { PAGES } from '../../payments/http/fields.ts';
import { refusals } from '../../payments/http/problem.ts';
import {
  DeliveriesPage,
  DeliveriesQuery,
  DeliveryAnswer,
  DeliveryPath,
  deliveryAnswer,
  TestAnswer,
  WebhookPath,
  Webhooks,
  webhookAnswer,
} from './schemas.ts';

/** A delivery as calls return it, given the state of the addresses. */
function describe(delivery: Delivery, terminal: Terminal, states = terminal.webhooks.states) {
  const id = terminal.webhooks.idOf(delivery);
  return deliveryAnswer(
    delivery,
    states.find((state) => state.id === id),
    terminal.now(),
  );
}

export function addWebhookRoutes(app: FastifyInstance, terminal: Terminal): void {
  const { webhooks } = terminal;

  app.get(
    '/v1/webhooks',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'listWebhooks',
        tags: ['events'],
        summary: 'The addresses that get events, and the state of each',
        description: 'They are set by `terminal.webhooks` of the configuration alone. Secrets are not returned.',
        response: { 200: Webhooks },
      },
    },
    async () => ({ webhooks: webhooks.states.map((state) => webhookAnswer(state, terminal.now())) }),
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
      mustReachAll(askerOf(reply));
      const limit = PAGES.sizeOf(query.limit);
      const found = webhooks.deliveries(beforeOf(query.cursor), limit + 1);
      const page = found.slice(0, limit);
      const { states } = webhooks;
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        deliveries: page.map((delivery) => describe(delivery, terminal, states)),
        cursor: last === undefined ? null : String(last.id),
      };
    },
  );

  app.post(
    '/v1/webhooks/deliveries/:id/redeliver',
    {
      config: { role: 'technician', audit: { event: 'webhook-redelivered', fields: ['id'], answers: ['event'] } }, // what a receiver books twice is its own mistake, but not a till's to provoke
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
    async ({ params }) => describe(await webhooks.redeliver(params.id), terminal),
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
