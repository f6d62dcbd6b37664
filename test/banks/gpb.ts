/**
 * Gazprombank's SBPGate (public client code of two vendors, who do not agree on the path of the status): login and
 * password as headers, `code` "000" for what went well, no order id and no amount in a status.
 */
import { randomInt } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { MAX_TTL_MINUTES } from '../../firmware/core/config/choices.ts';
import {
  Desk,
  readBody,
  type SandboxCall,
  type SandboxParts,
  WRONG_SECRET,
} from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxError, SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxRefund } from '../../firmware/tools/sandbox-bank/refunds.ts';
import { byTrxId, draftedRefund, draftRefund, refundOfMerchant } from './books.ts';
import { about, Refused, wordRefusals } from './refused.ts';

const MINUTE_MS = 60_000;
const DEFAULT_TTL_MINUTES = 4320;
const MAX_AMOUNT = 100_000_000;
const DONE = 'Запрос обработан успешно';
const MAX_CODES = 100;

const id = Type.String({ minLength: 1, maxLength: 64 });
/** Whole numbers come as such or as digits. */
const digits = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,11}$' })]);

const RegisterBody = Type.Object({
  account: Type.String({ pattern: '^\\d{20}$' }),
  merchantId: id,
  templateVersion: Type.Literal('01'),
  qrcType: Type.Literal('02'),
  amount: digits,
  currency: Type.Literal('RUB'),
  paymentPurpose: Type.Optional(Type.String({ maxLength: 140 })),
  qrTtl: Type.Optional(digits),
  callbackMerchantNotifications: Type.Optional(Type.String()),
  subscriptionPurpose: Type.Optional(Type.String()),
});
const StatusBody = Type.Object({ qrcIds: Type.Array(id, { minItems: 1, maxItems: MAX_CODES }) });
const BlockBody = Type.Object({ qrcId: id });
const PrepareBody = Type.Object({ transactionId: id, amount: digits, currency: Type.Literal('RUB') });
const OperationBody = Type.Object({ transactionId: id });

const newId = (): string => String(randomInt(1, 1_000_000_000)).padStart(12, '0');
/** In the bank's form. */
const refused = (code: string, message: string, status = 200): Refused =>
  new Refused(status, { code, message, transactionId: newId() });
const success = (fields: object = {}): object => ({ code: '000', message: DONE, transactionId: newId(), ...fields });

const REFUSALS = {
  error: refused('999', 'Внутренняя ошибка', 500),
  'too-many': refused('429', 'Слишком много запросов', 429),
  refuse: refused('013', 'Операция запрещена'),
  denied: refused('401', 'Неверный логин или пароль', 401),
} as const;
const NO_CODE = refused('002', 'QR-код не найден');
const NO_OPERATION = refused('002', 'Операция не найдена');
const IMPOSSIBLE = refused('012', 'Возврат невозможен');

/** The login, which is the merchant. @throws {Refused} 401 */
function merchantOf({ headers: { login, password } }: FastifyRequest): string {
  if (typeof login !== 'string' || login === '' || !password || password === WRONG_SECRET) throw REFUSALS.denied;
  return login;
}

const STATUSES: { readonly [State in PaymentState]: string } = {
  open: 'NOT_STARTED',
  processing: 'IN_PROGRESS',
  paid: 'ACCEPTED',
  declined: 'REJECTED',
  cancelled: 'NOT_STARTED',
  expired: 'NOT_STARTED',
};
const OPERATION_STATUSES = { pending: 'IN_PROGRESS', done: 'PERFORMED', declined: 'CANCELLED' } as const;

const registered = ({ qrcId, link }: SandboxPayment): object =>
  success({ data: { qrcId, payload: link, status: 'CREATED' } });

function register(desk: Desk, merchant: string, body: Static<typeof RegisterBody>): SandboxPayment {
  const { amount, paymentPurpose = null, qrTtl = DEFAULT_TTL_MINUTES } = body;
  if (Number(amount) > MAX_AMOUNT || Number(qrTtl) > MAX_TTL_MINUTES) throw refused('001', 'Некорректный запрос');
  return desk.payments.register(
    {
      ...{ dialect: 'gpb', merchant, orderId: null, amount: Number(amount), purpose: paymentPurpose },
      ttlMs: Number(qrTtl) * MINUTE_MS,
    },
    desk.linkOf,
  );
}

function statusOf(desk: Desk, merchant: string, qrcId: string): object {
  const payment = desk.payments.byBankId('gpb', merchant, qrcId);
  if (payment === null) return { qrcId, code: 'RQ05000', message: 'QR-код не найден' };
  const { state } = desk.seen(payment);
  const trxId = state === 'paid' ? { trxId: payment.trxId } : {};
  return { qrcId, code: 'RQ00000', message: DONE, status: STATUSES[state], ...trxId };
}

