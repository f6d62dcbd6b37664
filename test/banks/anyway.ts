/**
 * Alfa-Bank's AnyWay gateway (public client code of three authors, who agree): one address, commands as JSON, with any
 * content type. `Authorization` is the RSA signature (PKCS #1 v1.5, SHA-256, base64) of the body's bytes by the
 * key that the bank knows as `key-name`.
 */
import { randomInt, randomUUID, verify } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  checked,
  Desk,
  type SandboxCall,
  type SandboxParts,
  twistFields,
  wordErrors,
} from '../../firmware/sandbox-bank/desk.ts';
import { SandboxError } from '../../firmware/sandbox-bank/errors.ts';
import type { Dialect } from '../../firmware/sandbox-bank/faults.ts';
import type { PaymentState, SandboxPayment } from '../../firmware/sandbox-bank/payment.ts';
import { MAX_AMOUNT_KOPECKS, MAX_PURPOSE_CHARACTERS, MAX_TTL_MINUTES } from '../../firmware/terminal/payment-limits.ts';
import { addCashLink, findCashLink, onCashLink } from './cash-links.ts';
import type { MerchantKeys } from './keys.ts';

const MINUTE_MS = 60_000;
const DEFAULT_TTL_MINUTES = 4320;
/** Of an order on a printed code. */
const [MIN_CASH_TTL, MAX_CASH_TTL] = [5, 20];
const MOSCOW_MS = 10_800_000;

const id = Type.String({ minLength: 1, maxLength: 64 });
const money = {
  amount: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT_KOPECKS }),
  currency: Type.Literal('RUB'),
};
const purpose = Type.String({ minLength: 1, maxLength: MAX_PURPOSE_CHARACTERS });
const Command = Type.Object({ command: Type.String(), TermNo: Type.Union([id, Type.Integer()]) });
const RegisterBody = Type.Object({
  ...money,
  qrcType: Type.Literal('02'),
  paymentPurpose: purpose,
  messageID: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F-]{36}$' })),
  qrTtl: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TTL_MINUTES })),
});
const ActivateBody = Type.Object({
  ...money,
  qrcId: id,
  paymentPurpose: purpose,
  qrTtl: Type.Optional(Type.Integer({ minimum: MIN_CASH_TTL, maximum: MAX_CASH_TTL })),
});
const WhichBody = Type.Object({ qrcId: Type.Optional(id), payrrn: Type.Optional(id), trxId: Type.Optional(id) });
const RefundBody = Type.Object({ ...money, messageID: Type.Optional(id) });
const CodeBody = Type.Object({ qrcId: id });

