/**
 * Calls the RBS gateway: a form with login and password, or the same as JSON where the bank runs its successor; it refuses
 * with HTTP 200 and an error code.
 */
import { type Static, type TSchema, Type } from 'typebox';
import type { Fields } from '../../../drivers/lib/strict-json.ts';
import { OptionalValue } from '../answer-fields.ts';
import { nullWhere } from '../bank-calls.ts';
import { type BankAddress, BankClient, type BankClientOptions, type Expected } from '../bank-client.ts';
import { BankError } from '../bank-error.ts';
import type { FailureReader } from '../bank-words.ts';

/** The login and the address; `baseUrl` ends before the name of a call. */
export interface RbsLogin extends BankAddress, Pick<BankClientOptions, 'log'> {
  readonly userName: string;
  readonly password: string;
  /** The merchant for whom the login acts. */
  readonly merchantLogin?: string;
  /** Whether it takes JSON alone, as the successor of the gateway does. */
  readonly isJson?: boolean;
}

export type Form = Readonly<Record<string, string>>;

/** A call, one of several ways to ask for the same thing. */
export interface Way {
  readonly path: string;
  readonly form: Readonly<Record<string, unknown>>;
  /** True for a call that must not happen twice: it is not sent again where a kept connection breaks. */
  readonly isOnce?: boolean;
}

/**
 * Error of a registration: the order number exists already. In other calls it is some other refusal, and does not
 * matter.
 */
const DUPLICATE = '1';
export const UNKNOWN_ORDER = '6';
/** An error within the gateway, which uses the same code for wrong states and sums. */
const INTERNAL = '7';
const INTERNAL_WORDS = /систем|system/i;

/** Error of a refused login; wrong values have the same code. */
const DENIED = '5';
const DENIED_WORDS = /доступ|access/i;
const DENIED_HINT = 'look at userName and password of the bank profile';

const UNSUPPORTED_MEDIA_TYPE = 415;
const NO_FORMS =
  'it takes no forms, so it is the newer gateway: Sber has it as "gateway": "partner" of the profile; of other banks only the older one works';

function failureOf({ errorCode, errorMessage }: Fields, status: number): ReturnType<FailureReader> {
  if (status === UNSUPPORTED_MEDIA_TYPE) return { code: 'refused', text: NO_FORMS };
  if (typeof errorCode !== 'string' && typeof errorCode !== 'number') return null;
  const code = String(errorCode);
  if (code === '0') return 'success';
  const words = typeof errorMessage === 'string' ? errorMessage.trim() : '';
  const isInternal = code === INTERNAL && (words === '' || INTERNAL_WORDS.test(words));
  const isDenied = code === DENIED && DENIED_WORDS.test(words);
  return {
    code: isInternal ? 'unreachable' : 'refused',
    bankCode: code,
    text: isDenied ? `${words}: ${DENIED_HINT}` : words,
    isDuplicate: code === DUPLICATE,
    ...(isDenied && { isUnauthorized: true }),
  };
}

/** The newer gateway gives numbers other meanings, and no table of them is public: all but success is recognised by its words. */
const UNKNOWN_WORDS =
  /заказ\S* не найден|не найден заказ|номер\S* заказа не|неверный (?:номер|идентификатор) заказа|order not found/i;
const TAKEN_WORDS = /заказ с таким номером уже|already (?:exists|processed|registered)/i;
const LOGIN_WORDS = /доступ|логин|парол|access|login|password|credential/i;
const LATER_WORDS = /систем|внутрен|временн|позже|system|internal|temporar|later/i;

function failureInWords({ errorCode, errorMessage }: Fields): ReturnType<FailureReader> {
  if (typeof errorCode !== 'string' && typeof errorCode !== 'number') return null;
  const bankCode = String(errorCode);
  if (bankCode === '0') return 'success';
  const words = typeof errorMessage === 'string' ? errorMessage.trim() : '';
  const isDenied = LOGIN_WORDS.test(words);
  return {
    code: words === '' || (!isDenied && LATER_WORDS.test(words)) ? 'unreachable' : 'refused',
    bankCode,
    text: isDenied ? `${words}: ${DENIED_HINT}` : words,
    isDuplicate: TAKEN_WORDS.test(words),
    ...(isDenied && { isUnauthorized: true }),
  };
}

