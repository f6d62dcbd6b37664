/** What YooKassa's calls share: the shop, keys, roubles, and the bank's words for what is wrong. */
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { fits, problemsWith, sentence } from '../../firmware/core/store/schema.ts';
import { readJson, twistFields, WRONG_SECRET } from '../../firmware/features/sandbox-bank/desk.ts';
import { SandboxError } from '../../firmware/features/sandbox-bank/errors.ts';
import type { Dialect } from '../../firmware/features/sandbox-bank/faults.ts';
import { kopecksOf } from './roubles.ts';

const MAX_KEY = 64;

export const Amount = Type.Object({
  value: Type.Union([Type.String(), Type.Number()]),
  currency: Type.Literal('RUB'),
});
type ErrorName =
  | 'invalid_request'
  | 'invalid_credentials'
  | 'forbidden'
  | 'not_found'
  | 'too_many_requests'
  | 'internal_server_error';

export const STATUS_OF: { readonly [Name in ErrorName]: number } = {
  invalid_request: 400,
  invalid_credentials: 401,
  forbidden: 403,
  not_found: 404,
  too_many_requests: 429,
  internal_server_error: 500,
};

/** A refusal in the bank's words. */
export class YooKassaError extends Error {
  readonly code: ErrorName;
  readonly parameter: string | null;

  constructor(code: ErrorName, message: string, parameter: string | null = null) {
    super(message);
    this.name = 'YooKassaError';
    this.code = code;
    this.parameter = parameter;
  }
}

export const errorBody = ({ code, message, parameter }: YooKassaError): object => ({
  ...{ type: 'error', id: randomUUID(), code, description: message },
  ...(parameter === null ? {} : { parameter }),
});

const QR_NOT_ALLOWED = new YooKassaError(
  'invalid_request',
  'This confirmation type is not available for the payment method',
  'confirmation.type',
);
const WRONG_KEY = new YooKassaError(
  'invalid_credentials',
  'Basic authorization: wrong shopId or secret key',
  'Authorization',
);

export const DIALECT: Dialect = {
  amountInState: true,
  refusal: (kind, call) => {
    const error = {
      error: new YooKassaError('internal_server_error', 'Internal server error'),
      'too-many': new YooKassaError('too_many_requests', 'Too many requests'),
      refuse:
        call === 'register' ? QR_NOT_ALLOWED : new YooKassaError('forbidden', 'Not enough rights for the operation'),
      denied: WRONG_KEY,
    }[kind];
    return { status: STATUS_OF[error.code], body: errorBody(error) };
  },
  // there is no order of the till in an answer but what it put into metadata
  twist: twistFields({
    amount: ['value'],
    payment: ['id'],
    order: ['order', 'orderId', 'order_id'],
    otherAmount: '999999.99',
  }),
};

const credentialsOf = (request: FastifyRequest): readonly string[] => {
  const basic = /^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return Buffer.from(basic, 'base64').toString('utf8').split(':');
};

/** Whether the shop takes no money. */
export const isTestShop = (request: FastifyRequest): boolean => credentialsOf(request)[1]?.startsWith('test_') === true;

/** The shop, which is the merchant. @throws {YooKassaError} */
export function merchantOf(request: FastifyRequest): string {
  const [shopId = '', secretKey = ''] = credentialsOf(request);
  if (shopId === '' || secretKey === '' || secretKey === WRONG_SECRET) throw WRONG_KEY;
  return shopId;
}

/** @throws {YooKassaError} */
export function keyOf(request: FastifyRequest): string {
  const key = request.headers['idempotence-key'];
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY) return key;
  throw new YooKassaError('invalid_request', 'Idempotence key is missing, empty or too long', 'Idempotence-Key');
}

/** @throws {YooKassaError} that names the first field that is wrong */
export function bodyOf<Schema extends Parameters<typeof fits>[0]>(
  request: FastifyRequest,
  schema: Schema,
): Static<Schema> {
  const body = readJson(request);
  if (fits(schema, body)) return body;
  const [problem = { field: '', must: 'is wrong' }] = problemsWith(schema, body);
  throw new YooKassaError('invalid_request', `Invalid request: ${sentence(problem, 'the body')}`, problem.field);
}

/** @throws {YooKassaError} */
export function amountOf({ value }: Static<typeof Amount>): number {
  const kopecks = kopecksOf(value);
  if (kopecks === null || kopecks === 0) {
    throw new YooKassaError('invalid_request', 'Incorrect amount', 'amount.value');
  }
  return kopecks;
}

export function differs(): YooKassaError {
  return new YooKassaError('invalid_request', 'Idempotence key duplicated with another request', 'Idempotence-Key');
}

export function wordOf(error: unknown): YooKassaError | null {
  if (error instanceof YooKassaError) return error;
  if (!(error instanceof SandboxError)) return null;
  switch (error.code) {
    case 'order-differs':
      return differs();
    case 'too-much':
      return new YooKassaError('invalid_request', 'Refund amount exceeds the payment amount', 'amount.value');
    case 'not-paid':
      return new YooKassaError('invalid_request', 'Payment is not succeeded', 'payment_id');
    default:
      return new YooKassaError('invalid_request', error.message);
  }
}
