/**
 * Calls to Gazprombank's gateway (SBPGate). No official document of it is public. Sources: the till of Crystals (Set10, 2021)
 * and a payment service of Sogaz (2025). They differ on where the state of a code is asked for: the newer is tried first.
 */
import { type Static, Type } from 'typebox';
import { maybe, OptionalValue } from '../answer-fields.ts';
import { BankClient, type BankClientOptions } from '../bank-client.ts';
import type { BankCall } from '../bank-connection.ts';
import { BankError } from '../bank-error.ts';
import { bankLine, type FailureReader } from '../bank-words.ts';

/** The only code of a success. */
const SUCCESS = '000';
/** Codes of one payment's success: the gateway's, or the payment system's passed on. */
const PAYMENT_SUCCESS: readonly unknown[] = [undefined, null, SUCCESS, 'RQ00000'];

const failureOf: FailureReader = ({ code, message }) => {
  if (code === SUCCESS) return 'success';
  return code === undefined ? null : { code: 'refused', bankCode: code, text: message };
};

const StatusAnswer = Type.Object({
  code: Type.Literal(SUCCESS),
  data: Type.Array(
    Type.Object({
      qrcId: Type.String(),
      status: maybe(Type.String()),
      code: OptionalValue,
      message: OptionalValue,
      amount: OptionalValue,
      currency: OptionalValue,
      trxId: maybe(Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});
type CodeStates = Static<typeof StatusAnswer>['data'];
const STATUS = { shape: StatusAnswer, otherwise: 'the bank returned no state of the code' };

type StatusPath = Pick<BankCall, 'method' | 'path'>;
const NEW_PATH: StatusPath = { method: 'POST', path: '/merchant/qrc-status' };
const OLD_PATH: StatusPath = { method: 'PUT', path: '/payment/v1/qrc-status' };

export interface GazprombankClientOptions extends BankClientOptions {
  /** The bank's id of the company, sent with each call; not sent where left out. */
  readonly login?: string;
  readonly password?: string;
}

export class GazprombankClient extends BankClient {
  constructor({ login, password, ...options }: GazprombankClientOptions) {
    const secrets = password === undefined ? [] : [password];
    const headers = { ...(login !== undefined && { login }), ...(password !== undefined && { password }) };
    super({ ...options, failureOf, secrets, headers });
  }

  /** @throws {BankError} */
  async states(qrcId: string, signal: AbortSignal): Promise<CodeStates> {
    const body = { qrcIds: [qrcId] };
    return (await this.callEither({ ...NEW_PATH, body }, { ...OLD_PATH, body }, STATUS, signal)).data;
  }

  /** Refuses a state beside an error: neither can be believed. @throws {BankError} `contradiction` */
  requireGood({ code }: CodeStates[number]): void {
    if (PAYMENT_SUCCESS.includes(code)) return;
    const bankCode = bankLine(code, this.secrets);
    throw new BankError('contradiction', 'the bank returned a state of the code together with an error', { bankCode });
  }

  /** The error of a code without a state. */
  unknownCode({ code, message }: CodeStates[number]): BankError {
    const text = bankLine(message, this.secrets);
    const bankCode = bankLine(code, this.secrets);
    return new BankError('refused', `the bank returned no state of the code${text === null ? '' : ` (${text})`}`, {
      bankCode,
    });
  }
}
