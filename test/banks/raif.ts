/**
 * Raiffeisenbank's SBP interface (the bank's OpenAPI): roubles as JSON numbers, the secret key as a bearer token. Calls
 * of version 1 answer HTTP 200 with an error's `code`, those of version 2 with an HTTP status besides.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { fits } from '../../firmware/core/schema/schema.ts';
import { checked, Desk, readJson, type SandboxParts } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import { refundOfMerchant } from './books.ts';
import { addCashLink, type CashLink, findCashLink, onCashLink } from './cash-links.ts';
import { addRaifOrders } from './raif-orders.ts';
import {
  amountOf,
  merchantOf,
  moscowTime,
  NOT_FOUND,
  QR_STATUS,
  REFUSALS,
  refundAnswer,
  refused,
  termMs,
  wordOf,
} from './raif-words.ts';
import { about, wordRefusals } from './refused.ts';
import { roublesNumber } from './roubles.ts';

const ORDER = /^[A-Za-z0-9_.-]{1,40}$/;
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

const WithMerchant = Type.Object({ sbpMerchantId: Type.String({ minLength: 1 }) });
/** A printed code: no amount, no end. */
const CashLinkBody = Type.Object({
  qrType: Type.Literal('QRVariable'),
  sbpMerchantId: Type.String({ minLength: 1, maxLength: 12 }),
  account: Type.Optional(Type.Union([Type.String({ maxLength: 20 }), Type.Number()])),
  qrDescription: Type.Optional(Type.String({ maxLength: 140 })),
});

const RefundBody = Type.Object({
  amount: Type.Number(),
  order: Type.String({ minLength: 1, maxLength: 40 }),
  refundId: Type.String({ minLength: 1, maxLength: 100 }),
  paymentDetails: Type.Optional(Type.String({ maxLength: 140 })),
  transactionId: Type.Optional(Type.Union([Type.Number(), Type.String()])),
});

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
    throw refused(
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

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A printed code does nothing until an order stands on it. */
const cashLinkAnswer = ({ qrcId, link }: CashLink, order: SandboxPayment | null): object => ({
  ...{ qrId: qrcId, qrStatus: order?.state === 'open' ? 'ACTIVE' : 'INACTIVE', payload: link, qrUrl: link },
});

function addCodes(app: FastifyInstance, desk: Desk): void {
  app.post('/api/sbp/v2/qrs', async (request, reply) => {
    const merchant = merchantOf(request);
    const json = readJson(request);
    if (!fits(WithMerchant, json)) {
      throw refused('ERROR.SBP_MERCHANT_ID_IS_MISSING', 'SbpMerchantId партнера не указан');
    }
    if (fits(Type.Object({ qrType: Type.Literal('QRVariable') }), json)) {
      checked(CashLinkBody, json);
      return cashLinkAnswer(addCashLink(desk.payments, 'raif', merchant, desk.linkOf), null);
    }
    const body = checked(RegisterBody, json);
    if (!ORDER.test(body.order)) throw refused('ERROR.INVALID_ORDER', 'В номере заказа поддерживаются A-z09_-.');
    return desk.answer(request, reply, {
      ...{ call: 'register', amount: amountOf(body.amount), key: `${merchant} ${body.order}` },
      ...desk.registration(merchant, () => register(desk, merchant, body), qrAnswer),
    });
  });

  const ofCode =
    (call: 'state' | 'cancel', work: (payment: SandboxPayment) => object): Handler =>
    async (request, reply) => {
      const { qrId } = request.params as { qrId: string };
      const payment = desk.payments.byBankId('raif', merchantOf(request), qrId);
      return desk.answer(request, reply, about(call, payment, `${request.routeOptions.url} ${qrId}`, NOT_FOUND, work));
    };
  const tellCode = ofCode('state', (payment) => qrAnswer(desk.seen(payment)));
  app.get<{ Params: { qrId: string } }>('/api/sbp/v2/qrs/:qrId', async (request, reply) => {
    const printed = findCashLink(desk.payments, 'raif', merchantOf(request), request.params.qrId);
    if (printed === null) return tellCode(request, reply);
    return cashLinkAnswer(printed, onCashLink(desk.payments, printed.qrcId));
  });
  app.delete(
    '/api/sbp/v2/qrs/:qrId',
    ofCode('cancel', ({ qrcId, state }) => {
      if (state === 'cancelled') throw new SandboxError('not-open', 'cancelled before');
      desk.payments.cancel(qrcId);
      return {};
    }),
  );
  app.get(
    '/api/sbp/v1/qr/:qrId/payment-info',
    ofCode('state', (payment) => paymentAnswer(desk.seen(payment))),
  );
}

function addRefunds(app: FastifyInstance, desk: Desk): void {
  app.post('/api/sbp/v1/refund', async (request, reply) => {
    const merchant = merchantOf(request);
    const body = checked(RefundBody, readJson(request));
    const amount = amountOf(body.amount, true);
    const payment = desk.payments.ofOrder('raif', merchant, body.order).find(({ state }) => state === 'paid');
    const give = (paid: SandboxPayment): object =>
      refundAnswer(desk.refunds.refund(paid, amount, body.refundId), 'pending');
    return desk.answer(request, reply, about('refund', payment, `${merchant} ${body.refundId}`, NOT_FOUND, give));
  });

  app.get<{ Params: { refundId: string } }>('/api/sbp/v1/refund/:refundId', async (request, reply) => {
    const { refundId } = request.params;
    const refund = refundOfMerchant(desk, 'raif', merchantOf(request), refundId);
    const payment = refund === null ? null : desk.payments.find(refund.qrcId);
    return desk.answer(request, reply, {
      ...{ call: 'refund-state', amount: payment?.amount ?? null, key: refundId },
      truth: () => {
        if (refund === null) throw refused('ERROR.REFUND_NOT_FOUND', `Возврат с refundId ${refundId} не найден`);
        return refundAnswer(refund, refund.state);
      },
    });
  });
}

export function addRaif(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, { refusals: REFUSALS });
  wordRefusals(app, wordOf, ({ status }, { routeOptions }) =>
    routeOptions.url?.includes('/sbp/v1/') === true && status !== 401 ? 200 : status,
  );
  addCodes(app, desk);
  addRefunds(app, desk);
  addRaifOrders(app, desk);
}
