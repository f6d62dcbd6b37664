/** The calls of the sandbox for people and tests, and the payer's page. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { readBody, type SandboxParts } from './desk.ts';
import { SandboxError } from './errors.ts';
import { Fault } from './faults.ts';
import { fromThisMachine } from './network.ts';
import { payPage } from './pay-page.ts';

const LISTED_PAYMENTS = 1000;
const FaultsBody = Type.Object({ faults: Type.Array(Fault, { maxItems: 1000 }) }, { additionalProperties: false });

const KeyBody = Type.Object(
  { keyName: Type.String({ minLength: 1, maxLength: 128 }), publicKey: Type.String() },
  { additionalProperties: false },
);

/** A browser is sent back to the page whatever comes of it: the page tells the outcome. */
function settleForPage(settle: () => void): void {
  try {
    settle();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
  }
}

export function addSandboxRoutes(app: FastifyInstance, { payments, refunds, faults, keys }: SandboxParts): void {
  app.get('/sandbox/payments', { onRequest: fromThisMachine }, async () => payments.list(LISTED_PAYMENTS));

  app.get<{ Params: { id: string } }>(
    '/sandbox/payments/:id/refunds',
    { onRequest: fromThisMachine },
    async (request) => refunds.of(payments.named(request.params.id).qrcId),
  );

  for (const deed of ['pay', 'decline'] as const) {
    app.post<{ Params: { id: string } }>(`/sandbox/payments/:id/${deed}`, async (request, reply) => {
      const { id } = request.params;
      const settle = () => payments[deed](payments.named(id).qrcId);
      if (request.headers.accept?.includes('text/html') !== true) return settle();
      settleForPage(settle);
      return reply.redirect(`/pay/${encodeURIComponent(id)}`, 303);
    });
  }

  app.get('/sandbox/faults', { onRequest: fromThisMachine }, async () => ({ faults: faults.list() }));
  app.post('/sandbox/faults', { onRequest: fromThisMachine }, async (request) => {
    faults.set(readBody(request, FaultsBody).faults);
    return { faults: faults.list() };
  });

  app.post('/sandbox/keys', { onRequest: fromThisMachine }, async (request) => {
    const { keyName, publicKey } = readBody(request, KeyBody);
    keys.add(keyName, publicKey);
    return { keyName };
  });

  app.get<{ Params: { qrcId: string } }>('/pay/:qrcId', async (request, reply) => {
    const { qrcId } = request.params;
    const payment = payments.find(qrcId) ?? payments.onCashLink(qrcId);
    const page = payPage(payment, request.headers['accept-language'] ?? '');
    return reply
      .code(payment === null ? 404 : 200)
      .headers(page.headers)
      .send(page.html);
  });
}
