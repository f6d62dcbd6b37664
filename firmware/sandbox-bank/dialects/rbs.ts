/**
 * The RBS gateway, which Alfa-Bank, Sber, VTB and MTS Bank run (the bank's instructions and its swagger, as quoted by
 * public clients): forms in, JSON with `errorCode` out, HTTP 200 whatever comes of it.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Deed, Desk, type SandboxParts, twistFields, WRONG_SECRET } from '../desk.ts';
import { SandboxError } from '../errors.ts';
import type { Manner } from '../faults.ts';
import type { PaymentState, SandboxPayment } from '../payments.ts';

const DEFAULT_SESSION_S = 1200;
const MAX_SESSION_S = 9_999_999;
const MAX_ORDER_NUMBER = 36;
const MAX_RETURN_URL = 512;
const MAX_DESCRIPTION = 512;
const MAX_PURPOSE = 140;
const MAX_REFUND_ID = 30;
const AMOUNT = /^[1-9]\d{0,11}$/;
const RUB_CODES: readonly string[] = ['643', '810'];

type Form = Readonly<Record<string, string>>;

/** A refusal in the gateway's numbers. */
class RbsError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RbsError';
    this.code = code;
  }
}

const NOT_FOUND = ['6', 'Заказ не найден'] as const;
const WRONG_STATE = ['7', 'Платёж должен быть в корректном состоянии'] as const;
const errorBody = (code: string, message: string): object => ({ errorCode: code, errorMessage: message });

const MANNER: Manner = {
  amountInState: true,
  refusal: (kind) => {
    switch (kind) {
      case 'error':
        return { status: 500, body: errorBody('7', 'Системная ошибка') };
      case 'too-many':
        return { status: 429, body: errorBody('7', 'Слишком много запросов') };
      case 'refuse':
        return { status: 200, body: errorBody('7', 'Системная ошибка') };
      case 'denied':
        return { status: 200, body: errorBody('5', 'Доступ запрещён') };
    }
  },
  twist: twistFields({
    amount: ['amount', 'approvedAmount', 'depositedAmount'],
    // an order's state names it by its number, and by its id among the attributes
    payment: ['orderId', 'qrId', 'orderNumber', 'value'],
    order: ['orderNumber'],
    otherAmount: 99_999_999,
  }),
};

/** Parameters may stand in the address, too. */
function formOf(request: FastifyRequest): Form {
  const query = new URL(request.url, 'http://sandbox').searchParams;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const body = new URLSearchParams(type === 'application/x-www-form-urlencoded' ? String(request.body ?? '') : '');
  return Object.fromEntries([...query, ...body]);
}

/** The login, which is the merchant. @throws {RbsError} 5 */
function merchantOf({ userName = '', password = '', token = '' }: Form): string {
  const secret = token === '' ? password : token;
  if ((userName === '' && token === '') || secret === '' || secret === WRONG_SECRET) {
    throw new RbsError('5', 'Доступ запрещён');
  }
  return userName === '' ? token : userName;
}

const TEXT_LIMITS = { orderNumber: MAX_ORDER_NUMBER, returnUrl: MAX_RETURN_URL, description: MAX_DESCRIPTION } as const;
const MISSING = {
  orderNumber: 'Номер заказа не может быть пуст',
  amount: 'Отсутствует сумма',
  returnUrl: 'URL возврата не может быть пуст',
} as const;

function checkRegistration(form: Form): void {
  for (const field of ['orderNumber', 'amount', 'returnUrl'] as const) {
    if ((form[field] ?? '') === '') throw new RbsError('4', MISSING[field]);
  }
  if (!AMOUNT.test(form.amount ?? '')) throw new RbsError('5', 'Неверная сумма');
  if (!RUB_CODES.includes(form.currency ?? '643')) throw new RbsError('3', 'Неизвестная валюта');
  for (const field of ['orderNumber', 'returnUrl', 'description'] as const) {
    if ((form[field] ?? '').length > TEXT_LIMITS[field]) {
      throw new RbsError(field === 'orderNumber' ? '1' : '5', `Неверное значение параметра ${field}`);
    }
  }
}

function sessionMs({ sessionTimeoutSecs = String(DEFAULT_SESSION_S) }: Form): number {
  const seconds = Number(sessionTimeoutSecs);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SESSION_S) {
    throw new RbsError('5', 'Неверное значение параметра sessionTimeoutSecs');
  }
  return seconds * 1000;
}

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
      ...{ dialect: 'rbs', merchant, bankId: randomUUID(), orderId: orderNumber, amount: Number(form.amount) },
      ...{ purpose: form.description ?? null, ttlMs: sessionMs(form), coded: false },
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

