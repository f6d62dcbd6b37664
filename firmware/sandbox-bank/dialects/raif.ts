/**
 * Raiffeisenbank's SBP interface (the bank's OpenAPI): roubles as JSON numbers, the secret key as a bearer token. Calls
 * of version 1 answer HTTP 200 with an error's `code`, those of version 2 with an HTTP status besides.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { checked, Desk, readJson, type SandboxParts, twistFields, WRONG_SECRET } from '../desk.ts';
import { SandboxError } from '../errors.ts';
import type { Manner } from '../faults.ts';
import type { PaymentState, SandboxPayment } from '../payments.ts';
import type { SandboxRefund } from '../refunds.ts';
import { kopecksOf, roublesNumber } from '../roubles.ts';

const DAY_MS = 86_400_000;
const DEFAULT_TERM_DAYS = 3;
const MAX_TERM_DAYS = 90;
const MAX_KOPECKS = 100_000_000;
const ORDER = /^[A-Za-z0-9_.-]{1,40}$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?([+-]\d{2}:\d{2}|Z)$/;
const MOSCOW_MS = 10_800_000;

const RegisterBody = Type.Object({
  qrType: Type.Literal('QRDynamic'),
  amount: Type.Optional(Type.Number()),
  currency: Type.Optional(Type.Literal('RUB')),
  order: Type.String(),
  sbpMerchantId: Type.String({ minLength: 1, maxLength: 12 }),
  account: Type.Optional(Type.Union([Type.String({ maxLength: 20 }), Type.Number()])),
  additionalInfo: Type.Optional(Type.String({ maxLength: 140 })),
  paymentDetails: Type.Optional(Type.String({ maxLength: 185 })),
  qrExpirationDate: Type.Optional(Type.String()),
  createDate: Type.Optional(Type.String()),
});
type RegisterBody = Static<typeof RegisterBody>;

const RefundBody = Type.Object({
  amount: Type.Number(),
  order: Type.String({ minLength: 1, maxLength: 40 }),
  refundId: Type.String({ minLength: 1, maxLength: 100 }),
  paymentDetails: Type.Optional(Type.String({ maxLength: 140 })),
  transactionId: Type.Optional(Type.Union([Type.Number(), Type.String()])),
});

/** A refusal in the bank's words. */
export class RaifError extends Error {
  readonly code: string;
  /** Of version 2; version 1 has 200. */
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'RaifError';
    this.code = code;
    this.status = status;
  }
}

const errorBody = (code: string, message: string): object => ({ code, message });

export const MANNER: Manner = {
  amountInState: true,
  refusal: (kind) => {
    switch (kind) {
      case 'error':
        return { status: 500, body: errorBody('ERROR.INTERNAL', 'Внутренняя ошибка') };
      case 'too-many':
        return { status: 429, body: errorBody('ERROR.TOO_MANY_REQUESTS', 'Слишком много запросов') };
      case 'refuse':
        return { status: 400, body: errorBody('ERROR.MERCHANT_NOT_REGISTERED', 'Партнер не зарегистрирован') };
      case 'denied':
        return { status: 401, body: errorBody('ERROR.UNAUTHORIZED', 'Неверный секретный ключ') };
    }
  },
  twist: twistFields({ amount: ['amount'], payment: ['qrId', 'id'], order: ['order'], otherAmount: 999_999.99 }),
};

