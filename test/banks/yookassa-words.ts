/** What YooKassa's calls share: the shop, keys, roubles, and the bank's words for what is wrong. */
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { sentence } from '../../firmware/core/schema/field-problems.ts';
import { fits, problemsWith } from '../../firmware/core/schema/schema.ts';
import { readJson, WRONG_SECRET } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import { Refused } from './refused.ts';
import { kopecksOf } from './roubles.ts';

const MAX_KEY = 64;

export const Amount = Type.Object({
  value: Type.Union([Type.String(), Type.Number()]),
  currency: Type.Literal('RUB'),
});
const STATUS_OF = {
  invalid_request: 400,
  invalid_credentials: 401,
  forbidden: 403,
  not_found: 404,
  too_many_requests: 429,
  internal_server_error: 500,
} as const;

/** In the bank's words. */
export const refused = (code: keyof typeof STATUS_OF, description: string, parameter: string | null = null): Refused =>
  new Refused(STATUS_OF[code], {
    ...{ type: 'error', id: randomUUID(), code, description },
    ...(parameter === null ? {} : { parameter }),
  });

const WRONG_KEY = refused('invalid_credentials', 'Basic authorization: wrong shopId or secret key', 'Authorization');

export const REFUSALS = {
  error: refused('internal_server_error', 'Internal server error'),
  'too-many': refused('too_many_requests', 'Too many requests'),
  refuse: refused('forbidden', 'Not enough rights for the operation'),
  denied: WRONG_KEY,
};

const credentialsOf = (request: FastifyRequest): readonly string[] => {
  const basic = /^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return Buffer.from(basic, 'base64').toString('utf8').split(':');
};

/** Whether the shop takes no money. */
export const isTestShop = (request: FastifyRequest): boolean => credentialsOf(request)[1]?.startsWith('test_') === true;

/** The shop, which is the merchant. @throws {Refused} */
export function merchantOf(request: FastifyRequest): string {
  const [shopId = '', secretKey = ''] = credentialsOf(request);
  if (shopId === '' || secretKey === '' || secretKey === WRONG_SECRET) throw WRONG_KEY;
  return shopId;
}

/** @throws {Refused} */
export function keyOf(request: FastifyRequest): string {
  const key = request.headers['idempotence-key'];
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY) return key;
  throw refused('invalid_request', 'Idempotence key is missing, empty or too long', 'Idempotence-Key');
}

/** @throws {Refused} that names the first field that is wrong */
export function bodyOf<Schema extends Parameters<typeof fits>[0]>(
  request: FastifyRequest,
  schema: Schema,
): Static<Schema> {
  const body = readJson(request);
  if (fits(schema, body)) return body;
  const [problem = { field: '', must: 'is wrong' }] = problemsWith(schema, body);
  throw refused('invalid_request', `Invalid request: ${sentence(problem, 'the body')}`, problem.field);
}

/** @throws {Refused} */
export function amountOf({ value }: Static<typeof Amount>): number {
  const kopecks = kopecksOf(value);
  if (kopecks === null || kopecks === 0) throw refused('invalid_request', 'Incorrect amount', 'amount.value');
  return kopecks;
}

export const DIFFERS = refused('invalid_request', 'Idempotence key duplicated with another request', 'Idempotence-Key');

/** What the books refuse. */
export function wordOf(error: SandboxError): Refused {
  switch (error.code) {
    case 'order-differs':
      return DIFFERS;
    case 'too-much':
      return refused('invalid_request', 'Refund amount exceeds the payment amount', 'amount.value');
    case 'not-paid':
      return refused('invalid_request', 'Payment is not succeeded', 'payment_id');
    default:
      return refused('invalid_request', error.message);
  }
}
