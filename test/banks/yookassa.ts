/**
 * YooKassa's API version 3 (its documentation and SDKs): roubles as text, Basic authorization, an idempotence key for
 * each POST. A payment lives one hour and cannot be taken back.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { fits } from '../../firmware/core/schema/schema.ts';
import { Desk, type SandboxParts } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxRefund } from '../../firmware/tools/sandbox-bank/refunds.ts';
import { refundOfMerchant, tableOf } from './books.ts';
import { about, wordRefusals } from './refused.ts';
import { roublesText } from './roubles.ts';
import {
  Amount,
  amountOf,
  bodyOf,
  DIFFERS,
  isTestShop,
  keyOf,
  merchantOf,
  REFUSALS,
  refused,
  wordOf,
} from './yookassa-words.ts';

const TERM_MS = 3_600_000;
/** How long a key stands for its first answer. */
const KEY_LIFE_MS = 86_400_000;
const [MIN_KOPECKS, MAX_KOPECKS] = [100, 70_000_000];
const MAX_DESCRIPTION = 128;
/** Of a list, where nothing is asked for; the newest come first. */
const REFUNDS_OF_A_PAGE = 10;

const Metadata = Type.Optional(
  Type.Record(Type.String({ maxLength: 32 }), Type.String({ maxLength: 512 }), { maxProperties: 16 }),
);
const PaymentBody = Type.Object({
  amount: Amount,
  capture: Type.Literal(true),
  payment_method_data: Type.Object({ type: Type.Literal('sbp') }),
  confirmation: Type.Object({
    type: Type.Enum(['qr', 'redirect']),
    return_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    locale: Type.Optional(Type.String()),
  }),
  description: Type.Optional(Type.String({ maxLength: MAX_DESCRIPTION })),
  metadata: Metadata,
});
type PaymentBody = Static<typeof PaymentBody>;

const RefundBody = Type.Object({
  payment_id: Type.String({ minLength: 36, maxLength: 36 }),
  amount: Amount,
  description: Type.Optional(Type.String({ maxLength: 250 })),
  metadata: Metadata,
});
const RefundQuery = Type.Object({
  payment_id: Type.String(),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]|[1-9]\\d|100)$' })),
  cursor: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })),
});

const digestOf = (request: FastifyRequest): string => createHash('sha256').update(String(request.body)).digest('hex');

const STATUSES: { readonly [State in PaymentState]: 'pending' | 'succeeded' | 'canceled' } = {
  open: 'pending',
  processing: 'pending',
  paid: 'succeeded',
  declined: 'canceled',
  cancelled: 'canceled',
  expired: 'canceled',
};

const money = (kopecks: number): object => ({ value: roublesText(kopecks), currency: 'RUB' });

/** What the payer needs, while the payment is pending. */
function confirmationOf({ link, detail }: SandboxPayment): object {
  if (detail.confirmation === 'qr') return { type: 'qr', confirmation_data: link };
  return { type: 'redirect', confirmation_url: link, return_url: detail.returnUrl };
}

function ending(payment: SandboxPayment): object {
  switch (STATUSES[payment.state]) {
    case 'pending':
      return { confirmation: confirmationOf(payment) };
    case 'succeeded':
      return { captured_at: payment.paidAt, refunded_amount: money(payment.refunded) };
    case 'canceled': {
      const expired = payment.state === 'expired';
      const reason = expired ? 'expired_on_confirmation' : 'general_decline';
      return { cancellation_details: { party: expired ? 'yoo_money' : 'payment_network', reason } };
    }
  }
}

function answerOf(payment: SandboxPayment, isTest: boolean): object {
  const { bankId, amount, purpose, detail, state, trxId, refunded } = payment;
  const paid = state === 'paid';
  return {
    ...{ id: bankId, status: STATUSES[state], paid, amount: money(amount), created_at: payment.createdAt },
    ...(purpose === null ? {} : { description: purpose }),
    metadata: JSON.parse(detail.metadata ?? '{}'),
    payment_method: {
      ...{ type: 'sbp', id: bankId, saved: false, status: 'inactive' },
      ...(trxId === null ? {} : { sbp_operation_id: trxId }),
    },
    recipient: { account_id: detail.shopId, gateway_id: '1' },
    ...{ refundable: paid && refunded < amount, test: isTest },
    ...ending(payment),
  };
}

/** The payment that a key stands for by now; null for a new one. @throws {Refused} */
function sameKey(desk: Desk, merchant: string, key: string, digest: string): SandboxPayment | null {
  const [known] = desk.payments.ofOrder('yookassa', merchant, key);
  if (known === undefined || Date.parse(known.createdAt) + KEY_LIFE_MS <= desk.payments.clock.wall()) return null;
  if (known.detail.digest !== digest) throw DIFFERS;
  return known;
}

function register(desk: Desk, shopId: string, key: string, body: PaymentBody, digest: string): SandboxPayment {
  const known = sameKey(desk, shopId, key, digest);
  if (known !== null) return { ...known, refunded: 0, trxId: null }; // its first answer
  const { confirmation, description = null, metadata = {} } = body;
  return desk.payments.register(
    {
      ...{ dialect: 'yookassa', merchant: shopId, bankId: randomUUID(), orderId: key, amount: amountOf(body.amount) },
      ...{ purpose: description, ttlMs: TERM_MS },
      detail: {
        ...{ shopId, digest, confirmation: confirmation.type, returnUrl: confirmation.return_url ?? '' },
        metadata: JSON.stringify(metadata),
      },
    },
    desk.linkOf,
  );
}

