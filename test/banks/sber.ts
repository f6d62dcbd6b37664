/**
 * Sber's present gateway, /ecomm/gw/partner/api/v1 (the bank's OpenAPI as public clients have it, its paper on SBP): JSON alone,
 * no field that a call does not have, HTTP 200 with `errorCode` for success and error. The code comes with the registration.
 * No table of its errors is public: the numbers here are made up, the words are those of clients.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { fits } from '../../firmware/core/schema/schema.ts';
import { Desk, problemsOfErrors, type SandboxCall, type SandboxParts } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import { DIALECT, errorBody, merchantOf, RbsError } from '../../firmware/tools/sandbox-bank/rbs-fields.ts';

const DIALECT_NAME = 'sber';
const DEFAULT_SESSION_S = 1200;
const NOT_FOUND = ['18', 'Заказ не найден'] as const;
const WRONG_STATE = ['27', 'Операция невозможна в текущем состоянии заказа'] as const;

const Login = {
  userName: Type.String(),
  password: Type.String(),
  language: Type.Optional(Type.String({ maxLength: 2 })),
};
const strictly = { additionalProperties: false } as const;
const orderId = Type.String({ minLength: 36, maxLength: 36 });
const orderNumber = Type.String({ minLength: 1, maxLength: 36 });
const Register = Type.Object(
  {
    ...{ ...Login, orderNumber, amount: Type.Integer({ minimum: 1 }), currency: Type.Optional(Type.Literal('643')) },
    returnUrl: Type.String({ minLength: 1, maxLength: 512 }),
    description: Type.Optional(Type.String({ maxLength: 99 })),
    sessionTimeoutSecs: Type.Optional(Type.Integer({ minimum: 1 })),
    merchantLogin: Type.Optional(Type.String()),
    jsonParams: Type.Object({ qrType: Type.Literal('DYNAMIC_QR_SBP'), 'sbp.scenario': Type.Literal('C2B') }, strictly),
  },
  strictly,
);
const Status = Type.Object(
  { ...Login, orderId: Type.Optional(orderId), orderNumber: Type.Optional(orderNumber) },
  strictly,
);
const Decline = Type.Object({ ...Status.properties, merchantLogin: Type.Optional(Type.String()) }, strictly);
const Refund = Type.Object({ ...Login, orderId, amount: Type.Integer({ minimum: 1 }) }, strictly);

const loginOf = ({ userName, password }: { readonly userName: string; readonly password: string }) => ({
  userName,
  password,
});

/** @throws {RbsError} */
function bodyOf<Schema extends TObject>(request: FastifyRequest, schema: Schema): Static<Schema> {
  const body: unknown = JSON.parse(String(request.body));
  if (fits(schema, body)) return body;
  throw new RbsError('4', 'Неверный формат запроса');
}

const ORDER_STATES: { readonly [State in PaymentState]: readonly [status: number, actionCode: number, name: string] } =
  {
    open: [0, -100, 'CREATED'],
    processing: [0, -100, 'CREATED'],
    paid: [2, 0, 'DEPOSITED'],
    declined: [6, 5, 'DECLINED'],
    cancelled: [3, -2020, 'REVERSED'],
    expired: [6, -2007, 'DECLINED'],
  };

function orderAnswer(desk: Desk, payment: SandboxPayment): object {
  const refunded = desk.refunds
    .of(payment.qrcId)
    .filter(({ state }) => state === 'done')
    .reduce((sum, { amount }) => sum + amount, 0);
  const [status, actionCode, paymentState] = ORDER_STATES[payment.state];
  const paid = payment.state === 'paid';
  return {
    ...{ errorCode: '0', errorMessage: 'Обработка запроса прошла без системных ошибок' },
    ...{ orderNumber: payment.orderId, orderStatus: refunded > 0 ? 4 : status, actionCode },
    ...{ amount: payment.amount, currency: '643', date: Date.parse(payment.createdAt), terminalId: '20183665' },
    ...(paid && {
      ...{ depositedDate: Date.parse(payment.paidAt ?? payment.createdAt), authRefNum: '405200490186' },
      paymentWay: 'SBERPAY_SBP_C2B_DYN',
      transactionAttributes: [{ name: 'extTransactionId', value: payment.trxId }],
    }),
    attributes: [
      { name: 'mdOrder', value: payment.bankId },
      { name: 'qrcId', value: payment.qrcId },
    ],
    paymentAmountInfo: {
      paymentState,
      approvedAmount: paid ? payment.amount : 0,
      depositedAmount: paid ? payment.amount - refunded : 0,
      refundedAmount: refunded,
    },
  };
}

