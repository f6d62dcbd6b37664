/** The bank's calls: those of the CFT interface for the till, those of the sandbox for people and tests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { fits, problemsWith, sentence } from '../store/schema.ts';
import { MAX_AMOUNT_KOPECKS, MAX_PURPOSE_CHARACTERS, MAX_TTL_MINUTES } from '../terminal/payment-limits.ts';
import { SandboxError } from './errors.ts';
import { Fault, type Faults, type FaultyCall, misbehave } from './faults.ts';
import { fromThisMachine } from './network.ts';
import { payPage } from './pay-page.ts';
import type { SandboxPayment, SandboxPayments } from './payments.ts';

const MINUTE_MS = 60_000;
const LISTED_PAYMENTS = 1000;
const MAX_ORDER_ID = 128;

const id = Type.String({ minLength: 1, maxLength: 128 });
const RegisterBody = Type.Object({
  extEntityId: id,
  merchantId: id,
  accAlias: id,
  account: Type.Optional(Type.String({ maxLength: 64 })),
  amount: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT_KOPECKS }),
  paymentPurpose: Type.Optional(Type.String({ maxLength: MAX_PURPOSE_CHARACTERS })),
  qrcType: Type.Literal('02'),
  expDt: Type.Integer({ minimum: 1, maximum: MAX_TTL_MINUTES }),
  localExpDt: Type.Optional(Type.Integer({ minimum: 1 })),
  redirectUrl: Type.Optional(Type.String({ maxLength: 1024 })),
});
const FaultsBody = Type.Object({ faults: Type.Array(Fault, { maxItems: 1000 }) }, { additionalProperties: false });

/** NSPK's codes; a code that ran out unpaid still has no operation. */
const PAY_STATUS: { readonly [State in SandboxPayment['state']]: string } = {
  open: 'NTST',
  paid: 'ACWP',
  declined: 'RJCT',
  expired: 'NTST',
};

export interface SandboxRoutes {
  readonly payments: SandboxPayments;
  readonly faults: Faults;
  /** Base address for phones, without a slash at its end. */
  readonly payerBase: () => string;
}

/** @throws {SandboxError} `not-json`, `invalid` */
function readJson(request: FastifyRequest): unknown {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new SandboxError('not-json', 'the body must be application/json');
  try {
    return JSON.parse(String(request.body));
  } catch {
    throw new SandboxError('invalid', 'the body is not JSON');
  }
}

/** @throws {SandboxError} `not-json`, `invalid` */
function readBody<Schema extends TSchema>(request: FastifyRequest, schema: Schema): Static<Schema> {
  const body = readJson(request);
  if (fits(schema, body)) return body;
  const problems = problemsWith(schema, body).map((problem) => sentence(problem, 'the body'));
  throw new SandboxError('invalid', problems.join('; '));
}

function orderIdOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length > MAX_ORDER_ID)
    throw new SandboxError('invalid', 'Idempotency-Key is too long');
  return key;
}

/** A browser is sent back to the page whatever comes of it: the page tells the outcome. */
function settleForPage(settle: () => void): void {
  try {
    settle();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
  }
}

export function addCftRoutes(app: FastifyInstance, { payments, faults, payerBase }: SandboxRoutes): void {
  const answer = async (call: FaultyCall, reply: FastifyReply, truth: () => object): Promise<unknown> => {
    const fault = faults.take(call);
    return fault === null ? reply.send(truth()) : misbehave(fault, reply, truth);
  };

  app.post('/qr', { onRequest: fromThisMachine }, async (request, reply) => {
    const body = readBody(request, RegisterBody);
    const orderId = orderIdOf(request);
    return answer('register', reply, () => {
      const payment = payments.register(
        {
          orderId,
          amount: body.amount,
          purpose: body.paymentPurpose ?? null,
          payee: JSON.stringify([body.extEntityId, body.merchantId, body.accAlias]),
          ttlMs: body.expDt * MINUTE_MS,
        },
        (qrcId) => `${payerBase()}/pay/${qrcId}`,
      );
      return { qrcId: payment.qrcId, payload: payment.link };
    });
  });

  app.get<{ Params: { qrcId: string } }>('/qr/state/:qrcId', { onRequest: fromThisMachine }, (request, reply) =>
    answer('state', reply, () => {
      const payment = payments.find(request.params.qrcId);
      if (payment === null) throw new SandboxError('unknown', 'QRC_NOT_FOUND');
      return { qrCode: { qrcId: payment.qrcId }, payStatus: { status: PAY_STATUS[payment.state] } };
    }),
  );
}

export function addSandboxRoutes(app: FastifyInstance, { payments, faults }: SandboxRoutes): void {
  app.get('/sandbox/payments', { onRequest: fromThisMachine }, async () => payments.list(LISTED_PAYMENTS));

  for (const deed of ['pay', 'decline'] as const) {
    app.post<{ Params: { qrcId: string } }>(`/sandbox/payments/:qrcId/${deed}`, async (request, reply) => {
      const { qrcId } = request.params;
      if (request.headers.accept?.includes('text/html') !== true) return payments[deed](qrcId);
      settleForPage(() => payments[deed](qrcId));
      return reply.redirect(`/pay/${encodeURIComponent(qrcId)}`, 303);
    });
  }

  app.get('/sandbox/faults', { onRequest: fromThisMachine }, async () => ({ faults: faults.list() }));
  app.post('/sandbox/faults', { onRequest: fromThisMachine }, async (request) => {
    faults.set(readBody(request, FaultsBody).faults);
    return { faults: faults.list() };
  });

  app.get<{ Params: { qrcId: string } }>('/pay/:qrcId', async (request, reply) => {
    const payment = payments.find(request.params.qrcId);
    const page = payPage(payment, request.headers['accept-language'] ?? '');
    return reply
      .code(payment === null ? 404 : 200)
      .headers(page.headers)
      .send(page.html);
  });
}
