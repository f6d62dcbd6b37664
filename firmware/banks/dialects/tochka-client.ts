/**
 * Calls to Tochka's payment gateway: the site, the token, the signature of refunds, failures. Source: the bank's OpenAPI of it
 * («API Приёма платежей» 1.0) and its pages, developers.tochka.com/docs/pay-gateway.
 */
import type { KeyObject } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import { BankId, finiteOf, idIn, maybe, OptionalValue, reported, timestampIn } from '../answer-fields.ts';
import { type BankAddress, BankClient, type Expected } from '../bank-client.ts';
import { type BankError, isRefused } from '../bank-error.ts';
import { type BankRef, type BankReport, type BankVerdict, UNREPORTED } from '../bank-payment.ts';
import type { FailureReader, ReportedFailure } from '../bank-words.ts';
import { type MethodWords, paidBy, payerOf } from '../method.ts';
import { kopecksOfRoubles } from '../roubles.ts';
import { signatureOf } from '../sign-key.ts';

/** The bank's word for something that it does not have; another word says what. */
const NOT_FOUND = 'ENTITY_NOT_FOUND';
const UNKNOWN_SHOP: readonly unknown[] = ['MERCHANT_NOT_FOUND', 'MERCHANT_SITE_NOT_FOUND'];
/** The bank's word for a function not switched on for the site: the credentials are right. */
const SWITCHED_OFF = 'FEATURE_DISABLED_FOR_MERCHANT_SITE';
/** The bank's word for values that it refuses. No source shows how it refuses an order id that it has already: probably so. */
const INVALID = 'REQUEST_VALIDATION_ERROR';
const LOCKED = 423;
const CREDENTIALS: readonly number[] = [401, 403];

/** An error that is not in the bank's form: its documentation advises to repeat the call. */
function foreignFailure(status: number, text: unknown): ReportedFailure | null {
  return status < 400 || CREDENTIALS.includes(status) ? null : { code: 'unreachable', text };
}

const failureOf: FailureReader = ({ code, message, Errors: errors }, status) => {
  if (typeof code !== 'string' || !Array.isArray(errors)) return foreignFailure(status, message);
  const [kind, words] = [memberOf(errors[0], 'errorCode'), memberOf(errors[0], 'message')];
  const isOff = kind === SWITCHED_OFF;
  return {
    code: status === LOCKED ? 'unreachable' : 'refused',
    bankCode: typeof kind === 'string' ? `${message} (${kind})` : message,
    text: isOff ? `the bank has not switched this on for the site: ask its manager for it (${words})` : words,
    isDuplicate: message === INVALID,
    isUnauthorized: UNKNOWN_SHOP.includes(kind) || (CREDENTIALS.includes(status) && !isOff),
  };
};

/** Whether the bank does not know the shop: the company or the site. */
export const isUnknownShop = ({ bankCode }: BankError): boolean =>
  UNKNOWN_SHOP.some((kind) => bankCode === `${NOT_FOUND} (${kind})`);
export const isAboutSignature = ({ bankCode }: BankError): boolean =>
  bankCode?.includes('(SIGNATURE_VERIFICATION_ERROR)') === true;
/** Whether the bank has nothing under the id that was asked about. */
export const isNotFound = (error: unknown): error is BankError =>
  isRefused(error) && error.bankCode?.startsWith(NOT_FOUND) === true;

/** Whether the bank calls the request wrong without saying more. */
export const isInvalid = (error: unknown): error is BankError =>
  isRefused(error) && error.bankCode?.startsWith(INVALID) === true;

export const isNoPayment = (error: unknown): boolean =>
  isNotFound(error) && error.bankCode === `${NOT_FOUND} (PAYMENT_NOT_FOUND)`;

/** An amount as the bank writes it. */
export const Money = Type.Object({ amount: Type.Unknown(), currency: Type.Unknown() });
/** @param kopecks a whole number */
export const moneyOf = (kopecks: number): Static<typeof Money> => ({ amount: roublesOf(kopecks), currency: 'RUB' });

export const Status = Type.Object({
  value: Type.String(),
  changedDateTime: OptionalValue,
  reasonCode: OptionalValue,
  reasonMessage: OptionalValue,
});

/** The payment method: each has its operation's id under a name of its own. */
export const Method = Type.Object({
  type: OptionalValue,
  nspkTransactionId: OptionalValue,
  operationId: OptionalValue,
  rrn: OptionalValue,
});
export const operationOf = ({ nspkTransactionId, operationId, rrn }: Static<typeof Method>): string | null =>
  idIn(nspkTransactionId) ?? idIn(operationId) ?? idIn(rrn);

