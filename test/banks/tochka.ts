/**
 * Tochka's payment gateway (the bank's OpenAPI «API Приёма платежей» 1.0 and its pages): universal codes for one payment, and refunds of
 * them. A code that is offered in digital roubles alone is paid in them, any other by SBP. Not published, and taken for the worst here: an id of
 * ours that is sent again is refused as any field that is wrong; a refund whose id is taken is declined, as it stands.
 */
import { type KeyObject, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MAX_TTL_MINUTES } from '../../firmware/core/config/choices.ts';
import { Desk, type SandboxParts } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxRefund } from '../../firmware/tools/sandbox-bank/refunds.ts';
import { about, wordRefusals } from './refused.ts';
import { roublesText } from './roubles.ts';
import {
  amountOf,
  dataOf,
  enveloped,
  invalid,
  Money,
  merchantOf,
  mustBeSigned,
  notFound,
  REFUSALS,
  wordOf,
} from './tochka-words.ts';

const MINUTE_MS = 60_000;
const DEFAULT_TTL_MINUTES = 4320;
const OUR_ID = Type.String({ pattern: '^[0-9a-zA-Z-]{1,64}$' });

const CodeData = Type.Object({
  qrcType: Type.Literal('DYNAMIC'),
  amount: Money,
  merchantQrcId: Type.Optional(OUR_ID),
  paymentPurpose: Type.Optional(
    Type.String({ maxLength: 140, pattern: '^[A-Za-zА-Яа-я0-9 !"#$%&\'()*+,-./:;<=>?@^_`{|}~№\\[\\]\\\\]*$' }),
  ),
  ttl: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TTL_MINUTES })),
  paymentMethods: Type.Optional(Type.Array(Type.Union([Type.Literal('SBP'), Type.Literal('DIGITAL_RUBLE')]))),
});
const RefundData = Type.Object({ refundUid: OUR_ID, amount: Type.Optional(Money) });

const money = (kopecks: number): object => ({ amount: roublesText(kopecks), currency: 'RUB' });

type State = 'WAITING' | 'COMPLETED' | 'DECLINED';
const STATES: Readonly<Partial<Record<PaymentState, State>>> = {
  processing: 'WAITING',
  paid: 'COMPLETED',
  declined: 'DECLINED',
};

const declinedFor = (reasonCode: string): object => ({
  ...{ reasonSource: 'PROCESSING', reasonCode, reasonMessage: 'Отказ' },
});
const statusOf = (value: State, at: string, reason = 'PAYMENT_EXECUTION_REJECTED'): object => ({
  ...{ value, changedDateTime: at },
  ...(value === 'DECLINED' && declinedFor(reason)),
});

const isDigital = ({ detail }: SandboxPayment): boolean => detail.methods === 'DIGITAL_RUBLE';

/** Its operation has 32 signs of its own. */
const operationOf = (payment: SandboxPayment, id: string): object => {
  const type = isDigital(payment) ? 'DIGITAL_RUBLE' : 'SBP';
  return { type, [isDigital(payment) ? 'operationId' : 'nspkTransactionId']: id };
};

/** What has been tried by a code; nothing before anybody has. */
function paymentsOf(payment: SandboxPayment): object[] {
  const { state, bankId, qrcId, orderId, amount, refunded, createdAt, paidAt, trxId } = payment;
  const value = STATES[state];
  if (value === undefined) return [];
  return [
    {
      ...{ paymentUid: bankId, createdDateTime: createdAt, amount: money(amount), refundedAmount: money(refunded) },
      chargebackSummary: { chargedAmount: money(0), reversedAmount: money(0) },
      paymentMethod: {
        ...operationOf(payment, trxId ?? ''),
        qrcId,
        ...(orderId !== null && { merchantQrcId: orderId }),
        ...(!isDigital(payment) && { payerName: 'Иван И.', payerPhoneNumber: '79001112233' }),
      },
      ...{ status: statusOf(value, paidAt ?? createdAt), isTest: false, metadata: '' },
    },
  ];
}

const codeOf = ({ qrcId, orderId, link }: SandboxPayment): object => ({
  ...{ qrcId, payload: link, isTest: false },
  ...(orderId !== null && { merchantQrcId: orderId }),
});

