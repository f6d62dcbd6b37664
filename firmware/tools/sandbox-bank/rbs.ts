/**
 * The RBS gateway, which Alfa-Bank, Sber, VTB and MTS Bank run (the bank's instructions and its swagger, as quoted by
 * public clients): forms in, JSON with `errorCode` out, HTTP 200 for success and error.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Desk, problemsOfErrors, type SandboxCall, type SandboxParts } from './desk.ts';
import type { PaymentState, SandboxPayment } from './payment.ts';
import { SandboxError } from './payment.ts';
import {
  AMOUNT,
  checkRegistration,
  DIALECT,
  errorBody,
  type Form,
  formOf,
  merchantOf,
  NOT_FOUND,
  RbsError,
  sessionMs,
  WRONG_STATE,
} from './rbs-fields.ts';
import { scriptOf } from './scripts.ts';

const MAX_PURPOSE = 140;
const MAX_REFUND_ID = 30;
/** Made up: no bank has published its own text. */
const NO_CONSENT = 'Возврат отклонён: нет согласия магазина на возвраты по операциям с физлицами';

function register(desk: Desk, merchant: string, form: Form): SandboxPayment {
  const orderNumber = form.orderNumber ?? '';
  const [known] = desk.payments.ofOrder('rbs', merchant, orderNumber);
  if (known !== undefined) {
    const paid = known.state === 'paid';
    throw new RbsError(
      '1',
      `Заказ с таким номером ${paid ? 'уже обработан' : 'был зарегистрирован, но не был оплачен'}`,
    );
  }
  return desk.payments.register(
    {
      dialect: 'rbs',
      merchant,
      bankId: randomUUID(),
      orderId: orderNumber,
      amount: Number(form.amount),
      purpose: form.description ?? null,
      ttlMs: sessionMs(form),
      coded: false,
    },
    desk.linkOf,
  );
}

const QR_STATES: { readonly [State in PaymentState]: readonly [qrStatus: string, transactionState: string] } = {
  open: ['STARTED', 'CREATED'],
  processing: ['CONFIRMED', 'CREATED'],
  paid: ['ACCEPTED', 'DEPOSITED'],
  declined: ['REJECTED', 'DECLINED'],
  cancelled: ['REJECTED_BY_USER', 'DECLINED'],
  expired: ['REJECTED', 'DECLINED'],
};

/** Order states: 0 registered, 2 paid, 3 withdrawn, 4 refunded in part or whole, 6 declined. */
const ORDER_STATES: { readonly [State in PaymentState]: readonly [status: number, actionCode: number, name: string] } =
  {
    open: [0, -100, 'CREATED'],
    processing: [0, -100, 'CREATED'],
    paid: [2, 0, 'DEPOSITED'],
    declined: [6, 5, 'DECLINED'],
    cancelled: [3, -2020, 'REVERSED'],
    expired: [6, -2007, 'DECLINED'],
  };

const PAYER_BANK = { bankName: 'Тестовый банк', bankCountryCode: 'RU' };

/** Payment methods that scripts use. */
const PAYMENT_WAYS = {
  sbp: 'SBP_C2B',
  'digital-roubles': 'SANDBOX_DIGITAL_ROUBLE',
  unknown: 'SANDBOX_NEWEST_WAY',
} as const;

/** The answer of getOrderStatusExtended.do. */
function orderAnswer(desk: Desk, payment: SandboxPayment): object {
  const refunds = desk.refunds.of(payment.qrcId).filter(({ state }) => state === 'done');
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  const [status, actionCode, state] = ORDER_STATES[payment.state];
  const paid = payment.state === 'paid';
  return {
    errorCode: '0',
    errorMessage: 'Успешно',
    orderNumber: payment.orderId,
    orderStatus: refunded > 0 ? 4 : status,
    actionCode,
    actionCodeDescription: '',
    amount: payment.amount,
    currency: '643',
    date: Date.parse(payment.createdAt),
    ...(payment.purpose === null ? {} : { orderDescription: payment.purpose }),
    ...(paid
      ? {
          authDateTime: Date.parse(payment.paidAt ?? payment.createdAt),
          authRefNum: payment.trxId,
          bankInfo: PAYER_BANK,
        }
      : {}),
    merchantOrderParams: [],
    attributes: [{ name: 'mdOrder', value: payment.bankId }],
    paymentWay: PAYMENT_WAYS[scriptOf(payment.amount)?.method ?? 'sbp'],
    paymentAmountInfo: {
      paymentState: refunded > 0 ? 'REFUNDED' : state,
      approvedAmount: paid ? payment.amount : 0,
      depositedAmount: paid ? payment.amount - refunded : 0,
      refundedAmount: refunded,
    },
    refunds: refunds.map(({ amount, createdAt, refundId, bankId }) => ({
      amount,
      date: Date.parse(createdAt),
      referenceNumber: bankId,
      actionCode: 0,
      ...(refundId !== bankId && { externalRefundId: refundId }), // a refund made in the account at the bank has none
    })),
  };
}

function refund(desk: Desk, payment: SandboxPayment, form: Form): object {
  const { amount = '', externalRefundId = '', expectedDepositedAmount } = form;
  if (!AMOUNT.test(amount)) throw new RbsError('5', 'Неверная сумма');
  if (externalRefundId.length > MAX_REFUND_ID) throw new RbsError('5', 'Неверное значение параметра externalRefundId');
  const repeated = externalRefundId !== '' && desk.refunds.find(payment.qrcId, externalRefundId) !== null;
  const deposited = payment.amount - payment.refunded;
  if (!repeated && expectedDepositedAmount !== undefined && expectedDepositedAmount !== String(deposited)) {
    throw new RbsError('7', 'Значение expectedDepositedAmount не совпадает с суммой заказа');
  }
  const done = desk.refunds.refund(payment, Number(amount), externalRefundId === '' ? null : externalRefundId);
  if (done.state === 'declined')
    throw new RbsError('7', scriptOf(payment.amount)?.lacksConsent ? NO_CONSENT : 'Возврат отклонён');
  if (done.state === 'pending') return { errorMessage: 'Возврат обрабатывается' }; // says neither success nor failure
  return { errorCode: '0', errorMessage: 'Успешно' };
}