/** Types of `paymentMethod`, and of a refund's. */
export const METHOD_WORDS: MethodWords = {
  sbp: 'sbp',
  sbp_token: 'sbp',
  sbp_cash_register_qrc: 'sbp',
  sbp_customer_presented_qr: 'sbp',
  digital_ruble: 'digital-rouble',
  digital_ruble_cash_register_qrc: 'digital-rouble',
  card: 'card',
  saved_card: 'card',
};
export class TochkaClient {
  readonly #client: BankClient;
  /** The client for signed calls: the bank wants calls that move money signed. */
  readonly #signing: BankClient;
  readonly #site: string;
  /** The bank's base address. */
  readonly address: string;

  /** @param signKey RSA; the bank has its public half */
  constructor(address: BankAddress, siteUid: string, token: string, signKey: KeyObject) {
    this.address = address.baseUrl;
    this.#site = `/v1.0/sites/${encodeURIComponent(siteUid)}`;
    const options = { ...address, failureOf, secrets: [token], headers: { authorization: `Bearer ${token}` } };
    this.#client = new BankClient(options);
    this.#signing = new BankClient({ ...options, sign: (body) => ({ signature: signatureOf(body, signKey) }) });
  }

  /** @param path below the site @throws {BankError} */
  get<Shape extends TSchema>(path: string, expected: Expected<Shape>, signal: AbortSignal): Promise<Static<Shape>> {
    return this.#client.call({ method: 'GET', path: this.#site + path }, expected, signal);
  }

  /** @throws {BankError} */
  post<Shape extends TSchema>(
    path: string,
    data: object,
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    return this.#client.call({ method: 'POST', path: this.#site + path, body: { Data: data } }, expected, signal);
  }

  /** Sends a signed call, once. @throws {BankError} */
  postSigned<Shape extends TSchema>(
    path: string,
    data: object,
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    const call = { method: 'POST', path: this.#site + path, body: { Data: data }, isOnce: true } as const;
    return this.#signing.call(call, expected, signal);
  }

  close(): void {
    this.#client.close();
    this.#signing.close();
  }
}

/** A payment by a code, in Tochka's answer. */
const Payment = Type.Object({
  paymentUid: BankId,
  status: Status,
  amount: Money,
  refundedAmount: maybe(Money),
  isTest: OptionalValue,
  paymentMethod: Type.Object({
    ...Method.properties,
    qrcId: OptionalValue,
    merchantQrcId: OptionalValue,
    payerPhoneNumber: OptionalValue,
  }),
});
export type Payment = Static<typeof Payment>;
export const PAYMENTS = {
  shape: Type.Object({
    Data: Type.Array(Payment),
    Meta: Type.Optional(Type.Object({ totalPages: Type.Optional(Type.Integer()) })),
  }),
  otherwise: 'the bank returned no list of payments by the code',
};

const PAID = 'COMPLETED';
export const isPaid = ({ status }: Payment): boolean => status.value === PAID;
export const operationIdOf = ({ paymentMethod }: Payment): string | null => operationOf(paymentMethod);
const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  [PAID, 'accepted'],
  ['WAITING', 'processing'],
  ['DECLINED', 'rejected'],
]);
/** Which of several payments by one code counts, as when one is declined and the next is not. */
const FIRST_COUNTS: readonly BankVerdict[] = ['accepted', 'processing', 'rejected'];

function verdictOf(payments: readonly Payment[]): BankVerdict {
  const verdicts = payments.map(({ status }) => VERDICTS.get(status.value) ?? 'processing');
  return FIRST_COUNTS.find((verdict) => verdicts.includes(verdict)) ?? 'pending';
}

export function reportOf({ id }: BankRef, payments: readonly Payment[]): BankReport {
  const verdict = verdictOf(payments);
  const [paid, ...again] = payments.filter(isPaid);
  const paidAgain = again.reduce((sum, { amount }) => sum + kopecksOfRoubles(amount.amount), 0);
  const named = payments.flatMap(({ paymentMethod }) => reported(paymentMethod.qrcId)).map(String);
  const report: BankReport = {
    ...UNREPORTED,
    verdict,
    ids: named.length > 0 ? named : [id], // payments that name no code are of the code that was asked about
    amounts: payments.map(({ amount }) => kopecksOfRoubles(amount.amount)),
    currencies: payments.map(({ amount }) => String(amount.currency)),
    orderIds: payments.flatMap(({ paymentMethod }) => reported(paymentMethod.merchantQrcId)).map(String),
  };
  if (paid === undefined) return report;
  const { paymentMethod: method, refundedAmount, status } = paid;
  return {
    ...report,
    ...(again.length > 0 && { paidAgain }),
    trxId: operationIdOf(paid),
    paidAt: timestampIn(status.changedDateTime),
    refunded: finiteOf(kopecksOfRoubles(refundedAmount?.amount)),
    payer: payerOf({ phone: method.payerPhoneNumber }),
    paidBy: paidBy(method.type, METHOD_WORDS),
  };
}
