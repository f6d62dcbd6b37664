/** Asks the payment's bank about a refund, and returns its progress, or why there is none. */

import {
  BankError,
  type BankPool,
  bankMessage,
  type CallLimits,
  isRefused,
  type RefundOrder,
  type RefundReport,
} from '../../banks/index.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import type { PaymentRow } from '../model/payment-row.ts';
import { isUnderWay, type Refund, type RefundProgress } from '../model/refund.ts';
import type { RefundLedger } from '../money/refund-ledger.ts';

/**
 * - `nothing`: the bank has answered that it does not have the refund
 * - `unreported`: the bank cannot be asked about a single refund
 * - `silent`: the bank can be asked, and does not answer now
 */
export type NoReport = 'nothing' | 'unreported' | 'silent';

export type RefundBanks = Pick<BankPool, 'ask' | 'findRefund' | 'refund' | 'refundStatus'>;

export class RefundQuestions {
  readonly #clock: Pick<Clock, 'wall'>;
  readonly #refunds: RefundLedger;
  readonly #banks: RefundBanks;
  readonly #limits: CallLimits;
  readonly #log: LogLine;

  constructor(clock: Pick<Clock, 'wall'>, refunds: RefundLedger, banks: RefundBanks, limits: CallLimits, log: LogLine) {
    this.#clock = clock;
    this.#refunds = refunds;
    this.#banks = banks;
    this.#limits = limits;
    this.#log = log;
  }

  /**
   * Asks the bank to make the refund, or for the state of one that it has accepted.
   * @param isRepeated whether it may have been sent to the bank before
   */
  async ask(refund: Refund, payment: PaymentRow, isRepeated: boolean): Promise<RefundProgress> {
    try {
      const order = this.#orderOf(refund, payment, { isRepeated });
      const report =
        refund.state === 'pending'
          ? await this.#banks.refundStatus(payment, order, this.#limits)
          : await this.#banks.refund(payment, order, this.#limits);
      return progressOf(refund, report, payment, this.#clock.wall());
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      const { orderId, refundId } = refund;
      this.#log('the bank gave no answer about a refund', {
        orderId,
        refundId,
        code: error.code,
        reason: error.message,
      });
      return failedProgress(refund, error, isRepeated, this.#clock.wall());
    }
  }

  /** Asks the bank for the state of a refund; never asks to make it. */
  async find(refund: Refund, payment: PaymentRow): Promise<RefundProgress | NoReport> {
    try {
      const report = await this.#banks.findRefund(
        payment,
        this.#orderOf(refund, payment, { isRepeated: true }),
        isUnderWay(refund),
        this.#limits,
      );
      return typeof report === 'string' ? report : progressOf(refund, report, payment, this.#clock.wall());
    } catch (error) {
      this.#logSilence(refund, error);
      return 'silent';
    }
  }

  /**
   * Kopecks of the payment that have gone back in all; `going back` where some are on their way.
   * @returns `unreported` where the bank reports no sum, `silent` where it does not answer
   */
  async sum(refund: Refund, payment: PaymentRow): Promise<number | 'going back' | 'unreported' | 'silent'> {
    try {
      const report = await this.#banks.ask(payment, this.#limits);
      if (report?.isGoingBack === true) return 'going back';
      const sum = report?.refunded ?? null;
      return sum !== null && Number.isSafeInteger(sum) ? sum : 'unreported';
    } catch (error) {
      this.#logSilence(refund, error);
      return isRefused(error) ? 'unreported' : 'silent';
    }
  }

  /** @throws any error that is not a `BankError` */
  #logSilence({ orderId, refundId }: Refund, error: unknown): void {
    if (!(error instanceof BankError)) throw error;
    const { code, message: reason } = error;
    this.#log('the bank does not report the state of a refund', { orderId, refundId, code, reason });
  }

  #orderOf(refund: Refund, payment: PaymentRow, { isRepeated }: Pick<RefundOrder, 'isRepeated'>): RefundOrder {
    const earlier = this.#refunds.of(payment.orderId).filter(({ id }) => id < refund.id);
    return {
      ref: payment.ref ?? { id: '' },
      orderId: payment.orderId,
      trxId: payment.trxId,
      paidBy: payment.paidBy,
      paid: payment.amount,
      refundedBefore: refund.refundedBefore,
      refundId: refund.refundId,
      amount: refund.amount,
      bankRefundId: refund.bankRefundId,
      earlierAmounts: earlier.map(({ amount }) => amount),
      refusedAmounts: earlier.filter(wasRefused).map(({ amount }) => amount),
      isRepeated,
    };
  }
}

/** Whether the bank or a person refused it. */
const wasRefused = ({ state, told }: Refund): boolean => state === 'refused' || told === 'refused';

function progressOf(refund: Refund, report: RefundReport, payment: PaymentRow, now: number): RefundProgress {
  const { state, reason, trxId = null } = report;
  const bankRefundId = report.bankRefundId ?? refund.bankRefundId;
  const asPaid = state === 'done' && payment.paidBy !== null ? { ...payment.paidBy, word: null } : null;
  const way = { paidBy: report.paidBy ?? asPaid, trxId };
  return { state, bankRefundId, reason, endedAt: state === 'pending' ? null : now, way };
}

/**
 * HTTP 429: the bank has done nothing (RFC 6585, 4), so the till may ask again with another id. An answer to the
 * look-up after the refund call does not come here.
 */
const TOO_MANY_REQUESTS = 429;

/**
 * The progress after a refusal. It decides nothing for a refund that may have been sent before: the bank may refuse
 * because it has made it already.
 */
function failedProgress(refund: Refund, error: BankError, isRepeated: boolean, now: number): RefundProgress {
  const { bankRefundId } = refund;
  const reason = bankMessage(error);
  const isUndone = error.code === 'refused' || error.status === TOO_MANY_REQUESTS;
  if (isUndone && !isRepeated) return { state: 'refused', bankRefundId, reason, endedAt: now };
  return { state: refund.state === 'pending' ? 'pending' : 'unknown', bankRefundId, reason, endedAt: null };
}
