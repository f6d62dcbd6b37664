/**
 * The calls of tills that request a code. A call for the same as the one that is being answered, or with the same key,
 * joins it. Other calls are answered one at a time. No call waits for long, and none waits for a till that has hung up.
 */

import { ERROR_TABLE, TerminalError } from '../../banks/index.ts';
import type { PaymentRow, SaleKey } from '../money/payment-row.ts';
import { CallQueue } from './call-queue.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import type { ShowQrRequest } from './new-payments.ts';
import type { PaymentParts } from './parts.ts';
import type { PaymentFailure } from './payment.ts';
import {
  HeldBack,
  NOT_STORED,
  type PaymentWarning,
  paidBefore,
  paymentFailure,
  SHARED_CODE,
  unreadBefore,
} from './payment-failures.ts';
import type { AskedPayment } from './sale.ts';
import { keyConflict } from './sale-key.ts';
import type { Answered, Showing } from './showing.ts';

export type { Answered };

/** Late acceptances that an answer names. */
const MOST_NAMED = 3;

/** The program that waits for the answer to a call. */
export interface Caller {
  /** Ends when it hangs up before it has got its answer. */
  readonly gone: AbortSignal;
  /** Name of the credential that it has sent; null where none is asked for. */
  readonly till: string | null;
  /** Who sits at it; null where nothing says. */
  readonly cashier: string | null;
  /** Whether it sees only the payments that it has asked for itself. */
  readonly ownOnly: boolean;
  /** Calls `received` once the whole answer has gone out; never where the caller has hung up before. */
  whenAnswered(received: () => void): void;
}

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
  readonly request: ShowQrRequest;
  readonly callers: Caller[];
  readonly done: Promise<Answered>;
}

/** The name of the sale of a call: its key; without one, the contents of the call. */
const nameOf = ({ key, till, clearings, profileName, amount, purpose, ttl }: ShowQrRequest): string =>
  key === null ? JSON.stringify([clearings, profileName, amount, purpose, ttl]) : keyName(till, key.key);
const keyName = (till: string | null, key: string): string => JSON.stringify({ till, key });

interface ShowQrCallsOptions extends PaymentParts {
  readonly earlier: EarlierPayments;
  readonly showing: Showing;
}

export class ShowQrCalls {
  readonly #options: ShowQrCallsOptions;
  readonly #queue = new CallQueue();
  /** The latest call. */
  #last: InFlightCall | null = null;
  /** Calls with a key. */
  readonly #named = new Map<string, InFlightCall>();

  constructor(options: ShowQrCallsOptions) {
    this.#options = options;
  }

