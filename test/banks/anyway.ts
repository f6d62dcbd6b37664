/**
 * Alfa-Bank's AnyWay gateway (public client code of three authors, who agree): one address, commands as JSON, with any
 * content type. `Authorization` is the RSA signature (PKCS #1 v1.5, SHA-256, base64) of the body's bytes by the
 * key that the bank knows as `key-name`.
 */
import { type KeyObject, randomInt, verify } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { MAX_TTL_MINUTES } from '../../firmware/core/config/choices.ts';
import { MAX_AMOUNT_KOPECKS, MAX_PURPOSE_CHARACTERS } from '../../firmware/core/config/limits.ts';
import { checked, Desk, type SandboxCall, type SandboxParts } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import { about, Refused, wordRefusals } from './refused.ts';

const MINUTE_MS = 60_000;
const DEFAULT_TTL_MINUTES = 4320;
const MOSCOW_MS = 10_800_000;

const id = Type.String({ minLength: 1, maxLength: 64 });
const money = {
  amount: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT_KOPECKS }),
  currency: Type.Literal('RUB'),
};
const Command = Type.Object({ command: Type.String(), TermNo: Type.Union([id, Type.Integer()]) });
const RegisterBody = Type.Object({
  ...money,
  qrcType: Type.Literal('02'),
  paymentPurpose: Type.String({ minLength: 1, maxLength: MAX_PURPOSE_CHARACTERS }),
  messageID: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F-]{36}$' })),
  qrTtl: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TTL_MINUTES })),
});
const StatusBody = Type.Object({ qrcId: id });

/** As JavaScript's old `escape` writes what is not ASCII. */
const percentEncoded = (text: string): string =>
  text.replaceAll(
    /[^\w .,:;()-]/g,
    (letter) => `%u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );

const refused = (code: number, message: string, status = 200): Refused =>
  new Refused(status, { ErrorCode: code, message: percentEncoded(message) });

const REFUSALS = {
  error: refused(99, 'Системная ошибка', 500),
  'too-many': refused(98, 'Слишком много запросов', 429),
  refuse: refused(4, 'Операция запрещена для терминала'),
  denied: refused(3, 'Ошибка проверки подписи'),
} as const;
const NOT_FOUND = refused(5, 'Операция не найдена');

/** The name of the key, which is the merchant. @throws {Refused} 3 */
function merchantOf(request: FastifyRequest, keys: ReadonlyMap<string, KeyObject>): string {
  const { authorization = '', 'key-name': name } = request.headers;
  const key = keys.get(String(name));
  const signature = Buffer.from(authorization, 'base64');
  if (key === undefined || !verify('sha256', Buffer.from(String(request.body)), key, signature)) throw REFUSALS.denied;
  return String(name);
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

const newReference = (): string => String(randomInt(1, 1_000_000_000)).padStart(12, '0');

function register(desk: Desk, { merchant, begin, body }: Asked): SandboxCall {
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

function status(desk: Desk, { merchant, begin, body }: Asked): SandboxCall {
  const known = desk.payments.find(checked(StatusBody, body).qrcId);
  const payment = known === null ? null : desk.payments.byBankId('anyway', merchant, known.bankId);
  return about('state', payment, payment?.bankId ?? null, NOT_FOUND, (found) => {
    const { state, trxId, paidAt, amount, qrcId, bankId } = desk.seen(found);
    const paid = state === 'paid' && paidAt !== null;
    return {
      ...{ ...begin, qrcId, status: STATUSES[state], payrrn: bankId, BatchId: 1 },
      ...{ trxId: paid ? trxId : null, trxDT: paid ? compactTime(paidAt) : null, amount, currency: 'RUB' },
    };
  });
}

const COMMANDS: Readonly<Record<string, (desk: Desk, asked: Asked) => SandboxCall>> = {
  GetQRCd: register,
  GetQRCstatus: status,
};

export function addAnyWay(app: FastifyInstance, parts: SandboxParts, keys: ReadonlyMap<string, KeyObject>): void {
  const desk = new Desk(parts, { refusals: REFUSALS });
  wordRefusals(app, ({ message }) => refused(1, `Некорректный запрос: ${message}`));

  app.post('/', async (request, reply) => {
    const merchant = merchantOf(request, keys);
    const body = commandOf(request);
    const begin = { ErrorCode: 0, message: percentEncoded('Успешно'), TermNo: Number(body.TermNo) };
    const work = COMMANDS[body.command];
    if (work === undefined) throw refused(2, 'Неизвестная команда');
    return desk.answer(request, reply, work(desk, { merchant, begin, body }));
  });
}
