/**
 * Answers the calls of tills for a code. A call for the same as the one being answered, or with the same key, joins it.
 * Other calls are answered one at a time. No call waits for long, and none waits for a till that has hung up. A key
 * that already has a payment never registers a new order: while that payment may be paid, its code is shown again.
 */
import type { BankProfile } from '../../../banks/index.ts';
import { isAbandoned, mayBeShown, type PaymentFailure } from '../../model/payment.ts';
import {
  NOT_STORED,
  notShownAgain,
  type PaymentWarning,
  paymentFailure,
  SHARED_CODE,
  unreadBefore,
} from '../../model/payment-failures.ts';
import type { PaymentRow, SaleKey } from '../../model/payment-row.ts';
import { ERROR_TABLE, TerminalError } from '../../model/terminal-error.ts';
import type { PaymentDeps } from '../outcome/deps.ts';
import type { OutcomeRecorder } from '../outcome/outcome-recorder.ts';
import { CallQueue } from './call-queue.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import type { RefusedCalls } from './refused-calls.ts';
import type { Caller, Sale, SaleRequest } from './sale.ts';
import { damagedSale, failedBefore, keyConflict } from './sale-key.ts';
import type { Answered, Showing } from './showing.ts';

export type { Answered };

/** Most late acceptances that an answer names. */
const MOST_NAMED = 3;

/** The optional fields of an answer: the code is that of the first warning, the message is that of all. */
export function besideSuccess(warnings: readonly PaymentWarning[]): PaymentFailure | null {
  const [first] = warnings;
  if (first === undefined) return null;
  const code = (ERROR_TABLE.Bank as readonly string[]).indexOf(first.member);
  return { category: 'Bank', code, message: warnings.map(({ message }) => message).join('; ') };
}

/** A call that is being answered, and the callers that wait for the answer. Calls for the same join it. */
interface InFlightCall {
  readonly name: string;
  readonly sale: Sale;
  readonly callers: Caller[];
  readonly done: Promise<Answered>;
}

/** The name of the sale of a call: its key; without one, the contents of the call. */
const nameOf = ({ key, till, clearings, profileName, amount, purpose, ttl }: Sale): string =>
  key === null ? JSON.stringify([clearings, profileName, amount, purpose, ttl]) : keyName(till, key.key);
const keyName = (till: string | null, key: string): string => JSON.stringify({ till, key });

/** @throws {TerminalError} where the payment has failed: it was not registered, or its bank reports that it cannot be paid */
function unlessFailed(payment: PaymentRow, answered: Answered): Answered {
  if (payment.status.state === 'ERROR') throw failedBefore(payment);
  return answered;
}

export class ShowQrCalls {
  readonly #deps: PaymentDeps;
  readonly #recorder: OutcomeRecorder;
  readonly #earlier: EarlierPayments;
  readonly #showing: Showing;
  readonly #refused: RefusedCalls;
  readonly #queue = new CallQueue();
  /** The latest call. */
  #last: InFlightCall | null = null;
  /** Calls with a key that are being answered. */
  readonly #keyed = new Map<string, InFlightCall>();

  constructor(
    deps: PaymentDeps,
    recorder: OutcomeRecorder,
    earlier: EarlierPayments,
    showing: Showing,
    refused: RefusedCalls,
  ) {
    this.#deps = deps;
    this.#recorder = recorder;
    this.#earlier = earlier;
    this.#showing = showing;
    this.#refused = refused;
  }

