/** Calls to YooKassa: the shop, idempotency keys, failures. Source: yookassa.ru/developers. */
import { type Static, type TSchema, Type } from 'typebox';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { BankClient, type BankClientOptions, type Expected } from '../bank-client.ts';
import type { MethodWords } from '../method.ts';
import type { FailureReader } from '../reported-failure.ts';

/** As the bank's own SDKs wait after an answer that settles nothing. */
const DEFAULT_RETRY_AFTER_MS = 1800;
/** The bank does not know the outcome of the call yet. */
const UNSETTLED: readonly number[] = [202, 500];

/** In the bank's words, with the field that it names: `invalid_request (confirmation.type)`. */
const codeOf = (code: unknown, parameter: unknown): unknown =>
  typeof code === 'string' && typeof parameter === 'string' ? `${code} (${parameter})` : code;

const failureOf: FailureReader = ({ type, code, parameter, description, retry_after: wait }, status) => {
  const unsettled = UNSETTLED.includes(status);
  if (type !== 'error' && type !== 'processing' && !unsettled) return null;
  const askedMs = typeof wait === 'number' && Number.isFinite(wait) && wait >= 0 ? wait : null;
  return {
    code: unsettled || type === 'processing' ? 'unreachable' : 'refused',
    bankCode: codeOf(code, parameter),
    text: description,
    retryAfterMs: askedMs ?? (unsettled ? DEFAULT_RETRY_AFTER_MS : null),
  };
};

/** An amount as the bank writes it. */
export const Money = Type.Object({ value: Type.Unknown(), currency: Type.Unknown() });

/** @param kopecks a whole number */
export const moneyOf = (kopecks: number): Static<typeof Money> => ({ value: roublesOf(kopecks), currency: 'RUB' });

export const CancellationDetails = Type.Optional(
  Type.Union([Type.Null(), Type.Object({ reason: Type.Optional(Type.String()) })]),
);

/** Types of `payment_method` and `refund_method`. Source: YooKassa's table of payment methods. */
export const METHOD_WORDS: MethodWords = {
  sbp: 'sbp',
  bank_card: 'card',
  sberbank: 'bank-service',
  tinkoff_bank: 'bank-service',
  yoo_money: 'bank-service',
  sber_loan: 'bank-service',
  sber_bnpl: 'bank-service',
};

export class YooKassaClient extends BankClient {
  constructor(options: BankClientOptions, shopId: string, secretKey: string) {
    const credentials = Buffer.from(`${shopId}:${secretKey}`, 'utf8').toString('base64');
    const headers = { authorization: `Basic ${credentials}` };
    super({ ...options, failureOf, secrets: [secretKey, credentials], headers });
  }

  /** @throws {BankError} */
  get<Shape extends TSchema>(path: string, expected: Expected<Shape>, signal: AbortSignal): Promise<Static<Shape>> {
    return this.call({ method: 'GET', path }, expected, signal);
  }

  /** @param key the same again does it once, for a day; at most 64 characters @throws {BankError} */
  post<Shape extends TSchema>(
    { path, body, key }: { readonly path: string; readonly body: unknown; readonly key: string },
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    return this.call({ method: 'POST', path, headers: { 'idempotence-key': key }, body }, expected, signal);
  }
}