const OrderState = Type.Object({
  orderNumber: Type.Unknown(),
  orderStatus: Type.Integer(),
  amount: Type.Unknown(),
  currency: OptionalValue,
  actionCode: OptionalValue,
  authRefNum: OptionalValue,
  bankInfo: OptionalValue,
  paymentWay: OptionalValue,
  authDateTime: OptionalValue,
  depositedDate: OptionalValue,
  transactionAttributes: OptionalValue,
  attributes: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.Unknown() }))),
  paymentAmountInfo: Type.Optional(Type.Object({ depositedAmount: OptionalValue, refundedAmount: OptionalValue })),
  refunds: Type.Optional(Type.Array(Type.Object({ externalRefundId: OptionalValue }))),
});
/** The answer of `getOrderStatusExtended.do`. */
export type OrderState = Static<typeof OrderState>;

const ORDER = { shape: OrderState, otherwise: 'the bank returned no state of the order' };

/** The answer of a call without a result: any object, which may say success or not. */
export const DONE_ANSWER = {
  shape: Type.Object({ errorCode: OptionalValue, rejected: OptionalValue }),
  otherwise: 'the bank did not report whether it has done what was requested',
};

/** Whether the gateway says that it did what it was asked: `no error` says so, an answer without the field does not. */
export const reportsDone = ({ errorCode }: Static<typeof DONE_ANSWER.shape>): boolean =>
  errorCode === 0 || errorCode === '0';

/** The gateway's ids of the order. */
export function idsOf({ attributes = [] }: OrderState): string[] {
  return attributes.filter(({ name }) => name === 'mdOrder').map(({ value }) => String(value));
}

export class RbsApi {
  /** The merchant for whom the login acts, for the calls that need it. */
  readonly merchant: Form;
  readonly #client: BankClient;
  readonly #login: RbsLogin;

  constructor(login: RbsLogin) {
    const { baseUrl, password, tls, merchantLogin, log, isJson = false } = login;
    this.#login = login;
    this.merchant = merchantLogin === undefined ? {} : { merchantLogin };
    const reader = isJson ? failureInWords : failureOf;
    this.#client = new BankClient({ baseUrl, tls, secrets: [password], failureOf: reader, log });
  }

  /** @throws {BankError} */
  call<Shape extends TSchema>(way: Way, expected: Expected<Shape>, signal: AbortSignal): Promise<Static<Shape>> {
    return this.#client.call(this.#callOf(way), expected, signal);
  }

  /** Makes a newer call, and an older one where the gateway does not know it. @throws {BankError} */
  callEither<Shape extends TSchema>(
    newer: Way,
    older: Way,
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    return this.#client.callEither(this.#callOf(newer), this.#callOf(older), expected, signal);
  }

  /**
   * @param by `orderId`, the gateway's id, or `orderNumber`, ours @returns null for an order that the gateway does not
   * know
   */
  order(by: Form, signal: AbortSignal): Promise<OrderState | null> {
    const { isJson = false } = this.#login;
    const form = isJson ? by : { ...by, ...this.merchant }; // the newer gateway refuses fields that a call does not have
    const isUnknown = (error: unknown) => error instanceof BankError && this.isUnknown(error);
    return nullWhere(isUnknown, this.call({ path: 'getOrderStatusExtended.do', form }, ORDER, signal));
  }

  /** The order of a payment. @throws {BankError} `contradiction` for another one */
  async orderOf(id: string, signal: AbortSignal): Promise<OrderState> {
    const order = await this.order({ orderId: id }, signal);
    if (order === null) throw new BankError('refused', 'the bank does not know the payment');
    if (idsOf(order).some((reported) => reported !== id)) {
      throw new BankError('contradiction', 'the bank returned the state of another payment');
    }
    return order;
  }

  /** Whether the gateway says that it does not know the order. */
  isUnknown({ bankCode, words, code }: BankError): boolean {
    if (this.#login.isJson !== true) return bankCode === UNKNOWN_ORDER;
    return code === 'refused' && bankCode !== null && UNKNOWN_WORDS.test(words ?? '');
  }

  close(): void {
    this.#client.close();
  }

  #callOf({ path, form, isOnce = false }: Way) {
    const { userName, password, isJson = false } = this.#login;
    const fields = { userName, password, ...form };
    const content = isJson
      ? { body: fields }
      : { form: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])) };
    return { method: 'POST', path: `/${path}`, isOnce, ...content } as const;
  }
}