function checkPayment({ amount, confirmation }: PaymentBody): void {
  const kopecks = amountOf(amount);
  if (kopecks < MIN_KOPECKS || kopecks > MAX_KOPECKS)
    throw refused('invalid_request', 'The amount is out of the limits of the payment method', 'amount.value');
  if (confirmation.type === 'redirect' && confirmation.return_url === undefined)
    throw refused('invalid_request', 'return_url is missing', 'confirmation.return_url');
}

const NO_PAYMENT = refused('not_found', "Payment doesn't exist or access denied", 'payment_id');

function addPayments(app: FastifyInstance, desk: Desk): void {
  app.post('/v3/payments', async (request, reply) => {
    const merchant = merchantOf(request);
    const key = keyOf(request);
    const body = bodyOf(request, PaymentBody);
    checkPayment(body);
    return desk.answer(request, reply, {
      ...{ call: 'register', amount: amountOf(body.amount), key: `${merchant} ${key}` },
      ...desk.registration(
        merchant,
        () => register(desk, merchant, key, body, digestOf(request)),
        (payment) => answerOf(payment, isTestShop(request)),
      ),
    });
  });

  const find = (request: FastifyRequest, id: string): SandboxPayment | null =>
    desk.payments.byBankId('yookassa', merchantOf(request), id);

  app.get<{ Params: { id: string } }>('/v3/payments/:id', async (request, reply) => {
    const { id } = request.params;
    const payment = find(request, id);
    const answer = (found: SandboxPayment): object => answerOf(desk.seen(found), isTestShop(request));
    return desk.answer(request, reply, about('state', payment, id, NO_PAYMENT, answer));
  });

  app.post<{ Params: { id: string } }>('/v3/payments/:id/cancel', async (request, reply) => {
    const { id } = request.params;
    const payment = find(request, id);
    keyOf(request);
    const why = 'Only a payment in waiting_for_capture can be canceled';
    const refuse = (): never => {
      throw refused('invalid_request', why, 'payment_id');
    };
    return desk.answer(request, reply, about('cancel', payment, id, NO_PAYMENT, refuse));
  });
}

const NO_REFUND = refused('not_found', "Refund doesn't exist or access denied", 'refund_id');
const REFUND_STATUS = { pending: 'pending', done: 'succeeded', declined: 'canceled' } as const;

const refundMetadata = ({ payments }: Desk) => tableOf(payments, 'refund_metadata');

function refundAnswer(desk: Desk, payment: SandboxPayment, refund: SandboxRefund): object {
  const { bankId, amount, state, createdAt } = refund;
  return {
    ...{ id: bankId, payment_id: payment.bankId, status: REFUND_STATUS[state], created_at: createdAt },
    ...{ amount: money(amount), metadata: JSON.parse(refundMetadata(desk).find([bankId]) ?? '{}') },
    ...(state === 'done' && { refund_method: { type: 'sbp', sbp_operation_id: `R${bankId}` } }),
    ...(state === 'declined' ? { cancellation_details: { party: 'refund_network', reason: 'rejected_by_payee' } } : {}),
  };
}

function addRefunds(app: FastifyInstance, desk: Desk): void {
  app.post('/v3/refunds', async (request, reply) => {
    const merchant = merchantOf(request);
    const key = keyOf(request);
    const body = bodyOf(request, RefundBody);
    const payment = desk.payments.byBankId('yookassa', merchant, body.payment_id);
    const give = (paid: SandboxPayment): object => {
      const earlier = refundOfMerchant(desk, 'yookassa', merchant, key);
      if (earlier !== null && earlier.qrcId !== paid.qrcId) throw DIFFERS;
      const refund = desk.refunds.refund(paid, amountOf(body.amount), key);
      refundMetadata(desk).keep([refund.bankId], JSON.stringify(body.metadata ?? {}));
      return refundAnswer(desk, paid, refund);
    };
    return desk.answer(request, reply, about('refund', payment, `${merchant} ${key}`, NO_PAYMENT, give));
  });

  app.get('/v3/refunds', async (request, reply) => {
    const merchant = merchantOf(request);
    if (!fits(RefundQuery, request.query)) {
      throw refused('invalid_request', 'Only lists of one payment are known here', 'payment_id');
    }
    const { payment_id: id, limit = String(REFUNDS_OF_A_PAGE), cursor = '0' } = request.query;
    const payment = desk.payments.byBankId('yookassa', merchant, id);
    return desk.answer(request, reply, {
      ...{ call: 'refund-state', amount: payment?.amount ?? null, key: id },
      truth: () => {
        const all = payment === null ? [] : desk.refunds.of(payment.qrcId).reverse();
        const end = Number(cursor) + Number(limit);
        const items = all
          .slice(Number(cursor), end)
          .map((refund) => refundAnswer(desk, payment as SandboxPayment, refund));
        return { type: 'list', items, ...(end < all.length && { next_cursor: String(end) }) };
      },
    });
  });

  app.get<{ Params: { id: string } }>('/v3/refunds/:id', async (request, reply) => {
    const merchant = merchantOf(request);
    const { id } = request.params;
    const refund = desk.refunds.byBankId(id);
    const found = refund === null ? null : desk.payments.find(refund.qrcId);
    const payment = found === null ? null : desk.payments.byBankId('yookassa', merchant, found.bankId);
    return desk.answer(request, reply, {
      ...{ call: 'refund-state', amount: payment?.amount ?? null, key: id },
      truth: () => {
        if (refund === null || payment === null) throw NO_REFUND;
        return refundAnswer(desk, payment, refund);
      },
    });
  });
}

export function addYooKassa(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, { refusals: REFUSALS });
  wordRefusals(app, wordOf);
  addPayments(app, desk);
  addRefunds(app, desk);
}
