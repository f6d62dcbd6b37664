/**
 * T-Bank's e-acquiring (the bank's OpenAPI): JSON with a `Token`, a SHA-256 over the values and the terminal's password;
 * HTTP 200 for any outcome. Cancelling what has been paid is a refund.
 */
import { randomInt } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Desk, type SandboxCall, type SandboxParts } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxRefund } from '../../firmware/tools/sandbox-bank/refunds.ts';
import { scriptOf } from '../../firmware/tools/sandbox-bank/scripts.ts';
import { about, wordRefusals } from './refused.ts';
import {
  type Fields,
  fieldsOf,
  MAX_ORDER_ID,
  merchantOf,
  NO_SUCH_PAYMENT,
  type Order,
  REFUSALS,
  readInit,
  refused,
  text,
  WRONG_STATE,
  wholeNumber,
  wordOf,
  wrongParameters,
} from './tbank-fields.ts';

export { TBANK_PASSWORD } from './tbank-fields.ts';

/** Of a code: 10 roubles to 1 million. */
const [MIN_QR_AMOUNT, MAX_QR_AMOUNT] = [1000, 100_000_000];
/** The payer's bank refused the refund: the example of the bank's documentation. */
const REFUND_REFUSED = { QrCancelCode: 'I05043', QrCancelMessage: 'У покупателя нет расчетного счета в этом банке.' };

/** Made up: the bank's page names the consent, and neither a code nor words. */
const NO_CONSENT = refused('8', 'Операция невозможна', 'Нет согласия «Возвраты по операциям с физлицами».');

/** A repeated order id makes a new payment, until one of them has been paid. */
function register(desk: Desk, merchant: string, order: Order): SandboxPayment {
  const earlier = desk.payments.ofOrder('tbank', merchant, order.orderId);
  if (earlier.some(({ state }) => state === 'paid')) throw WRONG_STATE;
  const bankId = String(randomInt(1_000_000_000, 10_000_000_000));
  return desk.payments.register({ dialect: 'tbank', merchant, bankId, ...order, coded: false }, desk.linkOf);
}

function statusOf(desk: Desk, payment: SandboxPayment): string {
  switch (payment.state) {
    case 'open':
      return payment.coded ? 'FORM_SHOWED' : 'NEW';
    case 'processing':
      return 'AUTHORIZING';
    case 'declined':
      return 'REJECTED';
    case 'cancelled':
      return 'CANCELED';
    case 'expired':
      return 'DEADLINE_EXPIRED';
    case 'paid':
      if (payment.refunded === 0) return 'CONFIRMED';
      if (desk.refunds.of(payment.qrcId).some(({ state }) => state === 'pending')) return 'ASYNC_REFUNDING';
      return payment.refunded === payment.amount ? 'REFUNDED' : 'PARTIAL_REFUNDED';
  }
}

const basics = (merchant: string, { bankId, orderId }: SandboxPayment): object => ({
  ...{ Success: true, ErrorCode: '0', TerminalKey: merchant, OrderId: orderId, PaymentId: bankId },
});

type Call = (desk: Desk, merchant: string, payment: SandboxPayment, fields: Fields) => object;

/** The id of the payment comes back as a number here. */
const getQr: Call = (desk, merchant, payment, { DataType = 'PAYLOAD' }) => {
  if (payment.amount < MIN_QR_AMOUNT || payment.amount > MAX_QR_AMOUNT) throw refused('3016', 'Невозможно создать QR');
  if (DataType !== 'PAYLOAD') throw wrongParameters('Здесь выдаётся только PAYLOAD.');
  if (payment.state !== 'open') throw WRONG_STATE;
  const { link } = desk.payments.handOutCode(payment.qrcId);
  return { ...basics(merchant, payment), Message: 'OK', Data: link, PaymentId: Number(payment.bankId) };
};

const getState: Call = (desk, merchant, payment) => ({
  ...basics(merchant, payment),
  ...{ Message: 'OK', Status: statusOf(desk, desk.seen(payment)), Amount: payment.amount },
});

/** Takes an open payment back; one that has been paid by now is given back instead. */
function withdraw(desk: Desk, payment: SandboxPayment): SandboxPayment {
  if (payment.state !== 'open') return payment;
  try {
    return desk.payments.cancel(payment.qrcId);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return desk.payments.find(payment.qrcId) ?? payment;
  }
}

function giveBack(desk: Desk, payment: SandboxPayment, { Amount }: Fields): SandboxRefund {
  if (scriptOf(payment.amount)?.lacksConsent) throw NO_CONSENT;
  const left = payment.amount - payment.refunded;
  const amount = Amount === undefined ? left : wholeNumber(Amount);
  if (left === 0) throw WRONG_STATE;
  if (amount === null || amount === 0 || amount > left) {
    throw wrongParameters('Сумма возврата больше суммы платежа.');
  }
  return desk.refunds.refund(payment, amount, null);
}