/** Cancels an unpaid payment. @throws {RbsError} 7 */
function cancelUnpaid(desk: Desk, { qrcId }: SandboxPayment): void {
  if (desk.payments.cancel(qrcId).state !== 'cancelled') throw new RbsError(...WRONG_STATE);
}

interface Asked {
  readonly form: Form;
  readonly merchant: string;
  /** The payment named by `orderId`, `mdOrder` or `orderNumber`. */
  readonly payment: SandboxPayment | null;
}

/** @throws {RbsError} 6 */
function requireExisting({ payment, form }: Asked): SandboxPayment {
  if (payment === null) throw new RbsError(...NOT_FOUND);
  if (form.qrId !== undefined && form.qrId !== payment.qrcId) throw new RbsError('6', 'QR-код не найден');
  return payment;
}

function ask(desk: Desk, request: FastifyRequest): Asked {
  const form = formOf(request);
  const merchant = merchantOf(form);
  const mdOrder = form.mdOrder ?? form.orderId;
  const payment =
    mdOrder === undefined
      ? desk.payments.ofOrder('rbs', merchant, form.orderNumber ?? '')[0]
      : desk.payments.byBankId('rbs', merchant, mdOrder);
  return { form, merchant, payment: payment ?? null };
}

/** A call about an existing payment: its name in the list of faults, and its work. */
type StandingCall = readonly [SandboxCall['call'], (desk: Desk, payment: SandboxPayment, form: Form) => object];

const giveCode = (desk: Desk, { qrcId, state }: SandboxPayment, form: Form): object => {
  if ([...(form.paymentPurpose ?? '')].length > MAX_PURPOSE)
    throw new RbsError('5', 'Неверное значение параметра paymentPurpose');
  if (state !== 'open') throw new RbsError(...WRONG_STATE);
  return { qrId: qrcId, qrStatus: 'STARTED', payload: desk.payments.handOutCode(qrcId).link, errorCode: '0' };
};

const answerCode = (desk: Desk, payment: SandboxPayment): object => {
  const [qrStatus, transactionState] = QR_STATES[desk.seen(payment).state];
  return { qrType: 'DYNAMIC', qrStatus, transactionState, errorCode: '0' };
};

const CALLS: Readonly<Record<string, StandingCall>> = {
  'sbp/c2b/qr/dynamic/get.do': ['code', giveCode],
  'sbp/c2b/qr/status.do': ['state', answerCode],
  'sbp/c2b/qr/dynamic/status.do': ['state', answerCode],
  'getOrderStatusExtended.do': ['state', (desk, payment) => orderAnswer(desk, desk.seen(payment))],
  'sbp/c2b/qr/dynamic/reject.do': [
    'cancel',
    (desk, payment) => {
      cancelUnpaid(desk, payment);
      return { rejected: true, errorCode: '0' };
    },
  ],
  'decline.do': [
    'cancel',
    (desk, payment) => {
      cancelUnpaid(desk, payment);
      return { errorCode: '0', errorMessage: 'Успешно' };
    },
  ],
  'refund.do': ['refund', refund],
  'reverse.do': [
    'cancel',
    () => {
      throw new RbsError('7', 'Отмена доступна только для предавторизованных заказов');
    },
  ],
};

function wordOf(error: unknown): RbsError | null {
  if (error instanceof RbsError) return error;
  if (!(error instanceof SandboxError)) return null;
  if (error.code === 'too-much') return new RbsError('5', 'Сумма возврата превышает сумму списания');
  if (error.code === 'order-differs') return new RbsError('5', 'Возврат с таким идентификатором имеет другую сумму');
  return error.code === 'unknown' ? new RbsError(...NOT_FOUND) : new RbsError(...WRONG_STATE);
}

export function addRbs(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, DIALECT);
  problemsOfErrors(app, wordOf, (word, reply) => reply.code(200).send(errorBody(word.code, word.message)));
  const method = ['GET', 'POST'];

  app.route({
    method,
    url: '/payment/rest/register.do',
    handler: async (request, reply) => {
      const form = formOf(request);
      const merchant = merchantOf(form);
      checkRegistration(form);
      return desk.answer(request, reply, {
        call: 'register',
        amount: Number(form.amount),
        key: `${merchant} ${form.orderNumber}`,
        ...desk.registration(
          merchant,
          () => register(desk, merchant, form),
          ({ bankId, link }) => ({ orderId: bankId, formUrl: link }),
        ),
      });
    },
  });

  for (const [name, [call, work]] of Object.entries(CALLS)) {
    app.route({
      method,
      url: `/payment/rest/${name}`,
      handler: async (request, reply) => {
        const asked = ask(desk, request);
        const byOrder = asked.form.mdOrder === undefined && asked.form.orderId === undefined;
        return desk.answer(request, reply, {
          call: call === 'state' && byOrder ? 'find' : call,
          amount: asked.payment?.amount ?? null,
          key: `${name} ${asked.payment?.bankId}`,
          truth: () => work(desk, requireExisting(asked), asked.form),
        });
      },
    });
  }
}