function wordOf(error: unknown): RbsError | null {
  if (error instanceof RbsError) return error;
  if (!(error instanceof SandboxError)) return null;
  if (error.code === 'too-much') return new RbsError('25', 'Сумма возврата превышает сумму списания');
  return error.code === 'unknown' ? new RbsError(...NOT_FOUND) : new RbsError(...WRONG_STATE);
}

export function addSber(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, DIALECT);
  problemsOfErrors(app, wordOf, (word, reply) => reply.code(200).send(errorBody(word.code, word.message)));

  const named = (merchant: string, asked: Static<typeof Status>): SandboxPayment | null =>
    (asked.orderId === undefined
      ? desk.payments.ofOrder(DIALECT_NAME, merchant, asked.orderNumber ?? '')[0]
      : desk.payments.byBankId(DIALECT_NAME, merchant, asked.orderId)) ?? null;
  const about = (
    call: SandboxCall['call'],
    payment: SandboxPayment | null,
    work: (payment: SandboxPayment) => object,
  ): SandboxCall => ({
    ...{ call, amount: payment?.amount ?? null, key: `${call} ${payment?.bankId}` },
    truth: () => {
      if (payment === null) throw new RbsError(...NOT_FOUND);
      return work(payment);
    },
  });

  const register = (request: FastifyRequest): SandboxCall => {
    const { amount, description = null, sessionTimeoutSecs = DEFAULT_SESSION_S, ...more } = bodyOf(request, Register);
    const merchant = merchantOf(loginOf(more));
    const make = (): SandboxPayment => {
      const [known] = desk.payments.ofOrder(DIALECT_NAME, merchant, more.orderNumber);
      if (known !== undefined) throw new RbsError('8', 'Заказ с таким номером уже обработан');
      const order = { dialect: DIALECT_NAME, merchant, bankId: randomUUID(), orderId: more.orderNumber, amount };
      return desk.payments.register({ ...order, purpose: description, ttlMs: sessionTimeoutSecs * 1000 }, desk.linkOf);
    };
    return {
      ...{ call: 'register', amount, key: `${merchant} ${more.orderNumber}` },
      ...desk.registration(merchant, make, ({ bankId, qrcId, link }) => ({
        ...{ errorCode: '0', orderId: bankId, formUrl: `https://sber.example/pay_ru?orderId=${bankId}` },
        externalParams: { qrcId, sbpPayload: link, sbolDeepLink: 'sberpay://invoicing/v2' },
      })),
    };
  };
  const CALLS: Readonly<Record<string, (request: FastifyRequest) => SandboxCall>> = {
    'register.do': register,
    'getOrderStatusExtended.do': (request) => {
      const asked = bodyOf(request, Status);
      const call = asked.orderId === undefined ? 'find' : 'state';
      return about(call, named(merchantOf(loginOf(asked)), asked), (payment) => orderAnswer(desk, desk.seen(payment)));
    },
    'decline.do': (request) => {
      const asked = bodyOf(request, Decline);
      return about('cancel', named(merchantOf(loginOf(asked)), asked), ({ qrcId }) => {
        if (desk.payments.cancel(qrcId).state !== 'cancelled') throw new RbsError(...WRONG_STATE);
        return { errorCode: '0' };
      });
    },
    'refund.do': (request) => {
      const asked = bodyOf(request, Refund);
      return about('refund', named(merchantOf(loginOf(asked)), asked), (payment) => {
        const { state } = desk.refunds.refund(payment, asked.amount, null);
        if (state === 'declined') throw new RbsError('26', 'Возврат отклонён');
        return state === 'pending' ? {} : { errorCode: '0' };
      });
    },
  };

  for (const [name, work] of Object.entries(CALLS))
    app.post(`/ecomm/gw/partner/api/v1/${name}`, async (request, reply) => {
      if (request.headers['content-type'] !== 'application/json')
        return reply.code(415).send({ status: 415, error: 'Unsupported Media Type' });
      return desk.answer(request, reply, work(request));
    });
}