const cancel: Call = (desk, merchant, payment, fields) => {
  const after = withdraw(desk, payment);
  const before = after.amount - after.refunded;
  if (after.state === 'cancelled' && payment.state === 'open') {
    return { ...basics(merchant, after), Status: 'CANCELED', OriginalAmount: before, NewAmount: 0 };
  }
  if (after.state !== 'paid') throw WRONG_STATE;
  const { amount, state } = giveBack(desk, after, fields);
  const status = state === 'done' ? statusOf(desk, desk.payments.find(after.qrcId) ?? after) : 'ASYNC_REFUNDING';
  return { ...basics(merchant, after), Status: status, OriginalAmount: before, NewAmount: before - amount };
};

/** The state of the last refund, not of the payment. */
const getQrState: Call = (desk, merchant, payment) => {
  const last = desk.refunds.of(payment.qrcId).at(-1);
  if (last === undefined) throw WRONG_STATE;
  return {
    ...basics(merchant, payment),
    ...{ Status: statusOf(desk, payment), Amount: last.amount, Message: 'OK' },
    ...(last.state === 'declined' ? REFUND_REFUSED : {}),
  };
};

const CALLS: Readonly<Record<string, readonly [SandboxCall['call'], Call]>> = {
  GetQr: ['code', getQr],
  GetState: ['state', getState],
  Cancel: ['cancel', cancel],
  GetQrState: ['refund-state', getQrState],
};

/** Errors inside a list are numbers. */
const inOrder = (desk: Desk, payment: SandboxPayment): object => {
  const Status = statusOf(desk, desk.seen(payment));
  const Success = Status !== 'REJECTED';
  return {
    ...{ PaymentId: payment.bankId, Amount: payment.amount, Status, Success, ErrorCode: Success ? 0 : 1051 },
    ...(payment.trxId === null ? {} : { RRN: payment.trxId }),
    Message: Success ? 'OK' : 'Недостаточно средств на карте',
  };
};

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

const init =
  (desk: Desk): Handle =>
  async (request, reply) => {
    const fields = fieldsOf(request);
    const merchant = merchantOf(fields);
    const order = readInit(fields, desk.payments.clock.wall());
    return desk.answer(request, reply, {
      ...{ call: 'register', amount: order.amount, key: `${merchant} ${order.orderId}` },
      ...desk.registration(
        merchant,
        () => register(desk, merchant, order),
        (made) => ({ ...basics(merchant, made), Status: 'NEW', Amount: made.amount, PaymentURL: made.link }),
      ),
    });
  };

const checkOrder =
  (desk: Desk): Handle =>
  async (request, reply) => {
    const fields = fieldsOf(request);
    const merchant = merchantOf(fields);
    const orderId = text(fields, 'OrderId', MAX_ORDER_ID, '212') ?? '';
    const payments = desk.payments.ofOrder('tbank', merchant, orderId);
    return desk.answer(request, reply, {
      ...{ call: 'find', amount: payments[0]?.amount ?? null, key: `${merchant} ${orderId}` },
      truth: () => {
        if (payments.length === 0) throw refused('335', `OrderId ${orderId} не найден для TerminalKey ${merchant}`);
        const listed = payments.toReversed().map((payment) => inOrder(desk, payment));
        const order = { TerminalKey: merchant, OrderId: orderId, Payments: listed };
        return { Success: true, ErrorCode: '0', Message: 'OK', ...order };
      },
    });
  };

const ofPayment =
  (desk: Desk, name: string, [call, work]: (typeof CALLS)[string]): Handle =>
  async (request, reply) => {
    const fields = fieldsOf(request);
    const merchant = merchantOf(fields);
    const id = wholeNumber(fields.PaymentId);
    const payment = id === null ? null : desk.payments.byBankId('tbank', merchant, String(id));
    const refunds = call === 'cancel' && payment?.state === 'paid';
    const answerOf = (found: SandboxPayment): object => work(desk, merchant, found, fields);
    const key = `${name} ${id}`;
    return desk.answer(request, reply, about(refunds ? 'refund' : call, payment, key, NO_SUCH_PAYMENT, answerOf));
  };

export function addTBank(app: FastifyInstance, parts: SandboxParts): void {
  const desk = new Desk(parts, { refusals: REFUSALS });
  wordRefusals(app, wordOf);
  /** The bank takes a slash at the end, too. */
  const add = (name: string, handle: Handle): void => {
    for (const path of [`/v2/${name}`, `/v2/${name}/`]) app.post(path, handle);
  };

  add('Init', init(desk));
  add('CheckOrder', checkOrder(desk));
  for (const [name, work] of Object.entries(CALLS)) add(name, ofPayment(desk, name, work));
}
