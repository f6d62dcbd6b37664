/** What T-Bank's calls share: the token, the fields with their limits, and the bank's numbers for what is wrong. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { readJson } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import { Refused } from './refused.ts';

/** A token can only be checked by who knows the password: that of every terminal. */
export const TBANK_PASSWORD = 'sandbox';

const MAX_TERMINAL_KEY = 20;
export const MAX_ORDER_ID = 36;
const MAX_DESCRIPTION = 140;
const MIN_AMOUNT = 100;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_DUE_DAYS = 90;
const DUE_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

export type Fields = Readonly<Record<string, unknown>>;

/** In the bank's numbers. */
export const refused = (code: string, message: string, details = '', status = 200): Refused =>
  new Refused(status, { Success: false, ErrorCode: code, Message: message, Details: details });

export const WRONG_STATE = refused('8', 'Неверный статус транзакции');
export const wrongParameters = (details: string): Refused => refused('9999', 'Неверные параметры.', details);
export const NO_SUCH_PAYMENT = wrongParameters('Транзакция не найдена.');
const EMPTY = refused('203', 'Параметры запроса не должны быть пустыми');

export const REFUSALS = {
  error: refused('9999', 'Внутренняя ошибка системы', '', 500),
  'too-many': refused('402', 'Повторите попытку позже', '', 429),
  refuse: refused('648', 'Магазин заблокирован или еще не активирован'),
  denied: refused('204', 'Неверные параметры.', 'Неверный токен. Проверьте пару TerminalKey/SecretKey.'),
} as const;

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** SHA-256 over the values of the root's scalars and the password, in the order of their names; lower hex. */
function tokenOf(fields: Fields): string {
  const signed: Fields = { ...fields, Password: TBANK_PASSWORD };
  const names = Object.keys(signed).filter((name) => name !== 'Token' && isScalar(signed[name]));
  const text = names
    .sort()
    .map((name) => String(signed[name]))
    .join('');
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** @throws {Refused} */
export function fieldsOf(request: FastifyRequest): Fields {
  const body = readJson(request);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw EMPTY;
  return body as Fields;
}

/** The terminal, which is the merchant. @throws {Refused} 210, 9999, 204 */
export function merchantOf(fields: Fields): string {
  const { TerminalKey, Token } = fields;
  if (typeof TerminalKey !== 'string' || TerminalKey === '' || TerminalKey.length > MAX_TERMINAL_KEY) {
    throw refused('210', `Размер поля TerminalKey должен быть от 1 до ${MAX_TERMINAL_KEY}`);
  }
  if (typeof Token !== 'string') throw wrongParameters('Поле Token не должно быть пустым.');
  if (Token !== tokenOf(fields)) throw REFUSALS.denied;
  return TerminalKey;
}

/** Numbers come as such or as digits. */
export function wholeNumber(value: unknown): number | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function text(fields: Fields, name: string, limit: number, code: string): string | null {
  const value = fields[name];
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.length > limit) {
    throw refused(code, `Размер поля ${name} должен быть от 1 до ${limit}`);
  }
  return value;
}

/** @throws {Refused} 12: also what a clock gets that is wrong */
function dueMs({ RedirectDueDate: due }: Fields, now: number): number {
  if (due === undefined) return DAY_MS;
  const left = typeof due === 'string' && DUE_DATE.test(due) ? Date.parse(due) - now : Number.NaN;
  if (!(left >= MINUTE_MS && left <= MAX_DUE_DAYS * DAY_MS)) {
    throw refused('12', 'Неверный параметр RedirectDueDate');
  }
  return left;
}

export interface Order {
  readonly amount: number;
  readonly orderId: string;
  readonly purpose: string | null;
  readonly ttlMs: number;
}

/** @throws {Refused} */
export function readInit(fields: Fields, now: number): Order {
  const amount = wholeNumber(fields.Amount);
  if (amount === null || amount < MIN_AMOUNT) {
    throw refused('251', `Неверная сумма. Сумма должна быть больше или равна ${MIN_AMOUNT} копеек`);
  }
  const orderId = text(fields, 'OrderId', MAX_ORDER_ID, '212');
  if (orderId === null) throw refused('212', `Размер поля OrderId должен быть от 1 до ${MAX_ORDER_ID}`);
  const purpose = text(fields, 'Description', MAX_DESCRIPTION, '213');
  return { amount, orderId, purpose, ttlMs: dueMs(fields, now) };
}

/** What the books refuse. */
export const wordOf = ({ code }: SandboxError): Refused =>
  code === 'invalid' || code === 'not-json' ? EMPTY : WRONG_STATE;
