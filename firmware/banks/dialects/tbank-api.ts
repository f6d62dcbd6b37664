/** Calls T-Bank: JSON with a token; the bank refuses with HTTP 200. */

import { createHash } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import type { Fields } from '../../../drivers/lib/strict-json.ts';
import { BankId, OptionalValue } from '../answer-fields.ts';
import { type BankAddress, BankClient, type Expected } from '../bank-client.ts';
import { BankError } from '../bank-error.ts';
import { type BankVerdict, CANCEL_OUTCOMES, type CancelOutcome } from '../bank-payment.ts';
import type { FailureReader } from '../bank-words.ts';

export interface TBankOptions extends BankAddress {
  readonly terminalKey: string;
  readonly password: string;
}

export type Method = 'Init' | 'GetQr' | 'GetState' | 'CheckOrder' | 'Cancel' | 'GetQrState';

/** Id of a payment: a text in some answers, a number in others. */
export const PaymentId = Type.Union([BankId, Type.Integer({ minimum: 1 })]);

const State = Type.Object({
  PaymentId,
  Status: Type.String(),
  Amount: Type.Unknown(),
  OrderId: Type.Unknown(),
  /** Pairs of `Key` and `Value`. */
  Params: OptionalValue,
});
/** The bank's state of a payment. */
export type State = Static<typeof State>;

const STATE = { shape: State, otherwise: 'the bank returned no state of the payment' };

/**
 * Code of an inner error without details: the bank may have done what it was asked. Wrong parameters have the same
 * code.
 */
const OPAQUE = '9999';
const WRONG_PARAMETERS = /^Неверные параметры/;

/** Codes of a wrong token, both with the same words. */
const WRONG_TOKEN = ['204', '205'] as const;
const WRONG_TOKEN_HINT = 'terminalKey and password of the bank profile do not belong together';
export const UNKNOWN_TERMINAL = '501';
/** The meaning of refusals whose own words do not tell it. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['12', "by the bank's clock the code's life would end too soon or too late: set the clock of this device"],
  ...WRONG_TOKEN.map((code) => [code, WRONG_TOKEN_HINT] as const),
  [UNKNOWN_TERMINAL, 'the bank knows no terminal of this terminalKey'],
]);

/** Whether a value is true: the bank sometimes writes it as a text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

function failureOf({ Success, ErrorCode, Message, Details }: Fields): ReturnType<FailureReader> {
  const code = typeof ErrorCode === 'number' || typeof ErrorCode === 'string' ? String(ErrorCode) : null;
  if (Success === undefined && code === null) return null;
  if (isTrue(Success) && (code === null || code === '0')) return 'success';
  const words = [Message, Details].filter((word) => typeof word === 'string' && word.trim() !== '');
  const hint = HINTS.get(code ?? '');
  const isOpaque = code === OPAQUE && !WRONG_PARAMETERS.test(String(Message));
  return {
    code: isOpaque ? 'unreachable' : 'refused',
    bankCode: code,
    text: [...new Set(words), ...(hint === undefined ? [] : [hint])].join(': '),
    ...(WRONG_TOKEN.some((each) => each === code) && { isUnauthorized: true }),
  };
}

export class TBankApi {
  readonly #client: BankClient;
  readonly #terminalKey: string;
  readonly #password: string;

  constructor({ baseUrl, terminalKey, password, tls }: TBankOptions) {
    this.#terminalKey = terminalKey;
    this.#password = password;
    this.#client = new BankClient({ baseUrl, tls, secrets: [password], failureOf });
  }

  /** @throws {BankError} */
  call<Shape extends TSchema>(
    method: Method,
    body: Scalars,
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    return this.#client.call(this.#signed(method, body), expected, signal);
  }

  /** @throws {BankError} `contradiction` for an answer about another payment */
  async state(id: string, signal: AbortSignal): Promise<State> {
    const state = await this.call('GetState', { PaymentId: id }, STATE, signal);
    if (String(state.PaymentId) !== id) {
      throw new BankError('contradiction', 'the bank returned the state of another payment');
    }
    return state;
  }

  /** The timestamp by the bank's clock, ms since 1970. @throws {BankError} `unreachable` */
  now(orderId: string, signal: AbortSignal): Promise<number> {
    return this.#client.now(this.#signed('CheckOrder', { OrderId: orderId }), signal);
  }

  close(): void {
    this.#client.close();
  }

  #signed(method: Method, fields: Scalars) {
    const body = { TerminalKey: this.#terminalKey, ...fields };
    return {
      method: 'POST',
      path: `/${method}`,
      body: { ...body, Token: tokenOf(body, this.#password) },
      // a repeated call would be another payment, or another refund
      isOnce: method === 'Init' || method === 'Cancel',
    } as const;
  }
}

// The signature of T-Bank's calls. Source: the bank's own description, whose example the tests compute again.

/** Fields at the root of a call; nested ones are not signed. */
type Scalars = Readonly<Record<string, string | number | boolean>>;

/** The token: SHA-256, in hexadecimal, over the values and the password, sorted by their names. */
export function tokenOf(body: Scalars, password: string): string {
  const values = Object.entries({ ...body, Password: password })
    .filter(([name]) => name !== 'Token')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => String(value));
  return createHash('sha256').update(values.join(''), 'utf8').digest('hex');
}