interface Site {
  readonly desk: Desk;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

interface OfCode {
  readonly Params: { readonly siteUid: string; readonly qrcId: string };
  readonly Querystring: { readonly qrcIdType?: string };
}

function addCodes(app: FastifyInstance, { desk }: Site): void {
  app.post('/v1.0/sites/:siteUid/sbp/qrc', async (request, reply) => {
    const merchant = merchantOf(request);
    const data = dataOf(request, CodeData);
    const { merchantQrcId = null, paymentPurpose = null, ttl = DEFAULT_TTL_MINUTES, paymentMethods = ['SBP'] } = data;
    const amount = amountOf(data.amount);
    const make = (): SandboxPayment => {
      if (merchantQrcId !== null && desk.payments.ofOrder('tochka', merchant, merchantQrcId).length > 0)
        throw invalid('data.merchantQrcId', 'The id is taken');
      return desk.payments.register(
        {
          ...{ dialect: 'tochka', merchant, bankId: randomUUID(), orderId: merchantQrcId, amount },
          ...{ purpose: paymentPurpose, ttlMs: ttl * MINUTE_MS, detail: { methods: paymentMethods.join(' ') } },
        },
        desk.linkOf,
      );
    };
    return desk.answer(request, reply, {
      ...{ call: 'register', amount, key: merchantQrcId },
      ...desk.registration(merchant, make, (payment) => enveloped(codeOf(payment))),
    });
  });

  /** @throws {Refused} for a call without its type of id */
  const find = (request: FastifyRequest<OfCode>): SandboxPayment | null => {
    const merchant = merchantOf(request);
    const { qrcId } = request.params;
    const { qrcIdType } = request.query;
    if (qrcIdType === 'MERCHANT') return desk.payments.ofOrder('tochka', merchant, qrcId)[0] ?? null;
    if (qrcIdType !== 'NSPK') throw invalid('qrcIdType', 'qrcIdType is required');
    const known = desk.payments.find(qrcId);
    return known === null ? null : desk.payments.byBankId('tochka', merchant, known.bankId);
  };

  for (const [path, answerOf] of [
    ['', codeOf],
    ['/payments', paymentsOf],
  ] as const)
    app.get<OfCode>(`/v1.0/sites/:siteUid/sbp/qrc/:qrcId${path}`, async (request, reply) => {
      const payment = find(request);
      const asked = request.query.qrcIdType === 'MERCHANT' ? 'find' : 'code';
      const call = path === '' ? asked : 'state';
      const { qrcId } = request.params;
      const answer = (found: SandboxPayment): object => enveloped(answerOf(desk.seen(found)));
      return desk.answer(request, reply, about(call, payment, qrcId, notFound('QR_CODE_NOT_FOUND'), answer));
    });
}

const REFUND_STATES = { pending: 'WAITING', done: 'COMPLETED', declined: 'DECLINED' } as const;

/** @param reason why it is declined */
function refundAnswer(
  payment: SandboxPayment,
  { refundId, bankId, amount, state, createdAt }: SandboxRefund,
  reason?: string,
): object {
  const value = reason === undefined ? REFUND_STATES[state] : 'DECLINED';
  return enveloped({
    ...{ refundUid: refundId, createdDateTime: createdAt, amount: money(amount), metadata: '' },
    status: statusOf(value, createdAt, reason),
    ...(value === 'COMPLETED' && {
      refundMethodResult: operationOf(payment, bankId.replaceAll('-', '').toUpperCase()),
    }),
  });
}

interface OfPayment {
  readonly Params: { readonly siteUid: string; readonly paymentUid: string; readonly refundUid: string };
}

function addRefunds(app: FastifyInstance, { desk, keys }: Site): void {
  const find = (request: FastifyRequest<OfPayment>): SandboxPayment | null =>
    desk.payments.byBankId('tochka', merchantOf(request), request.params.paymentUid);

  app.post<OfPayment>('/v1.0/sites/:siteUid/payments/:paymentUid/refunds', async (request, reply) => {
    const found = find(request);
    mustBeSigned(request, keys.get(request.params.siteUid));
    const { refundUid, amount } = dataOf(request, RefundData);
    const give = (payment: SandboxPayment): object => {
      const asked = amount === undefined ? payment.amount - payment.refunded : amountOf(amount);
      const known = desk.refunds.find(payment.qrcId, refundUid);
      if (known !== null) return refundAnswer(payment, { ...known, amount: asked }, 'REFUND_ID_ALREADY_TAKEN');
      try {
        return refundAnswer(payment, desk.refunds.refund(payment, asked, refundUid));
      } catch (error) {
        if (!(error instanceof SandboxError) || error.code !== 'too-much') throw error;
        const { bankId, qrcId, createdAt } = payment;
        const never = { refundId: refundUid, bankId, qrcId, amount: asked, state: 'declined', createdAt } as const;
        return refundAnswer(payment, never, 'REFUND_AMOUNT_EXCEEDS_PAYMENT_AMOUNT');
      }
    };
    return desk.answer(request, reply, about('refund', found, refundUid, notFound('PAYMENT_NOT_FOUND'), give));
  });

  app.get<OfPayment>('/v1.0/sites/:siteUid/payments/:paymentUid/refunds/:refundUid', async (request, reply) => {
    const payment = find(request);
    const { refundUid } = request.params;
    const missing = notFound('REFUND_NOT_FOUND');
    const answerOf = (paid: SandboxPayment): object => {
      const refund = desk.refunds.find(paid.qrcId, refundUid);
      if (refund === null) throw missing;
      return refundAnswer(paid, refund);
    };
    return desk.answer(request, reply, about('refund-state', payment, refundUid, missing, answerOf));
  });
}

export function addTochka(app: FastifyInstance, parts: SandboxParts, keys: ReadonlyMap<string, KeyObject>): void {
  const site = { desk: new Desk(parts, { refusals: REFUSALS }), keys };
  wordRefusals(app, wordOf);
  addCodes(app, site);
  addRefunds(app, site);
}
