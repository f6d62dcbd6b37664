/**
 * Registers a payment at a bank, step by step: repeats with the same order id after a lost answer, and looks for the
 * order where the bank can.
 */
import { pause } from '../../drivers/lib/async.ts';
import type { OnlineBank } from './bank.ts';
import { type CallLimits, callBank, isAllBack, verified } from './bank-calls.ts';
import { BankError, isRefused } from './bank-error.ts';
import type { BankRef, BankReport, Order, Registering } from './bank-payment.ts';
import { isBareLink, linkProblem, pageProblem } from './payment-link.ts';

/** Pauses before the second and the third attempt. */
const RETRY_PAUSES_MS: readonly number[] = [250, 1000];

/** A payment that the bank has registered. */
export interface RegisteredPayment {
  readonly ref: BankRef;
  /** Content of the QR code. */
  readonly payload: string;
}

/** An order that a bank may have taken before. */
export interface KnownOrder {
  readonly ref: BankRef;
  /** Kopecks of its registration: another amount than the one looked for means another sale. */
  readonly amount: number;
  readonly report: BankReport;
  /** Content of its code, where it is unpaid and the bank gives it again; else null. */
  readonly payload: string | null;
}

/**
 * Records the bank's reference of a payment, before the next step. Its error ends the registration.
 * @param payload of the code, where the bank gave it in time
 */
export type RecordRef = (ref: BankRef, payload: string | null) => void;

/** @throws {BankError} `contradiction`: such a code is never drawn, as a replaced code would send the money elsewhere */
function payloadOf(bank: OnlineBank, { code }: Registering, { amount }: Order): string | null {
  if (code === null) return null;
  const { payload, linkId, isPage = false, isPrinted = false } = code;
  if (isPrinted) return payload;
  const problem = isPage
    ? pageProblem(payload, bank.linkRule)
    : linkProblem(payload, { linkId, amount }, bank.linkRule);
  if (problem !== null) throw new BankError('contradiction', `the bank gave ${problem}; it is not shown`);
  return payload;
}

const refOf = ({ ref }: Registering, payload: string | null): BankRef =>
  payload !== null && isBareLink(payload) ? { ...ref, link: 'no-amount' } : ref;

/** Whether the bank may still do what it was asked: not where it asks us to come back later. */
const isWithoutAnswer = (error: unknown): boolean =>
  error instanceof BankError && error.code === 'unreachable' && !error.isTooMany;

/** One registration: each attempt continues where the one before stopped. */
export class Registration {
  readonly #bank: OnlineBank;
  readonly #order: Order;
  readonly #recordRef: RecordRef;
  #ref: BankRef | null = null;
  #payload: string | null = null;
  /** Whether the bank may have a payment of this order id whose answer was lost. */
  #mayExist = false;
  /** Whether an attempt was lost: the bank may carry it out after it answers the next. */
  #isLost = false;

  constructor(bank: OnlineBank, order: Order, recordRef: RecordRef) {
    this.#bank = bank;
    this.#order = order;
    this.#recordRef = recordRef;
  }

  /** @throws {BankError} */
  async goOn(signal: AbortSignal): Promise<RegisteredPayment> {
    try {
      const ref = this.#ref ?? (await this.#register(signal));
      const payload = this.#payload ?? (await this.#code(ref, signal));
      return { ref: this.#ref ?? ref, payload };
    } catch (error) {
      if (this.#isLost && isRefused(error)) {
        throw new BankError('refused', error.message, { ...error, mayHaveArrived: true, cause: error });
      }
      this.#isLost ||= isWithoutAnswer(error);
      throw error;
    }
  }

  async #register(signal: AbortSignal): Promise<BankRef> {
    return (this.#mayExist ? await this.#find(signal) : null) ?? this.#begin(signal);
  }

  async #begin(signal: AbortSignal): Promise<BankRef> {
    try {
      return this.#record(await this.#bank.begin(this.#order, signal), signal);
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      this.#mayExist = error.code === 'unreachable' || error.isDuplicate;
      const found = error.isDuplicate ? await this.#find(signal) : null;
      if (found !== null) return found;
      throw error;
    }
  }

  async #find(signal: AbortSignal): Promise<BankRef | null> {
    const found = (await this.#bank.find?.(this.#order, signal)) ?? null;
    if (found === null) return null;
    const { orderId, amount } = this.#order;
    const { verdict } = verified(found.report, { ref: found.ref, orderId, amount });
    if (verdict === 'rejected' || verdict === 'canceled') {
      throw new BankError('refused', 'the bank has ended the payment before its code was shown');
    }
    return this.#record({ ref: found.ref, code: null }, signal);
  }

