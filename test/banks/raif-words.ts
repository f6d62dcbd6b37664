/** What the calls of Raiffeisenbank share: the secret key, roubles, moments, errors, refunds. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { WRONG_SECRET } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { PaymentState, SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxRefund } from '../../firmware/tools/sandbox-bank/refunds.ts';
import { Refused } from './refused.ts';
import { kopecksOf, roublesNumber } from './roubles.ts';

const DAY_MS = 86_400_000;
const DEFAULT_TERM_DAYS = 3;
const MAX_TERM_DAYS = 90;
const MAX_KOPECKS = 100_000_000;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?([+-]\d{2}:\d{2}|Z)$/;
const MOSCOW_MS = 10_800_000;

/** In the bank's words. @param status of version 2; version 1 has 200 */
export const refused = (code: string, message: string, status = 400): Refused => new Refused(status, { code, message });

export const REFUSALS = {
  error: refused('ERROR.INTERNAL', 'Внутренняя ошибка', 500),
  'too-many': refused('ERROR.TOO_MANY_REQUESTS', 'Слишком много запросов', 429),
  refuse: refused('ERROR.MERCHANT_NOT_REGISTERED', 'Партнер не зарегистрирован'),
  denied: refused('ERROR.UNAUTHORIZED', 'Неверный секретный ключ', 401),
} as const;
export const NOT_FOUND = refused('ERROR.NOT_FOUND', 'QR-код не найден у данного партнера', 404);

/** The holder of the secret key, which itself is kept nowhere. @throws {Refused} */
export function merchantOf(request: FastifyRequest): string {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (key === undefined || key === WRONG_SECRET) throw REFUSALS.denied;
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

/** @throws {Refused} */
export function amountOf(roubles: number | undefined, refund = false): number {
  if (roubles === undefined)
    throw refused('ERROR.DYNAMIC_QR_WITHOUT_AMOUNT', 'Не передана сумма для динамического QR-кода');
  const kopecks = kopecksOf(roubles);
  if (kopecks !== null && kopecks > 0 && kopecks <= MAX_KOPECKS) return kopecks;
  const what = refund ? 'Сумма возврата не может быть меньше 1 копейки' : 'Передана некорректная сумма платежа';
  throw refused('ERROR.INVALID_REQUEST', what);
}

/** @throws {Refused} */
export function termMs(date: string | undefined, now: number): number {
  if (date === undefined) return DEFAULT_TERM_DAYS * DAY_MS;
  const left = ISO_DATE.test(date) ? Date.parse(date) - now : Number.NaN;
  if (left > 0 && left <= MAX_TERM_DAYS * DAY_MS) return left;
  throw refused('ERROR.QR_EXPIRATION_DATE_NOT_VALID', 'Неверная дата истечения QR-кода');
}

/** As the bank writes moments: Moscow's time. */
export const moscowTime = (iso: string): string =>
  new Date(Date.parse(iso) + MOSCOW_MS).toISOString().replace('Z', '+03:00');

export const QR_STATUS: { readonly [State in PaymentState]: string } = {
  open: 'NEW',
  processing: 'IN_PROGRESS',
  paid: 'PAID',
  declined: 'CANCELLED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
};
const REFUND_STATUS = { pending: 'IN_PROGRESS', done: 'COMPLETED', declined: 'DECLINED' } as const;

/** @param state the state to report; a refund that was only just requested is in progress, with any outcome */
export const refundAnswer = ({ amount }: SandboxRefund, state: SandboxRefund['state']): object => ({
  ...{ code: 'SUCCESS', amount: roublesNumber(amount), refundStatus: REFUND_STATUS[state] },
});

/** What the books refuse. */
export function wordOf(error: SandboxError): Refused {
  switch (error.code) {
    case 'unknown':
      return NOT_FOUND;
    case 'not-open':
      return refused('ERROR.ERROR_WRONG_QR_STATUS', 'Неверный статус QR-кода');
    case 'too-much':
      return refused('ERROR.REFUND_INSUFFICIENT_FUNDS', 'Сумма возврата больше суммы остатка по платежу');
    case 'not-paid':
      return refused('ERROR.NOT_FOUND', 'Платеж не найден', 404);
    default:
      return refused('ERROR.INVALID_REQUEST', error.message);
  }
}
