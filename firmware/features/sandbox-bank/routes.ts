/** The calls of the sandbox for people and tests, and the payer's page. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readBody, type SandboxParts } from './desk.ts';
import { SandboxError } from './errors.ts';
import { Fault } from './faults.ts';
import { fromThisMachine } from './network.ts';
import { pageState, payPage } from './pay-page.ts';
import { chooseLanguage, type Language } from './texts.ts';

const LISTED_PAYMENTS = 1000;
const FaultsBody = Type.Object({ faults: Type.Array(Fault, { maxItems: 1000 }) }, { additionalProperties: false });

interface OfPage {
  readonly Querystring: { readonly lang?: unknown };
}

const languageOf = ({ query, headers }: FastifyRequest<OfPage>): Language =>
  chooseLanguage(query.lang, headers['accept-language']);

/** Ignores an error of the bank: the browser is sent back to the page in any case, and the page shows the outcome. */
function settleForPage(settle: () => void): void {
  try {
    settle();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
  }
}

export function addSandboxRoutes(app: FastifyInstance, { payments, refunds, faults }: SandboxParts): void {
  app.get('/sandbox/payments', { onRequest: fromThisMachine }, async () => payments.list(LISTED_PAYMENTS));

  app.get<{ Params: { id: string } }>(
    '/sandbox/payments/:id/refunds',
    { onRequest: fromThisMachine },
    async (request) => refunds.of(payments.named(request.params.id).qrcId),
  );

  for (const action of ['pay', 'decline'] as const) {
    app.post<OfPage & { Params: { id: string } }>(`/sandbox/payments/:id/${action}`, async (request, reply) => {
      const { id } = request.params;
      const settle = () => payments[action](payments.named(id).qrcId);
      if (request.headers.accept?.includes('text/html') !== true) return settle();
      settleForPage(settle);
      return reply.redirect(`/pay/${encodeURIComponent(id)}?lang=${languageOf(request)}`, 303);
    });
  }

  app.get('/sandbox/faults', { onRequest: fromThisMachine }, async () => ({ faults: faults.list() }));
  app.post('/sandbox/faults', { onRequest: fromThisMachine }, async (request) => {
    faults.set(readBody(request, FaultsBody).faults);
    return { faults: faults.list() };
  });

  app.get<OfPage & { Params: { qrcId: string } }>('/pay/:qrcId', async (request, reply) => {
    const payment = payments.find(request.params.qrcId);
    const page = payPage(payment, languageOf(request));
    return reply
      .code(payment === null ? 404 : 200)
      .headers(page.headers)
      .send(page.html);
  });

  app.get<OfPage & { Params: { qrcId: string } }>('/pay/:qrcId/state', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return pageState(payments.find(request.params.qrcId), languageOf(request));
  });
}
