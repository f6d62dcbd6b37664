/**
 * The calls of tills that ask for a code: one for the same as the call that is being answered, or one of the same key, joins it, the
 * others are answered one at a time. Nobody waits for long, and nobody for a till that is gone.
 */
import type { LogLine } from '../../host/index.ts';
import { ERROR_TABLE, TerminalError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow, SaleKey } from '../ledger/payment-row.ts';
import type { PaymentBook } from './book.ts';
import { CallQueue } from './call-queue.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import type { Dispatch } from './events.ts';
import type { ShowQrRequest } from './new-payments.ts';
import type { PaymentFailure } from './payment.ts';
import {
  HeldBack,
  type PaymentWarning,
  paidBefore,
  paymentFailure,
  SHARED_CODE,
  unreadBefore,
} from './payment-failures.ts';
import type { AskedPayment } from './sale.ts';
import { keyConflict } from './sale-key.ts';
import type { Showing } from './showing.ts';

/** Late acceptances that an answer names. */
const MOST_NAMED = 3;

/** The program that waits for the answer to a call. */
export interface Caller {
  /** Ends when it hangs up before it has got its answer. */
  readonly gone: AbortSignal;
  /** Name of the credential that it has sent; null where none is asked for. */
  readonly till: string | null;
  /** Whether it sees only the payments that it has asked for itself. */
  readonly ownOnly: boolean;
  /** Calls `heard` once its answer has gone out whole; never where it has hung up before. */
  whenAnswered(heard: () => void): void;
}

/** A caller within this process, who misses nothing. */
const PRESENT: Caller = Object.freeze({
  gone: new AbortController().signal,
  till: null,
  ownOnly: false,
  whenAnswered: (heard: () => void) => heard(),
});

/** What stands in the optional fields of an answer: the first warning gives the code, all of them the message. */
export function besideSuccess(warnings: readonly PaymentWarning[]): PaymentFailure | null {
  const [first] = warnings;
  if (first === undefined) return null;
  const code = (ERROR_TABLE.Bank.members as readonly string[]).indexOf(first.member);
  return { category: 'Bank', code, message: warnings.map(({ message }) => message).join('; ') };
}

/** What a call is answered with. */
export interface Answered {
  readonly orderId: string;
  /** Whether an earlier call has asked for the payment. */
  readonly isAgain: boolean;
  /** Whether its code is on the display now; else it has ended, or is not to be shown any more. */
  readonly isShown: boolean;
  /** What is to be said beside the success. */
  readonly warnings: readonly PaymentWarning[];
}

/** A call that is being answered, and who waits for its answer: others that ask for the same join it. */
interface InFlightCall {
  readonly name: string;
  readonly request: ShowQrRequest;
  readonly callers: Caller[];
  readonly done: Promise<Answered>;
}

/** A key names a sale; without one the same sale is what is wanted by the last call. */
const nameOf = ({ key, till, clearings, profileName, amount, purpose, ttl }: ShowQrRequest): string =>
  key === null ? JSON.stringify([clearings, profileName, amount, purpose, ttl]) : keyName(till, key.key);
const keyName = (till: string | null, key: string): string => JSON.stringify({ till, key });

export interface ShowQrCallsOptions {
  readonly ledger: Pick<Ledger, 'late' | 'lateCount'>;
  readonly book: Pick<PaymentBook, 'nextCall' | 'last'>;
  readonly earlier: Pick<EarlierPayments, 'foresee' | 'isOpenSale'>;
  readonly showing: Pick<Showing, 'show' | 'repeat'>;
  readonly dispatch: Dispatch;
  readonly log: LogLine;
}

export class ShowQrCalls {
  readonly #options: ShowQrCallsOptions;
  readonly #queue = new CallQueue();
  /** The call that has come last. */
  #last: InFlightCall | null = null;
  /** Those that name their sale. */
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
  show(request: ShowQrRequest, caller = PRESENT): Promise<Answered> {
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

  /** Does something between the calls. @throws {TerminalError} where its turn has not come in time */
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
    const call = book.nextCall();
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
      // a till that asks twice at once is one that repeats, and one that names its sale by a key does not only watch the display
      dispatch({ type: 'call-answered', orderId, isOnce: !isAgain && callers.length === 1 && request.key === null });
      const shared = callers.length > 1 && !isAgain && request.key === null ? [SHARED_CODE] : [];
      return { orderId, isAgain, isShown, warnings: [...this.#unread(request), ...warnings, ...shared] };
    } catch (error) {
      this.#refuse(request, call, error, callers);
      const failure = paymentFailure(error);
      throw known !== null && failure instanceof TerminalError ? failure.about(known) : failure;
    }
  }

  /** The status must never pass the payment before for the outcome of a call that failed. */
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
    this.#tellPaid(paid, call, callers);
    dispatch({ type: 'call-paid-before', orderId: newest.orderId });
  }

  /** The payment of a key is as it was: the status speaks of it, and of the failure only where there is none. */
  #fail({ orderId }: ShowQrRequest, call: number, error: unknown): void {
    const { dispatch } = this.#options;
    if (orderId === null) dispatch({ type: 'call-failed', call, error, always: false });
    else dispatch({ type: 'call-held-back', call, orderId });
  }

  /** Payments count as reported once the refusal has reached a till: a till that has hung up has not got it. */
  #tellPaid(payments: readonly PaymentRow[], call: number, callers: readonly Caller[]): void {
    const { dispatch } = this.#options;
    const told = new Set<string | null>();
    for (const { till, whenAnswered } of callers) {
      whenAnswered(() => {
        if (!told.has(till)) dispatch({ type: 'paid-told', call, payments, till });
        told.add(till);
      });
    }
  }

  /** Has the status speak of the first open payment of a sale whose call was refused. Returns whether there is one. */
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

  /** Marks a payment that no till awaits: all that asked for it had hung up before they could be answered. */
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
