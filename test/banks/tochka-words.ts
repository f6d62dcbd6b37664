/** What Tochka's calls share: the shop, its signature, the envelope, and the bank's words for what is wrong. */
import { type KeyObject, verify } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { memberOf } from '../../drivers/lib/strict-json.ts';
import { sentence } from '../../firmware/core/schema/field-problems.ts';
import { fits, problemsWith } from '../../firmware/core/schema/schema.ts';
import { readJson, WRONG_SECRET } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import { Refused } from './refused.ts';
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

const URL = 'https://enter.tochka.com/uapi/pay';

/** In the bank's words. */
const refused = (category: keyof typeof STATUS_OF, errorCode: string, message: string): Refused =>
  new Refused(STATUS_OF[category], {
    ...{ code: String(STATUS_OF[category]), id: 'c397b21a-d998-4c4d-9471-e60eaf816b87', message: category },
    Errors: [{ errorCode, message, url: URL }],
  });

export const Money = Type.Object({ amount: Type.String(), currency: Type.Literal('RUB') });
/** Both sides of the envelope. */
export const enveloped = (data: object) => ({
  Data: data,
  ...{ Links: { self: URL }, Meta: { totalPages: 1 } },
});

const UNKNOWN_TOKEN = refused('INVALID_TOKEN', 'UNKNOWN_TOKEN', 'The token is unknown');
export const REFUSALS = {
  error: refused('INTERNAL_ERROR', 'CARD_PROCESSING_ERROR', 'Unexpected error on card processing side.'),
  'too-many': refused('OPERATION_RATE_LIMIT', 'OPERATION_RATE_LIMIT', 'Too many requests'),
  refuse: refused('OPERATION_FORBIDDEN', 'FEATURE_DISABLED_FOR_MERCHANT_SITE', 'The feature is disabled for the site'),
  denied: UNKNOWN_TOKEN,
};

/** The site, which is the merchant. @throws {Refused} */
export function merchantOf(request: FastifyRequest): string {
  const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (token === '' || token === WRONG_SECRET) throw UNKNOWN_TOKEN;
  const { siteUid = '' } = request.params as { siteUid?: string };
  if (!/^[0-9a-zA-Z_-]{1,64}$/.test(siteUid) || siteUid === 'unknown-site')
    throw refused('ENTITY_NOT_FOUND', 'MERCHANT_SITE_NOT_FOUND', 'Can not found merchant site');
  return siteUid;
}

/** @throws {Refused} where the body is not signed by the key that the bank has been given */
export function mustBeSigned({ headers, body }: FastifyRequest, key: KeyObject | undefined): void {
  const signature = Buffer.from(String(headers.signature ?? ''), 'base64');
  if (key !== undefined && verify('sha256', Buffer.from(String(body)), key, signature)) return;
  throw refused('OPERATION_FORBIDDEN', 'SIGNATURE_VERIFICATION_ERROR', 'Invalid signature format');
}

/** @throws {Refused} that names the first field that is wrong */
export function dataOf<Schema extends TSchema>(request: FastifyRequest, schema: Schema): Static<Schema> {
  const data = memberOf(readJson(request), 'Data');
  if (fits(schema, data)) return data;
  const [problem = { field: '', must: 'is wrong' }] = problemsWith(schema, data);
  throw invalid(problem.field, sentence(problem, 'Data'));
}

export const invalid = (field: string, message: string): Refused => refused('REQUEST_VALIDATION_ERROR', field, message);

/** @throws {Refused} */
export function amountOf({ amount }: Static<typeof Money>): number {
  const kopecks = kopecksOf(amount);
  if (kopecks === null || kopecks === 0 || !/\.\d\d$/.test(amount))
    throw invalid('data.amount', 'Incorrect operation amount. Should have correct number of fraction digits');
  return kopecks;
}

export const notFound = (kind: string): Refused => refused('ENTITY_NOT_FOUND', kind, 'Can not found it');

/** What the books refuse. */
export const wordOf = ({ message }: SandboxError): Refused => invalid('data', message);