function confirm(desk: Desk, merchant: string, draftId: string): SandboxRefund {
  const draft = draftedRefund(desk.payments, { merchant, draftId });
  const payment = draft === null ? null : desk.payments.find(draft.qrcId);
  if (draft === null || payment === null) throw NO_OPERATION;
  return desk.refunds.refund(payment, draft.amount, draftId);
}

function operation(desk: Desk, merchant: string, transactionId: string): object {
  const refund = refundOfMerchant(desk, 'gpb', merchant, transactionId);
  const drafted = refund === null && draftedRefund(desk.payments, { merchant, draftId: transactionId }) !== null;
  if (refund === null && !drafted) throw NO_OPERATION;
  const status = refund === null ? 'DRAFT' : OPERATION_STATUSES[refund.state];
  return { ...success(), transactionId, type: 'QR_RETURNING', status };
}

function wordOf(error: SandboxError): Refused {
  switch (error.code) {
    case 'not-open':
      return refused('011', 'QR-код нельзя заблокировать');
    case 'not-paid':
    case 'too-much':
      return IMPOSSIBLE;
    default:
      return refused('001', `Некорректный запрос: ${error.message}`);
  }
}

/** Answers a call, once it is known who asks and what its body says. */
const handler =
  (desk: Desk) =>
  <Schema extends TSchema>(schema: Schema, work: (merchant: string, body: Static<Schema>) => SandboxCall) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const merchant = merchantOf(request);
    return desk.answer(request, reply, work(merchant, readBody(request, schema)));
  };
type Handler = ReturnType<typeof handler>;

function addCodes(app: FastifyInstance, desk: Desk, handle: Handler): void {
  const byCode = (merchant: string, qrcId: string): SandboxPayment | null =>
    desk.payments.byBankId('gpb', merchant, qrcId);

  app.post(
    '/merchant/qrc-data',
    handle(RegisterBody, (merchant, body) => ({
      ...{ call: 'register', amount: Number(body.amount), key: null },
      ...desk.registration(merchant, () => register(desk, merchant, body), registered),
    })),
  );

  const status = handle(StatusBody, (merchant, { qrcIds }) => ({
    ...{ call: 'state', amount: byCode(merchant, qrcIds[0] ?? '')?.amount ?? null, key: qrcIds.join(' ') },
    truth: () => success({ data: qrcIds.map((qrcId) => statusOf(desk, merchant, qrcId)) }),
  }));
  app.post('/merchant/qrc-status', status);
  app.put('/payment/v1/qrc-status', status);

  app.post(
    '/merchant/qrc-block',
    handle(BlockBody, (merchant, { qrcId }) =>
      about('cancel', byCode(merchant, qrcId), qrcId, NO_CODE, () => {
        desk.payments.cancel(qrcId);
        return success();
      }),
    ),
  );
}

function addReturns(app: FastifyInstance, desk: Desk, handle: Handler): void {
  app.post(
    '/merchant/transfer/return/prepare',
    handle(PrepareBody, (merchant, { transactionId, amount }) => {
      const payment = byTrxId(desk.payments, 'gpb', merchant, transactionId);
      return {
        // its money moves with the confirmation: this call is not one that scripts spoil
        ...{ call: 'refund', amount: null, key: transactionId },
        truth: () => {
          if (payment === null) throw NO_OPERATION;
          const draftId = newId();
          draftRefund(desk.payments, { merchant, draftId }, payment, Number(amount));
          return { ...success(), transactionId: draftId };
        },
      };
    }),
  );

  const amountOf = (merchant: string, transactionId: string): number | null => {
    const draft = draftedRefund(desk.payments, { merchant, draftId: transactionId });
    return draft === null ? null : (desk.payments.find(draft.qrcId)?.amount ?? null);
  };
  app.post(
    '/merchant/transfer/return/confirm',
    handle(OperationBody, (merchant, { transactionId }) => ({
      ...{ call: 'refund', amount: amountOf(merchant, transactionId), key: transactionId },
      truth: () => {
        if (confirm(desk, merchant, transactionId).state === 'declined') throw IMPOSSIBLE;
        return { ...success(), transactionId };
      },
    })),
  );

  app.post(
    '/operation/info',
    handle(OperationBody, (merchant, { transactionId }) => ({
      ...{ call: 'refund-state', amount: amountOf(merchant, transactionId), key: transactionId },
      truth: () => operation(desk, merchant, transactionId),
    })),
  );
}

export function addGpb(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, { refusals: REFUSALS });
  wordRefusals(app, wordOf);
  const handle = handler(desk);
  addCodes(app, desk, handle);
  addReturns(app, desk, handle);
}