  /** Whether a call is being answered. */
  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  /**
   * @param caller the till that waits for the answer
   * @throws {TerminalError}
   */
  show(request: ShowQrRequest, caller: Caller): Promise<Answered> {
    const name = nameOf(request);
    if (this.#last?.name === name) return this.#join(this.#last, caller);
    const callers = [caller];
    const call: InFlightCall = { name, request, callers, done: this.#inTurn(request, callers) };
    const over = (): void => {
      if (this.#last === call) this.#last = null;
      this.#named.delete(name);
    };
    this.#last = call;
    if (request.key !== null) this.#named.set(name, call);
    void call.done.then(over, over);
    return call.done;
  }

  /** Joins the call of a key that is being answered; null where there is none. @throws {TerminalError} where that asks for something else */
  join({ key, body }: SaleKey, asked: AskedPayment, caller: Caller): Promise<Answered> | null {
    const call = this.#named.get(keyName(caller.till, key));
    if (call === undefined) return null;
    const { request } = call;
    if (request.key?.body !== body) {
      const { key: named, profileName: profile } = request;
      throw keyConflict(asked, { ...request, profile, ...named, body: named?.body ?? '' }, null);
    }
    return this.#join(call, caller);
  }

  /** Runs work between the calls. @throws {TerminalError} where its turn has not come in time */
  between<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run({ answer: work, isGone: () => false, refused: () => undefined });
  }

  /** Settles when no call is being answered any more. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #join({ callers, done }: InFlightCall, caller: Caller): Promise<Answered> {
    callers.push(caller);
    return { ...(await done), isAgain: true };
  }

  #inTurn(request: ShowQrRequest, callers: readonly Caller[]): Promise<Answered> {
    const { book, earlier } = this.#options;
    if (this.#queue.isBusy) earlier.foresee(request);
    const call = book.statusCalls.nextCall();
    return this.#queue.run({
      answer: () => this.#answer(request, call, callers),
      isGone: () => callers.every(({ gone }) => gone.aborted),
      refused: (error) => {
        const isHeldBack = this.#holdBack(request, call, book.last());
        if (!isHeldBack) this.#fail(request, call, error);
      },
    });
  }

  async #answer(request: ShowQrRequest, call: number, callers: readonly Caller[]): Promise<Answered> {
    const { dispatch, showing } = this.#options;
    const known = request.orderId;
    try {
      dispatch({ type: 'call-begun', call, sale: request });
      const { orderId, isAgain, isShown, warnings } = await (known === null
        ? showing.show(request)
        : showing.repeat(request, known));
      if (isShown) this.#watch(orderId, callers);
      else dispatch({ type: 'call-held-back', call, orderId });
      // a till that calls twice at once repeats its calls, and a till with keys does not only watch the display
      dispatch({ type: 'call-answered', orderId, isOnce: !isAgain && callers.length === 1 && request.key === null });
      const shared = callers.length > 1 && !isAgain && request.key === null ? [SHARED_CODE] : [];
      return { orderId, isAgain, isShown, warnings: [...this.#unread(request), ...warnings, ...shared] };
    } catch (error) {
      this.#refuse(request, call, error, callers);
      const failure = paymentFailure(error, known === null ? undefined : NOT_STORED);
      throw known !== null && failure instanceof TerminalError ? failure.about(known) : failure;
    }
  }

  /** The status must never report the payment before as the outcome of a call that failed. */
  #refuse(request: ShowQrRequest, call: number, error: unknown, callers: readonly Caller[]): void {
    const { book, dispatch } = this.#options;
    if (error instanceof HeldBack && this.#holdBack(request, call, book.last(), error.payment)) return;
    const paid = paidBefore(error);
    const [newest] = paid;
    if (newest === undefined) {
      this.#fail(request, call, error);
      return;
    }
    dispatch({ type: 'call-failed', call, error, always: true });
    this.#reportPaid(paid, call, callers);
    dispatch({ type: 'call-paid-before', orderId: newest.orderId });
  }

  /** The payment of a key is unchanged, so the status is about it; where there is none, it reports the failure. */
  #fail({ orderId }: ShowQrRequest, call: number, error: unknown): void {
    const { dispatch } = this.#options;
    if (orderId === null) dispatch({ type: 'call-failed', call, error, always: false });
    else dispatch({ type: 'call-held-back', call, orderId });
  }

  /** Payments count as reported once the refusal has reached a till. A till that has hung up has not received it. */
  #reportPaid(payments: readonly PaymentRow[], call: number, callers: readonly Caller[]): void {
    const { dispatch } = this.#options;
    const informed = new Set<string | null>();
    for (const { till, whenAnswered } of callers) {
      whenAnswered(() => {
        if (!informed.has(till)) dispatch({ type: 'paid-reported', call, payments, till });
        informed.add(till);
      });
    }
  }

  /** Makes the status report the first open payment of a sale whose call was refused. Returns whether there is one. */
  #holdBack(sale: ShowQrRequest, call: number, ...payments: readonly (PaymentRow | null)[]): boolean {
    const { dispatch, earlier } = this.#options;
    const open = payments.find((payment) => payment !== null && earlier.isOpenSale(payment, sale));
    if (open) dispatch({ type: 'call-held-back', call, orderId: open.orderId });
    return open !== undefined;
  }

  #unread({ ownOnly, till }: ShowQrRequest): PaymentWarning[] {
    const { ledger } = this.#options;
    const of = ownOnly ? till : null;
    const late = ledger.late(MOST_NAMED, of);
    return late.length === 0 ? [] : [unreadBefore(late, ledger.lateCount(of))];
  }

  /** Marks a payment that no till waits for: all that requested it have hung up before they were answered. */
  #watch(orderId: string, callers: readonly Caller[]): void {
    const { dispatch, log } = this.#options;
    const giveUpUnawaited = (): void => {
      if (!callers.every(({ gone }) => gone.aborted)) return;
      log('a code is shown that no till awaits: it hung up before it was answered', { orderId });
      dispatch({ type: 'recorded', orderId, event: { type: 'given-up' } });
    };
    giveUpUnawaited();
    for (const { gone } of callers) gone.addEventListener('abort', giveUpUnawaited, { once: true });
  }
}