/** Order states: 0 registered, 2 paid, 3 taken back, 4 something of it was refunded, 6 declined. */
const ORDER_STATES: { readonly [State in PaymentState]: readonly [status: number, actionCode: number, name: string] } =
  {
    open: [0, -100, 'CREATED'],
    processing: [0, -100, 'CREATED'],
    paid: [2, 0, 'DEPOSITED'],
    declined: [6, 5, 'DECLINED'],
    cancelled: [3, -2020, 'REVERSED'],
    expired: [6, -2007, 'DECLINED'],
  };

/** The answer of getOrderStatusExtended.do. */
function orderAnswer(desk: Desk, payment: SandboxPayment): object {
  const refunds = desk.refunds.of(payment.qrcId).filter(({ state }) => state === 'done');
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  const [status, actionCode, state] = ORDER_STATES[payment.state];
  const paid = payment.state === 'paid';
  return {
    ...{ errorCode: '0', errorMessage: 'Успешно', orderNumber: payment.orderId },
    ...{ orderStatus: refunded > 0 ? 4 : status, actionCode, actionCodeDescription: '' },
    ...{ amount: payment.amount, currency: '643', date: Date.parse(payment.createdAt) },
    ...(payment.purpose === null ? {} : { orderDescription: payment.purpose }),
    ...(paid ? { authDateTime: Date.parse(payment.paidAt ?? payment.createdAt), authRefNum: payment.trxId } : {}),
    merchantOrderParams: [],
    attributes: [{ name: 'mdOrder', value: payment.bankId }],
    paymentWay: 'SBP_C2B',
    paymentAmountInfo: {
      paymentState: refunded > 0 ? 'REFUNDED' : state,
      approvedAmount: paid ? payment.amount : 0,
      depositedAmount: paid ? payment.amount - refunded : 0,
      refundedAmount: refunded,
    },
    refunds: refunds.map(({ amount, createdAt, refundId, bankId }) => ({
      ...{ amount, date: Date.parse(createdAt), referenceNumber: bankId, externalRefundId: refundId, actionCode: 0 },
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
  if (done.state === 'declined') throw new RbsError('7', 'Возврат отклонён');
  return { errorCode: '0', errorMessage: 'Успешно' };
}

/** Takes an unpaid payment back. @throws {RbsError} 7 */
function takeBack(desk: Desk, { qrcId }: SandboxPayment): void {
  if (desk.payments.cancel(qrcId).state !== 'cancelled') throw new RbsError(...WRONG_STATE);
}

interface Asked {
  readonly form: Form;
  readonly merchant: string;
  /** By `orderId`, `mdOrder` or `orderNumber`. */
  readonly payment: SandboxPayment | null;
}

/** @throws {RbsError} 6 */
function mustExist({ payment, form }: Asked): SandboxPayment {
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

/** The calls about a payment that stands: which fault list they belong to, and what they do. */
type StandingCall = readonly [Deed['call'], (desk: Desk, payment: SandboxPayment, form: Form) => object];

const giveCode = (desk: Desk, { qrcId, state }: SandboxPayment, form: Form): object => {
  if ((form.paymentPurpose ?? '').length > MAX_PURPOSE)
    throw new RbsError('5', 'Неверное значение параметра paymentPurpose');
  if (state !== 'open') throw new RbsError(...WRONG_STATE);
  return { qrId: qrcId, qrStatus: 'STARTED', payload: desk.payments.giveCode(qrcId).link, errorCode: '0' };
};

const tellCode = (desk: Desk, payment: SandboxPayment): object => {
  const [qrStatus, transactionState] = QR_STATES[desk.seen(payment).state];
  return { qrType: 'DYNAMIC', qrStatus, transactionState, errorCode: '0' };
};

const CALLS: Readonly<Record<string, StandingCall>> = {
  'sbp/c2b/qr/dynamic/get.do': ['code', giveCode],
  'sbp/c2b/qr/status.do': ['state', tellCode],
  'sbp/c2b/qr/dynamic/status.do': ['state', tellCode],
  'getOrderStatusExtended.do': ['state', (desk, payment) => orderAnswer(desk, desk.seen(payment))],
  'sbp/c2b/qr/dynamic/reject.do': [
    'cancel',
    (desk, payment) => {
      takeBack(desk, payment);
      return { rejected: true, errorCode: '0' };
    },
  ],
  'decline.do': [
    'cancel',
    (desk, payment) => {
      takeBack(desk, payment);
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
  const desk = new Desk(parts, MANNER);
  app.setErrorHandler((error, _request, reply) => {
    const word = wordOf(error);
    if (word === null) throw error;
    return reply.code(200).send(errorBody(word.code, word.message));
  });
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
          truth: () => work(desk, mustExist(asked), asked.form),
        });
      },
    });
  }
}
