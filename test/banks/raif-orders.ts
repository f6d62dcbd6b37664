/**
 * Raiffeisenbank's orders (the bank's OpenAPI and SDK): a payment that stands on a printed code for a while, or on none.
 * The path of their refunds is a plural, that of the orders is not.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { checked, type Desk, readJson } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { findCashLink, onCashLink } from './cash-links.ts';
import { amountOf, merchantOf, NOT_FOUND, QR_STATUS, refundAnswer, refused, termMs } from './raif-words.ts';
import { about } from './refused.ts';
import { roublesNumber } from './roubles.ts';

const OrderBody = Type.Object({
  id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' })),
  amount: Type.Number(),
  comment: Type.Optional(Type.String({ maxLength: 140 })),
  expirationDate: Type.Optional(Type.String()),
  qr: Type.Optional(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 40 }),
      additionalInfo: Type.Optional(Type.String({ maxLength: 140 })),
      paymentDetails: Type.Optional(Type.String({ maxLength: 185 })),
    }),
  ),
});
type OrderBody = Static<typeof OrderBody>;

const RefundBody = Type.Object({
  amount: Type.Number(),
  paymentDetails: Type.Optional(Type.String({ maxLength: 140 })),
});

const notFound = (id: string) => refused('ORDER_NOT_FOUND', `Заказ с идентификатором ${id} не найден`, 404);

/** An order ends the one that stands on the same code before it. */
function activate(desk: Desk, merchant: string, { id = randomUUID(), ...body }: OrderBody): SandboxPayment {
  if (desk.payments.byBankId('raif', merchant, id) !== null) {
    throw refused('ORDER_ALREADY_EXISTS', `Заказ с идентификатором ${id} уже существует`);
  }
  const printed = body.qr === undefined ? null : findCashLink(desk.payments, 'raif', merchant, body.qr.id);
  if (body.qr !== undefined && printed === null) throw NOT_FOUND;
  const before = printed === null ? null : onCashLink(desk.payments, printed.qrcId);
  if (before?.state === 'open') desk.payments.cancel(before.qrcId);
  return desk.payments.register(
    {
      ...{ dialect: 'raif', merchant, bankId: id, orderId: id, amount: amountOf(body.amount) },
      ...{ purpose: body.comment ?? body.qr?.additionalInfo ?? null },
      ttlMs: termMs(body.expirationDate, desk.payments.clock.wall()),
      detail: printed === null ? {} : { cashLink: printed.qrcId },
    },
    (qrcId) => printed?.link ?? desk.linkOf(qrcId),
  );
}

const orderAnswer = (payment: SandboxPayment): object => ({
  ...{ id: payment.bankId, amount: roublesNumber(payment.amount) },
  ...(payment.purpose === null ? {} : { comment: payment.purpose }),
  status: { value: QR_STATUS[payment.state], date: payment.paidAt ?? payment.createdAt },
  expirationDate: payment.expiresAt,
  ...(payment.detail.cashLink === undefined ? {} : { qr: { id: payment.detail.cashLink } }),
});

function withdraw(desk: Desk, payment: SandboxPayment): object {
  if (payment.state === 'open') desk.payments.cancel(payment.qrcId);
  const { state } = desk.payments.find(payment.qrcId) ?? payment;
  if (payment.state === 'open' && state === 'cancelled') return {};
  const status = QR_STATUS[state];
  throw refused('ORDER_HAS_FINAL_STATUS', `Заказ с идентификатором ${payment.bankId} имеет статус ${status}`);
}

function orderOf(desk: Desk, request: FastifyRequest): { id: string; payment: SandboxPayment | null } {
  const { id } = request.params as { id: string };
  return { id, payment: desk.payments.byBankId('raif', merchantOf(request), id) };
}

function addState(app: FastifyInstance, desk: Desk): void {
  for (const [method, call, work] of [
    ['GET', 'state', (payment: SandboxPayment) => orderAnswer(desk.seen(payment))],
    ['DELETE', 'cancel', (payment: SandboxPayment) => withdraw(desk, payment)],
  ] as const) {
    app.route({
      ...{ method, url: '/api/payment/v1/orders/:id' },
      handler: async (request, reply) => {
        const { id, payment } = orderOf(desk, request);
        return desk.answer(request, reply, about(call, payment, `order ${id}`, notFound(id), work));
      },
    });
  }
}

function addRefunds(app: FastifyInstance, desk: Desk): void {
  for (const method of ['POST', 'GET'] as const) {
    app.route<{ Params: { id: string; refundId: string } }>({
      ...{ method, url: '/api/payments/v1/orders/:id/refunds/:refundId' },
      handler: async (request, reply) => {
        const { id, payment } = orderOf(desk, request);
        const { refundId } = request.params;
        const body = method === 'POST' ? checked(RefundBody, readJson(request)) : null;
        const answerOf = (paid: SandboxPayment): object => {
          if (body !== null)
            return refundAnswer(desk.refunds.refund(paid, amountOf(body.amount, true), refundId), 'pending');
          const refund = desk.refunds.find(paid.qrcId, refundId);
          if (refund === null) throw refused('ERROR.REFUND_NOT_FOUND', `Возврат с refundId ${refundId} не найден`, 404);
          return refundAnswer(refund, refund.state);
        };
        const call = body === null ? 'refund-state' : 'refund';
        return desk.answer(request, reply, about(call, payment, `${id} ${refundId}`, notFound(id), answerOf));
      },
    });
  }
}

export function addRaifOrders(app: FastifyInstance, desk: Desk): void {
  app.post('/api/payment/v1/orders', async (request, reply) => {
    const merchant = merchantOf(request);
    const body = checked(OrderBody, readJson(request));
    return desk.answer(request, reply, {
      ...{
        call: 'register',
        amount: amountOf(body.amount),
        key: body.id === undefined ? null : `${merchant} ${body.id}`,
      },
      ...desk.registration(merchant, () => activate(desk, merchant, body), orderAnswer),
    });
  });
  addState(app, desk);
  addRefunds(app, desk);
}
