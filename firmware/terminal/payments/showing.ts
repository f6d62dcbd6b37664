/** The steps of one showQR: from what is to be done about the payments before to the last byte of the code. */
import { randomUUID } from 'node:crypto';
import { DisplayError } from '../../../drivers/display/contract.ts';
import type { Clock } from '../../host/clock.ts';
import type { LogLine } from '../../host/log.ts';
import {
  type Bank,
  BankError,
  type BankRef,
  type CancelOutcome,
  isRefused,
  type OnlineBank,
  type Order,
  type PrintedCode,
} from '../banks/bank.ts';
import type { CallLimits } from '../banks/pool/bank-calls.ts';
import type { BankPool } from '../banks/pool/bank-pool.ts';
import { adapterOf, mustFitOrderId } from '../banks/registry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NewPayment, PaymentRow } from '../ledger/payment-row.ts';
import type { CustomerView } from '../screen/customer-view.ts';
import type { PaymentBook } from './book.ts';
import type { EarlierPayments, Settled } from './earlier-payments.ts';
import type { Dispatch } from './events.ts';
import type { Pacing } from './follower.ts';
import { isOpen, leftOf, type PaymentStatus, REGISTERING } from './payment.ts';
import {
  cleared,
  codeOfAnother,
  failureOf,
  justEnded,
  leftOnPrinted,
  type PaymentWarning,
  paymentFailure,
  sameCode,
  unknownBefore,
} from './payment-failures.ts';
import { purposeFor, type Sale } from './sale.ts';

const MINUTE_MS = 60_000;
/** How long the bank may take to take a code out of use that is not shown after all: a till waits meanwhile. */
const CANCEL_MS = 3000;

/** A showQR as the till has sent it. */
export interface ShowQrRequest extends Sale {
  /** How often the till had cleared the display by then: a code that it asked for before is not drawn after. */
  readonly clearings: number;
}

export interface Shown {
  readonly orderId: string;
  /** Whether its code was shown before, by an earlier call for the same sale. */
  readonly isAgain: boolean;
  /** What the till is to be told beside the success. */
  readonly warnings: readonly PaymentWarning[];
}

/** What the bank is asked for: no longer a purpose than it takes. */
function orderOf({ orderId, bank, amount, purpose, ttl }: NewPayment): Order {
  const { maxPurpose } = adapterOf(bank).capabilities;
  return { orderId, amount, purpose: purpose === null ? null : purposeFor(purpose, maxPurpose), ttl };
}

const printedOf = (bank: Bank): PrintedCode | null => (bank.kind === 'online' ? (bank.printed ?? null) : null);

const isOnPresentCode = (bank: Bank, ref: BankRef): boolean =>
  bank.kind === 'static' || (bank.isOnPresentCode?.(ref) ?? true);

export interface ShowingOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly banks: BankPool;
  readonly pacing: Pacing;
  readonly book: Pick<PaymentBook, 'find'>;
  readonly earlier: EarlierPayments;
  readonly dispatch: Dispatch;
  readonly limits: (deadlineMs: number) => CallLimits;
  readonly log: LogLine;
}

interface Activation {
  readonly bank: OnlineBank;
  /** Whether the bank has not been asked for it before. */
  readonly isFirst: boolean;
}

export class Showing {
  readonly #options: ShowingOptions;

  constructor(options: ShowingOptions) {
    this.#options = options;
  }