  /** Whether a call is being answered. */
  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  /** Joins a call for the same sale that is being answered, else waits for its turn. @param caller the till that waits for the answer @throws {TerminalError} */
  joinOrQueue(sale: Sale, caller: Caller): Promise<Answered> {
    const name = nameOf(sale);
    if (this.#last?.name === name) return this.#join(this.#last, caller);
    const callers = [caller];
    if (this.#queue.isBusy) this.#earlier.expectRestart(sale);
    const call = this.#deps.callBook.nextCall();
    const onOver = (): void => {
      if (this.#last === inFlight) this.#last = null;
      this.#keyed.delete(name);
    };
    const inFlight: InFlightCall = { name, sale, callers, done: this.#answer(sale, call, callers, onOver) };
    this.#last = inFlight;
    if (sale.key !== null) this.#keyed.set(name, inFlight);
    return inFlight.done;
  }

  /**
   * Answers a sale that a till requests again: the code of a payment that may still be paid is shown again; of an ended
   * payment the state is returned.
   * @returns null where the key is new
   * @throws {TerminalError} where the key stands for something else, or its payment could not be registered
   */
  repeated(key: SaleKey, asked: SaleRequest, caller: Caller): Promise<Answered> | null {
    const joined = this.#joinOf(key, asked, caller);
    if (joined !== null) return joined;
    const payment = this.#paymentOf(key, caller.till);
    if (payment === null) return null;
    if (payment.sale?.body !== key.body)
      throw keyConflict(asked, { ...payment, ...payment.sale, body: payment.sale?.body ?? '' }, payment.orderId);
    return this.#again(this.#deps.book.find(payment.orderId), key, caller);
  }

  /** Runs work between calls. @throws {TerminalError} where its turn has not come in time */
  async between<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.#queue.enter(() => false);
    return work().finally(leave);
  }

  /** Settles when no call is being answered any more. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #join({ callers, done }: InFlightCall, caller: Caller): Promise<Answered> {
    callers.push(caller);
    return { ...(await done), isAgain: true };
  }

  /** Joins the call of a key that is being answered; null where there is none. @throws {TerminalError} where that asks for something else */
  #joinOf({ key, body }: SaleKey, asked: SaleRequest, caller: Caller): Promise<Answered> | null {
    const call = this.#keyed.get(keyName(caller.till, key));
    if (call === undefined) return null;
    const { sale } = call;
    if (sale.key?.body !== body) {
      const { key: saleKey, profileName: profile } = sale;
      throw keyConflict(asked, { ...sale, profile, ...saleKey, body: saleKey?.body ?? '' }, null);
    }
    return this.#join(call, caller);
  }

  /** The payment of a key. @throws {TerminalError} where its row is damaged: nobody knows what it was */
  #paymentOf({ key }: SaleKey, till: string | null): PaymentRow | null {
    const { ledger } = this.#deps;
    const found = ledger.ofSale(till, key);
    if (found === null) return null;
    if (!ledger.isSound(found.id)) throw damagedSale(found.orderId);
    return ledger.ofSale(till, key); // `isSound` may have restored the row
  }

  #again(payment: PaymentRow, key: SaleKey, caller: Caller): Promise<Answered> {
    const { clock, view, book, callBook } = this.#deps;
    const { orderId, amount, purpose, ttl, profile: profileName, till, cashier } = payment;
    const profile = this.#profileOf(payment);
    const wasAbandoned = isAbandoned(payment.status); // then its bank is asked about it in its turn
    if (profile !== null && (wasAbandoned || mayBeShown(payment, clock))) {
      const { clearings } = view;
      const { ownOnly } = caller;
      const sale = { amount, purpose, ttl, profileName, profile, till, cashier, ownOnly, key, orderId, clearings };
      const answered = this.joinOrQueue(sale, caller);
      return wasAbandoned ? answered.then((again) => unlessFailed(book.find(again.orderId), again)) : answered;
    }
    callBook.reportPayment(orderId, callBook.nextCall()); // this call is now the last, and the status is about its payment
    const again = { orderId, isAgain: true, isShown: false, warnings: notShownAgain(payment) };
    return Promise.resolve(unlessFailed(payment, again));
  }

  /** The profile of a payment; null where its bank is no longer set up: it is followed, and its code not shown. */
  #profileOf(payment: PaymentRow): BankProfile | null {
    const { profileOf, banks } = this.#deps;
    const profile = profileOf(payment.profile);
    return profile !== null && banks.isFor(payment, profile) ? profile : null;
  }

  /** Answers a call in its turn. @param onOver called at its end, before its callers get the answer */
  async #answer(sale: Sale, call: number, callers: readonly Caller[], onOver: () => void): Promise<Answered> {
    let leave = (): void => undefined;
    try {
      leave = await this.#turn(sale, call, callers);
      return await this.#answerNow(sale, call, callers);
    } finally {
      onOver();
      leave();
    }
  }

  /** @returns ends the turn of the call @throws {TerminalError} where the call is refused before its turn */
  async #turn(sale: Sale, call: number, callers: readonly Caller[]): Promise<() => void> {
    try {
      return await this.#queue.enter(() => callers.every(({ gone }) => gone.aborted));
    } catch (error) {
      this.#refused.refuseEarly(sale, call, error);
      throw error;
    }
  }

  async #answerNow(sale: Sale, call: number, callers: readonly Caller[]): Promise<Answered> {
    const { book, callBook } = this.#deps;
    const known = sale.orderId;
    try {
      callBook.beginCall(call, (orderId) => this.#earlier.isSameSale(orderId, sale));
      const { orderId, isAgain, isShown, warnings } = await (known === null
        ? this.#showing.findOrMake(sale)
        : this.#showing.repeat(sale, known));
      if (isShown) this.#watchCallers(orderId, callers);
      else callBook.reportPayment(orderId, call);
      // a till that calls twice at once repeats its calls, and a till with keys does not only watch the display
      if (!isAgain && callers.length === 1 && sale.key === null) book.markAnswered(orderId);
      this.#recorder.hurryRivals();
      const shared = callers.length > 1 && !isAgain && sale.key === null ? [SHARED_CODE] : [];
      return { orderId, isAgain, isShown, warnings: [...this.#unread(sale), ...warnings, ...shared] };
    } catch (error) {
      this.#refused.refuse(sale, call, error, callers);
      const failure = paymentFailure(error, known === null ? undefined : NOT_STORED);
      throw known !== null && failure instanceof TerminalError ? failure.about(known) : failure;
    }
  }

  #unread({ ownOnly, till }: Sale): PaymentWarning[] {
    const { ledger } = this.#deps;
    const of = ownOnly ? till : null;
    const late = ledger.queries.late(MOST_NAMED, of);
    return late.length === 0 ? [] : [unreadBefore(late, ledger.queries.lateCount(of))];
  }

  /** Marks a payment that no till waits for: all that requested it have hung up before they were answered. */
  #watchCallers(orderId: string, callers: readonly Caller[]): void {
    const { book, log } = this.#deps;
    const dropUnawaited = (): void => {
      if (!callers.every(({ gone }) => gone.aborted)) return;
      log('a code is shown that no till awaits: it hung up before it was answered', { orderId });
      book.note(orderId, { type: 'given-up' });
    };
    dropUnawaited();
    for (const { gone } of callers) gone.addEventListener('abort', dropUnawaited, { once: true });
  }
}
