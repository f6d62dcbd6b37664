/** What Tochka's calls share: the shop, its signature, the envelope, and the bank's words for what is wrong. */
import { type KeyObject, verify } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { memberOf } from '../../drivers/lib/fields.ts';
import { fits, problemsWith, sentence } from '../../firmware/core/store/schema.ts';
import { readJson, twistFields, WRONG_SECRET } from '../../firmware/features/sandbox-bank/desk.ts';
import { SandboxError } from '../../firmware/features/sandbox-bank/errors.ts';
import type { Dialect } from '../../firmware/features/sandbox-bank/faults.ts';
import { kopecksOf } from './roubles.ts';

const STATUS_OF = {
  REQUEST_VALIDATION_ERROR: 400,
  INVALID_TOKEN: 401,
  OPERATION_FORBIDDEN: 403,
  ENTITY_NOT_FOUND: 404,
  OPERATION_LOCKED: 423,
  OPERATION_RATE_LIMIT: 429,
  INTERNAL_ERROR: 500,
} as const;
type Category = keyof typeof STATUS_OF;

/** A refusal in the bank's words. */
export class TochkaError extends Error {
  readonly category: Category;
  readonly kind: string;

  constructor(category: Category, kind: string, message: string) {
    super(message);
    this.name = 'TochkaError';
    this.category = category;
    this.kind = kind;
  }

  get status(): number {
    return STATUS_OF[this.category];
  }

  get body(): object {
    const url = 'https://enter.tochka.com/uapi/pay';
    const errors = [{ errorCode: this.kind, message: this.message, url }];
    return {
      ...{ code: String(this.status), id: 'c397b21a-d998-4c4d-9471-e60eaf816b87', message: this.category },
      Errors: errors,
    };
  }
}

export const Money = Type.Object({ amount: Type.String(), currency: Type.Literal('RUB') });
/** Both sides of the envelope. */
export const enveloped = (data: object) => ({
  Data: data,
  ...{ Links: { self: 'https://enter.tochka.com/uapi/pay' }, Meta: { totalPages: 1 } },
});

const UNKNOWN_TOKEN = new TochkaError('INVALID_TOKEN', 'UNKNOWN_TOKEN', 'The token is unknown');
const REFUSALS = {
  error: new TochkaError('INTERNAL_ERROR', 'CARD_PROCESSING_ERROR', 'Unexpected error on card processing side.'),
  'too-many': new TochkaError('OPERATION_RATE_LIMIT', 'OPERATION_RATE_LIMIT', 'Too many requests'),
  refuse: new TochkaError(
    'OPERATION_FORBIDDEN',
    'FEATURE_DISABLED_FOR_MERCHANT_SITE',
    'The feature is disabled for the site',
  ),
  denied: UNKNOWN_TOKEN,
};

const twist = twistFields({ amount: [], payment: ['qrcId'], order: ['merchantQrcId'], otherAmount: '' });

export const DIALECT: Dialect = {
  amountInState: true,
  refusal: (kind) => ({ status: REFUSALS[kind].status, body: REFUSALS[kind].body }),
  // an amount is an object of the same name as its text
  twist: (kind, answer) =>
    kind === 'other-amount'
      ? (JSON.parse(JSON.stringify(answer).replaceAll(/"amount":"[^"]*"/g, '"amount":"999999.99"')) as object)
      : twist(kind, answer),
};

/** The site, which is the merchant. @throws {TochkaError} */
export function merchantOf(request: FastifyRequest): string {
  const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (token === '' || token === WRONG_SECRET) throw UNKNOWN_TOKEN;
  const { siteUid = '' } = request.params as { siteUid?: string };
  if (!/^[0-9a-zA-Z_-]{1,64}$/.test(siteUid) || siteUid === 'unknown-site')
    throw new TochkaError('ENTITY_NOT_FOUND', 'MERCHANT_SITE_NOT_FOUND', 'Can not found merchant site');
  return siteUid;
}

/** @throws {TochkaError} where the body is not signed by the key that the bank has been given */
export function mustBeSigned({ headers, body }: FastifyRequest, key: KeyObject | undefined): void {
  const signature = Buffer.from(String(headers.signature ?? ''), 'base64');
  if (key !== undefined && verify('sha256', Buffer.from(String(body)), key, signature)) return;
  throw new TochkaError('OPERATION_FORBIDDEN', 'SIGNATURE_VERIFICATION_ERROR', 'Invalid signature format');
}

/** @throws {TochkaError} that names the first field that is wrong */
export function dataOf<Schema extends TSchema>(request: FastifyRequest, schema: Schema): Static<Schema> {
  const data = memberOf(readJson(request), 'Data');
  if (fits(schema, data)) return data;
  const [problem = { field: '', must: 'is wrong' }] = problemsWith(schema, data);
  throw invalid(problem.field, sentence(problem, 'Data'));
}

export const invalid = (field: string, message: string): TochkaError =>
  new TochkaError('REQUEST_VALIDATION_ERROR', field, message);

/** @throws {TochkaError} */
export function amountOf({ amount }: Static<typeof Money>): number {
  const kopecks = kopecksOf(amount);
  if (kopecks === null || kopecks === 0 || !/\.\d\d$/.test(amount))
    throw invalid('data.amount', 'Incorrect operation amount. Should have correct number of fraction digits');
  return kopecks;
}

export const notFound = (kind: string): TochkaError => new TochkaError('ENTITY_NOT_FOUND', kind, 'Can not found it');

export function wordOf(error: unknown): TochkaError | null {
  if (error instanceof TochkaError) return error;
  if (!(error instanceof SandboxError)) return null;
  return invalid('data', error.message);
}