/** As JavaScript's old `escape` writes what is not ASCII. */
const percentEncoded = (text: string): string =>
  text.replaceAll(
    /[^\w .,:;()-]/g,
    (letter) => `%u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );

const errorBody = (code: number, message: string): object => ({ ErrorCode: code, message: percentEncoded(message) });

class AnyWayError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'AnyWayError';
    this.code = code;
  }
}

const WRONG_SIGNATURE = [3, 'Ошибка проверки подписи'] as const;
const NOT_FOUND = [5, 'Операция не найдена'] as const;

const DIALECT: Dialect = {
  amountInState: true,
  refusal: (kind) => {
    switch (kind) {
      case 'error':
        return { status: 500, body: errorBody(99, 'Системная ошибка') };
      case 'too-many':
        return { status: 429, body: errorBody(98, 'Слишком много запросов') };
      case 'refuse':
        return { status: 200, body: errorBody(4, 'Операция запрещена для терминала') };
      case 'denied':
        return { status: 200, body: errorBody(...WRONG_SIGNATURE) };
    }
  },
  twist: twistFields({ amount: ['amount'], payment: ['qrcId'], order: ['payrrn'], otherAmount: 99_999_999 }),
};

/** The name of the key, which is the merchant. @throws {AnyWayError} 3 */
function merchantOf(request: FastifyRequest, keys: MerchantKeys): string {
  const { authorization = '', 'key-name': name } = request.headers;
  const key = typeof name === 'string' ? keys.of(name) : null;
  const signature = Buffer.from(authorization, 'base64');
  if (typeof name !== 'string' || key === null || key.asymmetricKeyType !== 'rsa')
    throw new AnyWayError(...WRONG_SIGNATURE);
  if (!verify('sha256', Buffer.from(String(request.body)), key, signature)) throw new AnyWayError(...WRONG_SIGNATURE);
  return name;
}

function commandOf(request: FastifyRequest): Static<typeof Command> {
  try {
    return checked(Command, JSON.parse(String(request.body)));
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw new SandboxError('invalid', 'the body is not JSON');
  }
}

const STATUSES: { readonly [State in PaymentState]: string } = {
  open: 'NTST',
  processing: 'ACTC',
  paid: 'ACWP',
  declined: 'RJCT',
  cancelled: 'RJCT',
  expired: 'NTST',
};

/** 20261121160500, Moscow's time. */
const compactTime = (iso: string): string =>
  new Date(Date.parse(iso) + MOSCOW_MS).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);

interface Asked {
  readonly merchant: string;
  /** Every answer begins with it. */
  readonly begin: object;
  readonly body: object;
}

/** What one command does. */
interface Work extends Pick<SandboxCall, 'call' | 'truth' | 'duplicate' | 'expire'> {
  readonly amount: number | null;
  readonly key: string | null;
}

const newReference = (): string => String(randomInt(1, 1_000_000_000)).padStart(12, '0');

function find(desk: Desk, merchant: string, { qrcId, payrrn }: Static<typeof WhichBody>): SandboxPayment | null {
  const reference = payrrn ?? (qrcId === undefined ? undefined : desk.payments.find(qrcId)?.bankId);
  return reference === undefined ? null : desk.payments.byBankId('anyway', merchant, reference);
}

function mustExist(payment: SandboxPayment | null): SandboxPayment {
  if (payment === null) throw new AnyWayError(...NOT_FOUND);
  return payment;
}

function register(desk: Desk, { merchant, begin, body }: Asked): Work {
  const { amount, paymentPurpose, qrTtl = DEFAULT_TTL_MINUTES, messageID } = checked(RegisterBody, body);
  const make = (): SandboxPayment =>
    desk.payments.register(
      {
        ...{ dialect: 'anyway', merchant, bankId: newReference(), orderId: messageID ?? null, amount },
        ...{ purpose: paymentPurpose, ttlMs: qrTtl * MINUTE_MS },
      },
      desk.linkOf,
    );
  return {
    ...{ call: 'register', amount, key: null },
    ...desk.registration(merchant, make, ({ qrcId, link, bankId }) => ({
      ...begin,
      ...{ qrcId, payload: link, image: '', payrrn: bankId },
    })),
  };
}

function activate(desk: Desk, { merchant, begin, body }: Asked): Work {
  const { amount, paymentPurpose, qrTtl = MIN_CASH_TTL, qrcId: cashLink } = checked(ActivateBody, body);
  const make = (): SandboxPayment => {
    const printed = findCashLink(desk.payments, 'anyway', merchant, cashLink);
    if (printed === null) throw new AnyWayError(...NOT_FOUND);
    const before = onCashLink(desk.payments, cashLink);
    if (before?.state === 'open') desk.payments.cancel(before.qrcId);
    return desk.payments.register(
      {
        ...{ dialect: 'anyway', merchant, bankId: newReference(), orderId: null, amount, purpose: paymentPurpose },
        ...{ ttlMs: qrTtl * MINUTE_MS, detail: { cashLink } },
      },
      () => printed.link,
    );
  };
  const worded = ({ bankId, qrcId }: SandboxPayment): object => ({
    ...begin,
    qrcId: cashLink,
    paramsId: qrcId,
    payrrn: bankId,
  });
  return { ...{ call: 'register', amount, key: null }, ...desk.registration(merchant, make, worded) };
}

function status(desk: Desk, { merchant, begin, body }: Asked): Work {
  const which = checked(WhichBody, body);
  const payment = find(desk, merchant, which);
  return {
    ...{ call: 'state', amount: payment?.amount ?? null, key: payment?.bankId ?? null },
    truth: () => {
      const { state, trxId, paidAt, amount, qrcId, detail, bankId } = desk.seen(mustExist(payment));
      const paid = state === 'paid' && paidAt !== null;
      return {
        ...{ ...begin, qrcId: detail.cashLink ?? qrcId, status: STATUSES[state], payrrn: bankId, BatchId: 1 },
        ...{ trxId: paid ? trxId : null, trxDT: paid ? compactTime(paidAt) : null, amount, currency: 'RUB' },
      };
    },
  };
}

/** Whether a refund is possible, and to whom. */
function refundData(desk: Desk, { merchant, begin, body }: Asked): Work {
  const { amount, messageID = randomUUID() } = checked(RefundBody, body);
  const payment = find(desk, merchant, checked(WhichBody, body));
  return {
    ...{ call: 'refund', amount: null, key: null },
    truth: () => {
      const { state, refunded, trxId, bankId, ...of } = mustExist(payment);
      if (state !== 'paid' || amount > of.amount - refunded) throw new AnyWayError(6, 'Возврат невозможен');
      const payer = { payerId: '79000000000', payerPam: 'Иван Т', payerBnkBIC: '044525000', payerBnkName: 'Банк' };
      return { ...begin, ...payer, trxId, trxDT: compactTime(of.paidAt ?? of.createdAt), payrrn: bankId, messageID };
    },
  };
}

function refund(desk: Desk, { merchant, begin, body }: Asked): Work {
  const { amount, messageID = null } = checked(RefundBody, body);
  const payment = find(desk, merchant, checked(WhichBody, body));
  return {
    ...{ call: 'refund', amount: payment?.amount ?? null, key: payment?.bankId ?? null },
    truth: () => {
      const done = desk.refunds.refund(mustExist(payment), amount, messageID);
      if (done.state === 'declined') throw new AnyWayError(6, 'Возврат отклонён');
      return { ...begin, trxId: done.bankId, trxDT: compactTime(done.createdAt), payrrn: payment?.bankId, messageID };
    },
  };
}

function deactivate(desk: Desk, { merchant, begin, body }: Asked): Work {
  const { qrcId } = checked(CodeBody, body);
  const printed = findCashLink(desk.payments, 'anyway', merchant, qrcId);
  const payment = printed === null ? null : onCashLink(desk.payments, qrcId);
  return {
    ...{ call: 'cancel', amount: payment?.amount ?? null, key: payment?.bankId ?? null },
    truth: () => {
      desk.payments.cancel(mustExist(payment).qrcId);
      return { ...begin, qrcId };
    },
  };
}

const COMMANDS: Readonly<Record<string, (desk: Desk, asked: Asked) => Work>> = {
  GetQRCd: register,
  GetQRCstatus: status,
  GetQRCreversalData: refundData,
  QRCreversal: refund,
  ActivateCashQRc: activate,
  DelCashQRc: deactivate,
};

function wordOf(error: unknown): AnyWayError | null {
  if (error instanceof AnyWayError) return error;
  if (!(error instanceof SandboxError)) return null;
  const refused = ['not-paid', 'too-much', 'order-differs'].includes(error.code);
  if (refused) return new AnyWayError(6, 'Возврат невозможен');
  return error.code === 'not-open'
    ? new AnyWayError(7, 'Неверный статус операции')
    : new AnyWayError(1, `Некорректный запрос: ${error.message}`);
}

export function addAnyWay(app: FastifyInstance, parts: SandboxParts, keys: MerchantKeys): void {
  const desk = new Desk(parts, DIALECT);
  wordErrors(app, wordOf, (word, reply) => reply.code(200).send(errorBody(word.code, word.message)));

  app.post('/', async (request, reply) => {
    const merchant = merchantOf(request, keys);
    const body = commandOf(request);
    const begin = { ErrorCode: 0, message: percentEncoded('Успешно'), TermNo: Number(body.TermNo) };
    if (body.command === 'RegCashQRc') {
      const { qrcId, link } = addCashLink(desk.payments, 'anyway', merchant, desk.linkOf);
      return { ...begin, qrcId, payload: link, content: '' };
    }
    const work = COMMANDS[body.command];
    if (work === undefined) throw new AnyWayError(2, 'Неизвестная команда');
    return desk.answer(request, reply, { mark: ` ${body.command}`, ...work(desk, { merchant, begin, body }) });
  });
}
