/** Calls to Raiffeisenbank: the key, what it says of failures, refunds, and timestamps by its own clock. */
import { type Static, Type } from 'typebox';
import { BankError, type RefundOrder, type RefundReport } from '../bank.ts';
import { refundOnce, requireRefunded, unless } from '../bank-calls.ts';
import { type BankCall, BankClient, type BankClientOptions } from '../bank-client.ts';
import { OptionalValue } from '../http-answer.ts';
import type { FailureReader } from '../reported-failure.ts';
import { kopecksOfRoubles, moscowTime } from '../roubles.ts';

const MINUTE_MS = 60_000;
/** Only the header `Date` of the answer is used, so the call may be any. */
const ASK_THE_TIME: BankCall = { method: 'GET', path: '/api/sbp/v2/qrs/time' };

/** An error has a code; in v1 a success has one, too. */
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

/** Who is paid. */
export interface PaidTo {
  readonly sbpMerchantId: string;
  /** The account that is paid to; the merchant's own where it is left out. */
  readonly account?: string;
}

/** Where a refund is asked for. */
export interface RefundCalls {
  readonly ask: BankCall;
  readonly lookUp: BankCall;
}

/** Whether an error is the bank's refusal with a code that ends with one of `codes`. */
export const isRefusal = (error: unknown, ...codes: readonly string[]): error is BankError =>
  error instanceof BankError && error.code === 'refused' && codes.some((code) => error.bankCode?.endsWith(code));

/** Of a cancellation: neither its answer nor the code of its refusal says whether anybody can still pay. */
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

  /** When a code ends, as the bank takes it. @param ttl minutes @throws {BankError} */
  async expiry(ttl: number, signal: AbortSignal): Promise<string> {
    return moscowTime((await this.now(ASK_THE_TIME, signal)) + ttl * MINUTE_MS);
  }

  /** Our id of a refund is the bank's, too: one that it has is not asked for again. @throws {BankError} */
  async refund(refund: RefundOrder, calls: RefundCalls, signal: AbortSignal): Promise<RefundReport> {
    return refundOnce(refund, {
      lookUp: () => this.findRefund(refund, calls, signal),
      ask: async () => refundReport(await this.call({ ...calls.ask, isOnce: true }, REFUND, signal), refund),
    });
  }

  /** @throws {BankError} */
  async refundStatus(refund: RefundOrder, calls: RefundCalls, signal: AbortSignal): Promise<RefundReport> {
    return refundReport(await this.call(calls.lookUp, REFUND, signal), refund);
  }

  /** Null where the bank has none of our id. @throws {BankError} */
  findRefund(refund: RefundOrder, calls: RefundCalls, signal: AbortSignal): Promise<RefundReport | null> {
    // it does not matter what was not found: the same id, sent again, refunds once
    return unless((error) => isRefusal(error, 'NOT_FOUND'), this.refundStatus(refund, calls, signal));
  }
}