/** The holder of the secret key, which itself is kept nowhere. @throws {RaifError} */
export function merchantOf(request: FastifyRequest): string {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (key === undefined || key === WRONG_SECRET) {
    throw new RaifError('ERROR.UNAUTHORIZED', 'Неверный секретный ключ', 401);
  }
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

/** @throws {RaifError} */
export function amountOf(roubles: number | undefined, refund = false): number {
  if (roubles === undefined) {
    throw new RaifError('ERROR.DYNAMIC_QR_WITHOUT_AMOUNT', 'Не передана сумма для динамического QR-кода');
  }
  const kopecks = kopecksOf(roubles);
  if (kopecks !== null && kopecks > 0 && kopecks <= MAX_KOPECKS) return kopecks;
  const what = refund ? 'Сумма возврата не может быть меньше 1 копейки' : 'Передана некорректная сумма платежа';
  throw new RaifError('ERROR.INVALID_REQUEST', what);
}

/** @throws {RaifError} */
export function termMs(date: string | undefined, now: number): number {
  if (date === undefined) return DEFAULT_TERM_DAYS * DAY_MS;
  const left = ISO_DATE.test(date) ? Date.parse(date) - now : Number.NaN;
  if (left > 0 && left <= MAX_TERM_DAYS * DAY_MS) return left;
  throw new RaifError('ERROR.QR_EXPIRATION_DATE_NOT_VALID', 'Неверная дата истечения QR-кода');
}

/** As the bank writes moments: Moscow's time. */
export const moscowTime = (iso: string): string =>
  new Date(Date.parse(iso) + MOSCOW_MS).toISOString().replace('Z', '+03:00');

const QR_STATUS: { readonly [State in PaymentState]: string } = {
  open: 'NEW',
  processing: 'IN_PROGRESS',
  paid: 'PAID',
  declined: 'CANCELLED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
};
const PAYMENT_STATUS: { readonly [State in PaymentState]: string } = {
  open: 'NO_INFO',
  processing: 'IN_PROGRESS',
  paid: 'SUCCESS',
  declined: 'DECLINED',
  cancelled: 'NO_INFO',
  expired: 'NO_INFO',
};

function register(desk: Desk, merchant: string, body: RegisterBody): SandboxPayment {
  const { order, amount, sbpMerchantId } = body;
  if (desk.payments.ofOrder('raif', merchant, order).some(({ state }) => state === 'paid')) {
    throw new RaifError(
      'ERROR.ORDER_NUMBER_ALREADY_REGISTERED',
      `QR-код с номером заказа ${order}, партнера ${sbpMerchantId} и успешными платежами уже зарегистрирован`,
    );
  }
  const purpose = body.additionalInfo ?? body.paymentDetails ?? null;
  return desk.payments.register(
    {
      ...{ dialect: 'raif', merchant, orderId: order, amount: amountOf(amount), purpose },
      ...{ ttlMs: termMs(body.qrExpirationDate, desk.payments.clock.wall()), detail: { sbpMerchantId } },
    },
    desk.linkOf,
  );
}

const qrAnswer = (payment: SandboxPayment): object => ({
  qrId: payment.qrcId,
  qrStatus: QR_STATUS[payment.state],
  qrExpirationDate: moscowTime(payment.expiresAt),
  payload: payment.link,
  qrUrl: payment.link,
});

/** A number here, unlike the payment system's own id. */
const transactionNumber = (trxId: string): number => createHash('sha256').update(trxId).digest().readUIntBE(0, 5);

const paymentAnswer = (payment: SandboxPayment): object => ({
  ...{ code: 'SUCCESS', qrId: payment.qrcId, order: payment.orderId, amount: roublesNumber(payment.amount) },
  ...{ currency: 'RUB', additionalInfo: payment.purpose, merchantId: 123, sbpMerchantId: payment.detail.sbpMerchantId },
  ...{ paymentStatus: PAYMENT_STATUS[payment.state], createDate: moscowTime(payment.createdAt) },
  qrExpirationDate: moscowTime(payment.expiresAt),
  ...(payment.trxId === null || payment.paidAt === null
    ? {}
    : { transactionId: transactionNumber(payment.trxId), transactionDate: moscowTime(payment.paidAt) }),
});

const REFUND_STATUS = { pending: 'IN_PROGRESS', done: 'COMPLETED', declined: 'DECLINED' } as const;

/** @param state what it is told to be; a refund that was only just asked for is in progress whatever becomes of it */
export const refundAnswer = ({ amount }: SandboxRefund, state: SandboxRefund['state']): object => ({
  ...{ code: 'SUCCESS', amount: roublesNumber(amount), refundStatus: REFUND_STATUS[state] },
});

const NOT_FOUND = ['ERROR.NOT_FOUND', 'QR-код не найден у данного партнера', 404] as const;

/** What is wrong in the bank's words; null for what is not the caller's doing. */
export function wordOf(error: unknown): RaifError | null {
  if (error instanceof RaifError) return error;
  if (!(error instanceof SandboxError)) return null;
  switch (error.code) {
    case 'unknown':
      return new RaifError(...NOT_FOUND);
    case 'not-open':
      return new RaifError('ERROR.ERROR_WRONG_QR_STATUS', 'Неверный статус QR-кода');
    case 'too-much':
      return new RaifError('ERROR.REFUND_INSUFFICIENT_FUNDS', 'Сумма возврата больше суммы остатка по платежу');
    case 'not-paid':
      return new RaifError('ERROR.NOT_FOUND', 'Платеж не найден', 404);
    default:
      return new RaifError('ERROR.INVALID_REQUEST', error.message);
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

function addCodes(app: FastifyInstance, desk: Desk): void {
  app.post('/api/sbp/v2/qrs', async (request, reply) => {
    const merchant = merchantOf(request);
    const body = checked(RegisterBody, readJson(request));
    if (!ORDER.test(body.order)) throw new RaifError('ERROR.INVALID_ORDER', 'В номере заказа поддерживаются A-z09_-.');
    return desk.answer(request, reply, {
      ...{ call: 'register', amount: amountOf(body.amount), key: `${merchant} ${body.order}` },
      ...desk.registration(merchant, () => register(desk, merchant, body), qrAnswer),
    });
  });

  const about =
    (call: 'state' | 'cancel', work: (payment: SandboxPayment) => object): Handler =>
    async (request, reply) => {
      const { qrId } = request.params as { qrId: string };
      const payment = desk.payments.byBankId('raif', merchantOf(request), qrId);
      return desk.answer(request, reply, {
        ...{ call, amount: payment?.amount ?? null, key: `${request.routeOptions.url} ${qrId}` },
        truth: () => {
          if (payment === null) throw new RaifError(...NOT_FOUND);
          return work(payment);
        },
      });
    };
  app.get(
    '/api/sbp/v2/qrs/:qrId',
    about('state', (payment) => qrAnswer(desk.seen(payment))),
  );
  app.delete(
    '/api/sbp/v2/qrs/:qrId',
    about('cancel', ({ qrcId, state }) => {
      if (state === 'cancelled') throw new SandboxError('not-open', 'cancelled before');
      desk.payments.cancel(qrcId);
      return {};
    }),
  );
  app.get(
    '/api/sbp/v1/qr/:qrId/payment-info',
    about('state', (payment) => paymentAnswer(desk.seen(payment))),
  );
}

function addRefunds(app: FastifyInstance, desk: Desk): void {
  app.post('/api/sbp/v1/refund', async (request, reply) => {
    const merchant = merchantOf(request);
    const body = checked(RefundBody, readJson(request));
    const amount = amountOf(body.amount, true);
    const payment = desk.payments.ofOrder('raif', merchant, body.order).find(({ state }) => state === 'paid');
    return desk.answer(request, reply, {
      ...{ call: 'refund', amount: payment?.amount ?? null, key: `${merchant} ${body.refundId}` },
      truth: () => {
        if (payment === undefined) throw new RaifError(...NOT_FOUND);
        return refundAnswer(desk.refunds.refund(payment, amount, body.refundId), 'pending');
      },
    });
  });

  app.get<{ Params: { refundId: string } }>('/api/sbp/v1/refund/:refundId', async (request, reply) => {
    const { refundId } = request.params;
    const refund = desk.refunds.ofMerchant('raif', merchantOf(request), refundId);
    const payment = refund === null ? null : desk.payments.find(refund.qrcId);
    return desk.answer(request, reply, {
      ...{ call: 'refund-state', amount: payment?.amount ?? null, key: refundId },
      truth: () => {
        if (refund === null) throw new RaifError('ERROR.REFUND_NOT_FOUND', `Возврат с refundId ${refundId} не найден`);
        return refundAnswer(refund, refund.state);
      },
    });
  });
}

export function addRaif(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, MANNER);
  app.setErrorHandler((error, request, reply) => {
    const word = wordOf(error);
    if (word === null) throw error;
    const first = request.routeOptions.url?.includes('/sbp/v1/') === true && word.status !== 401;
    return reply.code(first ? 200 : word.status).send(errorBody(word.code, word.message));
  });
  addCodes(app, desk);
  addRefunds(app, desk);
}
