/** Shared by the gateway's calls: forms and their limits, the login, the gateway's error numbers. */

import type { FastifyRequest } from 'fastify';
import { CodedError } from '../../../drivers/lib/errors.ts';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import { WRONG_SECRET } from './desk.ts';
import type { Dialect, Twist } from './faults.ts';

const DEFAULT_SESSION_S = 1200;
const MAX_SESSION_S = 9_999_999;
const MAX_ORDER_NUMBER = 36;
const MAX_RETURN_URL = 512;
const MAX_DESCRIPTION = 512;
export const AMOUNT = /^[1-9]\d{0,11}$/;
const RUB_CODES: readonly string[] = ['643', '810'];

export type Form = Readonly<Record<string, string>>;

/** A refusal with the gateway's error number. */
export class RbsError extends CodedError<string> {}

export const NOT_FOUND = ['6', 'Заказ не найден'] as const;
export const WRONG_STATE = ['7', 'Платёж должен быть в корректном состоянии'] as const;
export const errorBody = (code: string, message: string): object => ({ errorCode: code, errorMessage: message });

/** The fields that a wrong answer changes, at any depth, and what they hold then. */
const TWISTS: { readonly [Kind in Twist]: readonly [names: readonly string[], value: unknown] } = {
  'other-amount': [['amount', 'approvedAmount', 'depositedAmount'], 99_999_999],
  // the answer about an order's state names the order by number, and by id among the attributes
  'other-payment': [['orderId', 'qrId', 'orderNumber', 'value'], 'AD10000ANOTHERPAYMENT'],
  'other-order': [['orderNumber'], 'another-order'],
  'no-id': [['orderId', 'qrId', 'orderNumber', 'value'], ''],
};

function withFields(answer: unknown, names: readonly string[], value: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((entry) => withFields(entry, names, value));
  if (!isFields(answer)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, old]) => [name, names.includes(name) ? value : withFields(old, names, value)]),
  );
}

export const DIALECT: Dialect = {
  refusals: {
    error: { status: 500, body: errorBody('7', 'Системная ошибка') },
    'too-many': { status: 429, body: errorBody('7', 'Слишком много запросов') },
    refuse: { status: 200, body: errorBody('5', 'Операция не разрешена магазину') },
    denied: { status: 200, body: errorBody('5', 'Доступ запрещён') },
  },
  twist: (kind, answer) => withFields(answer, ...TWISTS[kind]) as object,
};

/** The form of a call; parameters may also be in the address. */
export function formOf(request: FastifyRequest): Form {
  const query = new URL(request.url, 'http://sandbox').searchParams;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const body = new URLSearchParams(type === 'application/x-www-form-urlencoded' ? String(request.body ?? '') : '');
  return Object.fromEntries([...query, ...body]);
}

/** Checks the login, which names the merchant. @throws {RbsError} 5 */
export function merchantOf({ userName = '', password = '', token = '' }: Form): string {
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

/** Checks a registration's fields. @throws {RbsError} */
export function checkRegistration(form: Form): void {
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

/** @returns lifetime of the code, ms @throws {RbsError} 5 */
export function sessionMs({ sessionTimeoutSecs = String(DEFAULT_SESSION_S) }: Form): number {
  const seconds = Number(sessionTimeoutSecs);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SESSION_S) {
    throw new RbsError('5', 'Неверное значение параметра sessionTimeoutSecs');
  }
  return seconds * 1000;
}
