/** The CFT interface (public client code): no credential but the ids, status codes of the payment system. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { MAX_TTL_MINUTES } from '../../firmware/core/config/choices.ts';
import { MAX_AMOUNT_KOPECKS, MAX_PURPOSE_CHARACTERS } from '../../firmware/core/config/limits.ts';
import { Desk, readBody, type SandboxParts } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import { about } from './refused.ts';

const MINUTE_MS = 60_000;
const MAX_ORDER_ID = 128;
/** Only the ids of a registration distinguish merchants, and a status call has none. */
const ANY_MERCHANT = '';

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
type RegisterBody = Static<typeof RegisterBody>;

/** NSPK's codes; a code that ran out unpaid still has no operation. */
const PAY_STATUS: { readonly [State in PaymentState]: string } = {
  open: 'NTST',
  processing: 'ACTC',
  paid: 'ACWP',
  declined: 'RJCT',
  cancelled: 'RJCT',
  expired: 'NTST',
};

const REFUSALS = {
  error: { status: 500, body: { error: 'internal error' } },
  'too-many': { status: 429, body: { error: 'too many calls' } },
  refuse: { status: 400, body: { error: 'MERCHANT_BLOCKED', message: 'the point of sale is blocked' } },
  denied: { status: 401, body: { error: 'UNAUTHORIZED', message: 'the point of sale is not known' } },
} as const;

function orderIdOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length > MAX_ORDER_ID)
    throw new SandboxError('invalid', 'Idempotency-Key is too long');
  return key;
}

const payeeOf = ({ extEntityId, merchantId, accAlias }: RegisterBody): string =>
  JSON.stringify([extEntityId, merchantId, accAlias]);

function register(desk: Desk, body: RegisterBody, orderId: string | null): SandboxPayment {
  const [payee, purpose] = [payeeOf(body), body.paymentPurpose ?? null];
  const [known] = orderId === null ? [] : desk.payments.ofOrder('cft', ANY_MERCHANT, orderId);
  if (known === undefined) {
    const ttlMs = body.expDt * MINUTE_MS;
    return desk.payments.register(
      { dialect: 'cft', merchant: ANY_MERCHANT, orderId, amount: body.amount, purpose, ttlMs, detail: { payee } },
      desk.linkOf,
    );
  }
  if (known.amount !== body.amount || known.purpose !== purpose || known.detail.payee !== payee) {
    throw new SandboxError('order-differs', 'this Idempotency-Key already stands for another payment');
  }
  return known;
}

const registered = ({ qrcId, link }: SandboxPayment): object => ({ qrcId, payload: link });

export function addCft(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, { refusals: REFUSALS });

  app.post('/qr', async (request, reply) => {
    const body = readBody(request, RegisterBody);
    const orderId = orderIdOf(request);
    return desk.answer(request, reply, {
      call: 'register',
      amount: body.amount,
      key: orderId,
      ...desk.registration(ANY_MERCHANT, () => register(desk, body, orderId), registered),
    });
  });

  app.get<{ Params: { qrcId: string } }>('/qr/state/:qrcId', async (request, reply) => {
    const payment = desk.payments.byBankId('cft', ANY_MERCHANT, request.params.qrcId);
    return desk.answer(
      ...([request, reply] as const),
      about('state', payment, request.params.qrcId, new SandboxError('unknown', 'QRC_NOT_FOUND'), (found) => ({
        ...{ qrCode: { qrcId: found.qrcId }, payStatus: { status: PAY_STATUS[desk.seen(found).state] } },
      })),
    );
  });
}