/** What T-Bank's states of a payment mean. Source: the bank's OpenAPI 1.80 and its manual of the same interface. */
const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['NEW', 'pending'],
  ['FORM_SHOWED', 'pending'],
  ['PREAUTHORIZING', 'processing'],
  ['AUTHORIZING', 'processing'],
  ['3DS_CHECKING', 'processing'],
  ['3DS_CHECKED', 'processing'],
  ['PAY_CHECKING', 'processing'],
  ['AUTHORIZED', 'processing'],
  ['CONFIRMING', 'processing'],
  ['CONFIRM_CHECKING', 'processing'],
  ['CONFIRMED', 'accepted'],
  ['REFUNDING', 'accepted'],
  ['ASYNC_REFUNDING', 'accepted'],
  ['PARTIAL_REFUNDED', 'accepted'],
  ['REFUNDED', 'accepted'],
  ['REJECTED', 'rejected'],
  ['AUTH_FAIL', 'rejected'],
  ['ATTEMPTS_EXPIRED', 'rejected'],
  ['CANCELED', 'canceled'],
  ['DEADLINE_EXPIRED', 'canceled'],
  ['REVERSED', 'canceled'],
]);

export const verdictOf = (state: string): BankVerdict => VERDICTS.get(state) ?? 'processing';

/** States of money that goes back. */
const GOING_BACK: readonly string[] = ['REFUNDING', 'ASYNC_REFUNDING'];
const WHOLLY_BACK = 'REFUNDED';
const PARTLY_BACK = 'PARTIAL_REFUNDED';

export const isGoingBack = (state: string): boolean => GOING_BACK.includes(state);
export const isWhollyBack = (state: string): boolean => state === WHOLLY_BACK;
export const isPartlyBack = (state: string): boolean => state === PARTLY_BACK;
export const isPaidWhole = (state: string): boolean => state === 'CONFIRMED';

/** Whether a payment may be cancelled: in any later state the same call makes a refund. */
const isUntouched = (state: string): boolean => state === 'NEW' || state === 'FORM_SHOWED';

/** The outcome of a cancellation that need not be sent, by the payment's state; null: send it. */
export function outcomeBefore(state: string): CancelOutcome | null {
  if (isUntouched(state)) return null;
  if (isGoingBack(state) || isWhollyBack(state)) return 'refunded';
  const verdict = VERDICTS.get(state);
  return verdict === undefined ? 'not-possible' : CANCEL_OUTCOMES[verdict];
}

/** States of money that was paid, or held, when the cancellation came. */
const TAKEN_BACK: readonly string[] = [PARTLY_BACK, 'REVERSING', 'PARTIAL_REVERSED', 'REVERSED'];

/** The outcome after a cancellation was sent: it returned what was paid meanwhile. */
export const outcomeAfter = (state: string): CancelOutcome | null =>
  TAKEN_BACK.includes(state) ? 'refunded' : outcomeBefore(state);