  /** @throws {Error} what `paymentFailure` words */
  async show(request: ShowQrRequest): Promise<Shown> {
    this.#mustBeWanted(request);
    const bank = await this.#options.banks.open(request.profile);
    const { again, unknown, left } = await this.#settleEarlier(request, bank);
    const onPrinted = left.filter(({ payload }) => payload === printedOf(bank)?.payload);
    const before = [
      ...(unknown.length > 0 ? [unknownBefore(unknown)] : []),
      ...(onPrinted.length > 0 ? [leftOnPrinted(onPrinted)] : []),
    ];
    if (again === null) return { orderId: await this.#showNew(request, bank), isAgain: false, warnings: before };
    await this.#showAgain(request, again, bank);
    return {
      orderId: again.orderId,
      isAgain: true,
      warnings: [...before, sameCode(leftOf(again, this.#options.clock))],
    };
  }

  /** The code of another sale comes off the display first: nobody may begin to pay it any more. */
  async #settleEarlier(request: ShowQrRequest, bank: Bank): Promise<Settled> {
    const { view, earlier } = this.#options;
    if (view.shown !== null && !earlier.isSameSale(view.shown, request)) view.removeCode();
    return earlier.settle(request, ({ ref }) => ref === null || isOnPresentCode(bank, ref));
  }

  #showNew(request: ShowQrRequest, bank: Bank): Promise<string> {
    if (bank.kind === 'static') return this.#showStatic(request, bank.payload);
    const printed = printedOf(bank);
    return printed === null ? this.#showDynamic(request, bank) : this.#putOnPrinted(request, bank, printed);
  }

  async #showStatic(request: ShowQrRequest, payload: string): Promise<string> {
    const status: PaymentStatus = { ...REGISTERING, state: 'STATIC', seen: true };
    const payment = this.#newPayment(request, status);
    this.#options.dispatch({ type: 'entered', payment, payload });
    await this.#orFail(payment, () => {
      this.#mustBeWanted(request);
      return this.#options.view.showPayment(payment, payload);
    });
    return payment.orderId;
  }

  async #showDynamic(request: ShowQrRequest, bank: OnlineBank): Promise<string> {
    const { view, dispatch } = this.#options;
    const payment = this.#newPayment(request, REGISTERING);
    mustFitOrderId(payment.bank, payment.orderId);
    dispatch({ type: 'entered', payment, payload: null });
    await this.#orFail(payment, async () => {
      await view.ready();
      this.#mustBeWanted(request);
      const payload = await this.#register(payment, request, bank);
      await view.showPayment(payment, payload);
    });
    return payment.orderId;
  }

  /**
   * Puts a payment on a printed code. Whoever stands in front of that may pay from the moment in which the bank hears of it:
   * so the ledger has the intent before, and what fails then is unknown until the bank has taken it back, or told of it.
   */
  async #putOnPrinted(request: ShowQrRequest, bank: OnlineBank, { payload, refOf }: PrintedCode): Promise<string> {
    const payment = this.#newPayment(request, REGISTERING);
    const { orderId } = payment;
    mustFitOrderId(payment.bank, orderId);
    this.#options.dispatch({ type: 'entered', payment, payload: null });
    await this.#orFail(payment, () => {
      this.#mustBeWanted(request);
      this.#options.earlier.mustBeUnpaid(request);
      this.#options.dispatch({ type: 'bank-knows', orderId, ref: refOf(orderId) });
      this.#options.dispatch({ type: 'registered', orderId, payload });
    });
    await this.#activate(payment, request, { bank, isFirst: true });
    await this.#drawPrinted(payment, payload);
    return orderId;
  }

  /** What the bank has never confirmed may not be on the code: it is put there for the call that asks for it again. */
  async #keepOnPrinted(payment: PaymentRow, request: ShowQrRequest, bank: OnlineBank): Promise<void> {
    const { ref, payload } = payment;
    if (ref === null || bank.printed?.isConfirmed(ref) !== true) {
      await this.#activate(payment, request, { bank, isFirst: false });
    }
    if (payload !== null) await this.#drawPrinted(payment, payload);
  }

  /** The bank hears of a payment that is in the ledger, for the first time or, as far as it has not confirmed it, once more. */
  async #activate(payment: NewPayment, request: ShowQrRequest, { bank, isFirst }: Activation): Promise<void> {
    const { banks, pacing, limits, dispatch, clock } = this.#options;
    const { orderId } = payment;
    // it lives no longer at the bank than here
    const order = { ...orderOf(payment), ttl: leftOf(payment, clock) / MINUTE_MS };
    const keep = (ref: BankRef): void => dispatch({ type: 'bank-knows', orderId, ref });
    try {
      await this.#orFail(payment, async () => {
        await banks.register(bank, order, keep, limits(pacing.bankDeadlineMs));
        this.#mustBeWanted(request);
      });
    } catch (error) {
      await this.#takeBack(payment, error, isFirst);
      throw error;
    }
  }

  /** A payment that is on a printed code, or may be: it is followed to its end where the bank does not take it back. */
  async #takeBack(payment: NewPayment, error: unknown, isFirst: boolean): Promise<void> {
    const { orderId } = payment;
    const { cause } = error as { readonly cause?: unknown };
    // an attempt before this one may still be under way to the bank, whatever it says now
    const isNowhere = isFirst && isRefused(cause) && !cause.mayHaveArrived;
    const outcome = isNowhere ? 'withdrawn' : await this.#cancel(payment);
    if (outcome === 'withdrawn') this.#options.dispatch({ type: 'changed', orderId, event: { type: 'withdrawn' } });
  }

  /** A display is not needed for a printed code, and shows it where there is one. */
  async #drawPrinted(payment: NewPayment, payload: string): Promise<void> {
    if (!isOpen(this.#options.book.find(payment.orderId).status)) return; // it has been paid meanwhile
    try {
      await this.#options.view.showPayment(payment, payload);
    } catch (error) {
      if (!(error instanceof DisplayError)) throw error;
      const { orderId } = payment;
      this.#options.log('a printed code is not on the display too', { orderId, reason: error.message });
    }
  }

  /** Returns the code, once that and the intent to show it are in the ledger. What fails on the way is taken back at the bank. */
  async #register(payment: NewPayment, request: ShowQrRequest, bank: OnlineBank): Promise<string> {
    const { banks, pacing, ledger } = this.#options;
    let isKnown = false;
    const keep = (ref: BankRef): void => {
      this.#keepRef(payment, ref);
      isKnown = true;
    };
    try {
      const limits = this.#options.limits(pacing.bankDeadlineMs);
      const { ref, payload } = await banks.register(bank, orderOf(payment), keep, limits);
      if (ledger.isTaken(payment, ref.id, payload)) throw codeOfAnother();
      this.#intendToShow(payment, payload, request);
      return payload;
    } catch (error) {
      // what contradicts itself may be of another lane's payment: that is not ours to cancel
      const isDoubtful = error instanceof BankError && error.code === 'contradiction';
      if (isKnown && !isDoubtful) await this.#cancel(payment);
      throw error;
    }
  }

  /** @throws {BankError} `contradiction` for what the bank knows another payment by @throws {Error} of the database */
  #keepRef(payment: NewPayment, ref: BankRef): void {
    const { ledger, dispatch } = this.#options;
    if (ledger.isTaken(payment, ref.id, null)) throw codeOfAnother();
    dispatch({ type: 'bank-knows', orderId: payment.orderId, ref });
  }

  #newPayment({ profileName, profile, amount, purpose, ttl }: ShowQrRequest, status: PaymentStatus): NewPayment {
    const { clock, banks } = this.#options;
    const orderId = randomUUID();
    return {
      orderId,
      createdAt: clock.wall(),
      bootId: clock.bootId,
      createdMono: clock.monotonic(),
      profile: profileName,
      bank: profile.bankName,
      merchant: banks.merchantOf(profile),
      amount,
      purpose,
      ttl,
      till: null,
      sale: null,
      status,
    };
  }

  /** The last moment to give a payment up: nobody has seen its code. */
  #intendToShow({ orderId }: NewPayment, payload: string, request: ShowQrRequest): void {
    this.#mustBeWanted(request);
    this.#options.earlier.mustBeUnpaid(request);
    this.#options.dispatch({ type: 'registered', orderId, payload });
  }

  /** Shows a code that was shown before; that it will be is in the ledger before the first byte goes out. */
  async #showAgain(request: ShowQrRequest, { orderId, payload }: PaymentRow, bank: Bank): Promise<void> {
    const { view, book, earlier, dispatch } = this.#options;
    try {
      dispatch({ type: 'called-again', orderId });
    } catch (error) {
      view.removeCode(); // it may be on the display, and the call fails
      throw error;
    }
    try {
      const isPrinted = bank.kind === 'online' && printedOf(bank) !== null;
      if (!isPrinted) await view.ready();
      this.#mustBeWanted(request);
      earlier.mustBeUnpaid(request);
      const payment = book.find(orderId);
      if (payload === null || !isOpen(payment.status)) throw justEnded();
      await (isPrinted ? this.#keepOnPrinted(payment, request, bank) : view.showPayment(payment, payload));
    } catch (error) {
      dispatch({ type: 'noted', orderId, event: { type: 'given-up' } }); // the call has failed; who has scanned the code may still pay
      throw error;
    }
  }

  /** @throws {TerminalError} where the till has cleared the display since */
  #mustBeWanted({ clearings }: ShowQrRequest): void {
    if (clearings !== this.#options.view.clearings) throw cleared();
  }

  /** Runs the steps of a payment; a failure ends it, and is told in the terminal's words. */
  async #orFail({ orderId }: Pick<NewPayment, 'orderId'>, steps: () => Promise<void> | void): Promise<void> {
    try {
      await steps();
    } catch (cause) {
      const error = paymentFailure(cause);
      this.#options.dispatch({ type: 'noted', orderId, event: { type: 'failed', failure: failureOf(error) } });
      throw error;
    }
  }

  /** A code that is taken back before anybody has seen it; where the bank does not, nobody can pay it all the same. */
  async #cancel({ orderId }: NewPayment): Promise<CancelOutcome> {
    const { banks, book, limits, log } = this.#options;
    try {
      return await banks.cancel(book.find(orderId), limits(CANCEL_MS));
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      log('the bank did not cancel a payment that was not shown', { orderId, reason: error.message });
      return 'not-possible';
    }
  }
}
