/** Calls Raiffeisenbank: its key, its failures, refunds, and times by the bank's clock. */
import { type Static, Type } from 'typebox';
import { OptionalValue } from '../answer-fields.ts';
import { nullWhere, refundOnce, requireRefunded } from '../bank-calls.ts';
import { BankClient, type BankClientOptions } from '../bank-client.ts';
import type { BankCall } from '../bank-connection.ts';
import { BankError } from '../bank-error.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import type { FailureReader } from '../bank-words.ts';
import { kopecksOfRoubles, moscowTime } from '../roubles.ts';

const MINUTE_MS = 60_000;
/** Only the header `Date` of the answer is used, so the call may be any. */
const ASK_THE_TIME: BankCall = { method: 'GET', path: '/api/sbp/v2/qrs/time' };

/** Reads a failure. An error has a code; in v1 a success has one, too. */
const failureOf: FailureReader = ({ code, message }) => {
  if (typeof code !== 'string') return null;
  if (code === 'SUCCESS') return 'success';
  // this code means that the order is registered and paid; an unpaid order may be registered again
  const isDuplicate = code === 'ERROR.ORDER_NUMBER_ALREADY_REGISTERED';
  return { code: 'refused', bankCode: code, text: message, isDuplicate };
};

const RefundAnswer = Type.Object({ refundStatus: Type.String(), amount: OptionalValue });
const REFUND = { shape: RefundAnswer, otherwise: 'the bank returned no state of the refund' };

const REFUND_STATES: ReadonlyMap<string, RefundReport['state']> = new Map([
  ['COMPLETED', 'done'],
  ['DECLINED', 'refused'],
]);

/** The payee. */
export interface PaidTo {
  readonly sbpMerchantId: string;
  /** The account to pay to; the merchant's own where left out. */
  readonly account?: string;
}

/** The calls for one refund: to make it, and to look it up. */
export interface RefundCalls {
  readonly ask: BankCall;
  readonly lookUp: BankCall;
}

/** Whether an error is the bank's refusal with a code that ends with one of `codes`. */
export const isRefusal = (error: unknown, ...codes: readonly string[]): error is BankError =>
  error instanceof BankError && error.code === 'refused' && codes.some((code) => error.bankCode?.endsWith(code));

/** The answer to a cancellation: neither it nor a refusal's code says whether anybody can still pay. */
export const CANCELLATION = {
  shape: Type.Object({}),
  otherwise: 'the bank did not cancel the payment',
  mayBeEmpty: true,
};

function refundReport({ refundStatus, amount }: Static<typeof RefundAnswer>, refund: RefundOrder): RefundReport {
  if (amount !== undefined && amount !== null) requireRefunded(kopecksOfRoubles(amount), refund);
  const state = REFUND_STATES.get(refundStatus) ?? 'pending';
  return { state, bankRefundId: refund.refundId, reason: state === 'refused' ? 'the bank declined the refund' : null };
}

export class RaiffeisenClient extends BankClient {
  constructor(options: BankClientOptions, secretKey: string) {
    super({ ...options, failureOf, secrets: [secretKey], headers: { authorization: `Bearer ${secretKey}` } });
  }

  /** The end of a code in the bank's form. @param ttl minutes @throws {BankError} */
  async expiry(ttl: number, signal: AbortSignal): Promise<string> {
    return moscowTime((await this.now(ASK_THE_TIME, signal)) + ttl * MINUTE_MS);
  }

  /** Makes a refund. The bank takes our id: it does not make the same refund twice. @throws {BankError} */
  async refund(refund: RefundOrder, calls: RefundCalls, signal: AbortSignal): Promise<RefundReport> {
    return refundOnce(refund, {
      find: () => this.findRefund(refund, calls, signal),
      ask: async () => refundReport(await this.call({ ...calls.ask, isOnce: true }, REFUND, signal), refund),
    });
  }

  /** @throws {BankError} */
  async refundStatus(refund: RefundOrder, calls: RefundCalls, signal: AbortSignal): Promise<RefundReport> {
    return refundReport(await this.call(calls.lookUp, REFUND, signal), refund);
  }

  /** Finds a refund by our id; null where the bank has none. @throws {BankError} */
  findRefund(refund: RefundOrder, calls: RefundCalls, signal: AbortSignal): Promise<RefundReport | null> {
    // it does not matter what was not found: the same id, sent again, refunds once
    return nullWhere((error) => isRefusal(error, 'NOT_FOUND'), this.refundStatus(refund, calls, signal));
  }
}