  async #code(ref: BankRef, signal: AbortSignal): Promise<string> {
    const step = await this.#bank.code?.(ref, this.#order, signal);
    if (step !== undefined) this.#record(step, signal);
    if (this.#payload === null) throw new BankError('contradiction', 'the bank gave no code for the payment');
    return this.#payload;
  }

  #record(step: Registering, { aborted }: AbortSignal): BankRef {
    const payload = payloadOf(this.#bank, step, this.#order);
    const ref = refOf(step, payload);
    this.#recordRef(ref, aborted ? null : payload);
    this.#ref = ref;
    this.#payload = payload;
    return ref;
  }
}

/** Does the work, again where the bank is unreachable, within the deadline of the first attempt. @throws {BankError} */
async function withRetries<T>(work: (signal: AbortSignal) => Promise<T>, limits: CallLimits): Promise<T> {
  const end = performance.now() + limits.deadlineMs;
  const attempt = () => callBank(work, { ...limits, deadlineMs: Math.max(1, Math.ceil(end - performance.now())) });
  for (const retryPause of RETRY_PAUSES_MS) {
    try {
      return await attempt();
    } catch (error) {
      const wait = Math.max(retryPause, error instanceof BankError ? (error.retryAfterMs ?? 0) : 0);
      const mayRepeat = error instanceof BankError && error.code === 'unreachable';
      if (!mayRepeat || performance.now() + wait >= end) throw error;
      await pause(wait, limits.closing);
      if (limits.closing.aborted) throw error; // the device is closing: the last error is the result
    }
  }
  return attempt();
}

/**
 * Registers a payment, again where the bank is unreachable, within the deadline of the first attempt.
 * @throws {BankError} and the errors of `recordRef`
 */
export function registerWithRetries(
  bank: OnlineBank,
  order: Order,
  recordRef: RecordRef,
  limits: CallLimits,
): Promise<RegisteredPayment> {
  const registration = new Registration(bank, order, recordRef);
  return withRetries((signal) => registration.goOn(signal), limits);
}

async function codeAgain(bank: OnlineBank, ref: BankRef, order: Order, signal: AbortSignal): Promise<Registering> {
  try {
    return (await bank.code?.(ref, order, signal)) ?? { ref, code: null };
  } catch (error) {
    if (isRefused(error)) return { ref, code: null }; // it may have been paid just now
    throw error;
  }
}

/**
 * Looks for an order that the bank may have taken before; null where it has none, or cannot look.
 * @throws {BankError} where it does not report, or reports several amounts or none; a refused question is no report
 */
export async function findOrder(bank: OnlineBank, order: Order, limits: CallLimits): Promise<KnownOrder | null> {
  try {
    return await lookUp(bank, order, limits);
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new BankError('unreachable', error.message, { ...error, cause: error }); // the order may be there, and paid
  }
}

/**
 * Kopecks of an order's registration. The bank got our id together with the amount, so the amount that it reports
 * counts, even a different one; `believed` checks that all reported amounts are equal. After a refund it may report
 * none: that does not matter where nothing is left.
 */
function amountOf(report: BankReport, order: Order): number {
  const { verdict, amounts, orderIds } = report;
  const [reported] = amounts;
  if (reported === undefined && verdict === 'accepted' && !isAllBack(report, order.amount))
    throw new BankError('contradiction', 'the bank reports that the order was paid, but not its amount');
  const isSure = reported !== undefined && Number.isSafeInteger(reported) && reported > 0 && orderIds.length > 0;
  return isSure ? reported : order.amount;
}

function lookUp(bank: OnlineBank, order: Order, limits: CallLimits): Promise<KnownOrder | null> {
  return withRetries(async (signal) => {
    const found = (await bank.find?.(order, signal)) ?? null;
    if (found === null) return null;
    const { ref } = found;
    const amount = amountOf(found.report, order);
    const report = verified(found.report, { ref, orderId: order.orderId, amount });
    if (report.verdict !== 'pending' || amount !== order.amount) return { ref, report, amount, payload: null };
    const step = await codeAgain(bank, ref, order, signal);
    const payload = payloadOf(bank, step, order);
    return { ref: refOf(step, payload), report, amount, payload };
  }, limits);
}
