/** The steps of one showQR: from settling the earlier payments to the last byte of the code. */

import { timeBudget } from '../../../drivers/lib/time-budget.ts';
import { type Bank, BankError, type BankRef, type OnlineBank } from '../../banks/index.ts';

import type { NewPayment, PaymentRow } from '../money/payment-row.ts';
import type { EarlierPayments, Settled } from './earlier-payments.ts';
import { NewPayments, orderOf, type ShowQrRequest } from './new-payments.ts';
import type { PaymentParts } from './parts.ts';
import { isPayable, leftOf, mayBeShown, type PaymentStatus, REGISTERING } from './payment.ts';
import {
  codeOfAnother,
  justEnded,
  leftOnPrinted,
  leftOpen,
  notShownAgain,
  type PaymentWarning,
  sameCode,
  unknownBefore,
} from './payment-failures.ts';
import { PrintedPayments, printedOf } from './printed-code.ts';

/** How long asking about earlier payments may take at no cost to the time of the new one. A till waits meanwhile. */
const EARLIER_MS = 3000;
/**
 * Share of the bank's time that the look-up of a sale may take: it is one call, and the registration after it two.
 * Where the bank is slower, the key stays unused, and no order is left half registered.
 */
const LOOK_UP_SHARE = 0.5;

/** The answer to a call. */
export interface Answered {
  readonly orderId: string;
  /** Whether an earlier call has asked for the payment. */
  readonly isAgain: boolean;
  /** Whether its code is on the display now; else it has ended, or its code must not be shown any more. */
  readonly isShown: boolean;
  /** What the till gets beside the success. */
  readonly warnings: readonly PaymentWarning[];
}

const isOnPresentCode = (bank: Bank, ref: BankRef): boolean =>
  bank.kind === 'static' || (bank.isOnPresentCode?.(ref) ?? true);

interface ShowingOptions extends PaymentParts {
  readonly earlier: EarlierPayments;
}

export class Showing {
  readonly #options: ShowingOptions;
  readonly #payments: NewPayments;
  readonly #printed: PrintedPayments;

  constructor(options: ShowingOptions) {
    this.#options = options;
    this.#payments = new NewPayments(options);
    this.#printed = new PrintedPayments({ ...options, payments: this.#payments });
  }

  /** @throws {Error} what `paymentFailure` words */
  async show(request: ShowQrRequest): Promise<Answered> {
    const { bankDeadlineMs } = this.#options.pacing;
    const leftMs = timeBudget(EARLIER_MS + bankDeadlineMs);
    const bankMs = (): number => Math.min(bankDeadlineMs, leftMs());
    this.#payments.mustBeWanted(request);
    const bank = await this.#options.banks.open(request.profile);
    const settled = await this.#settleEarlier(request, bank);
    const { again } = settled;
    const before = this.#warningsOf(settled, request, bank);
    if (again === null) {
      const adopted =
        bank.kind === 'online' ? await this.#adopt(request, bank, Math.ceil(bankMs() * LOOK_UP_SHARE)) : null;
      // `repeat` asks the bank for its state, as for all payments that may be paid
      if (adopted !== null) return this.repeat({ ...request, orderId: adopted }, adopted);
      const orderId = await this.#showNew(request, bank, bankMs);
      return { orderId, isAgain: false, isShown: true, warnings: before };
    }
    await this.#showAgain(request, again, bank);
    return {
      orderId: again.orderId,
      isAgain: true,
      isShown: true,
      warnings: [...before, sameCode(leftOf(again, this.#options.clock))],
    };
  }

  /**
   * Shows the code of a payment for a call with the same key. Where the payment has ended meanwhile, nothing is shown:
   * its state says why.
   * @throws {Error} what `paymentFailure` words
   */
  async repeat(request: ShowQrRequest, orderId: string): Promise<Answered> {
    const { book, banks, clock } = this.#options;
    this.#payments.mustBeWanted(request);
    const bank = await banks.open(request.profile);
    const warnings = this.#warningsOf(await this.#settleEarlier(request, bank), request, bank);
    const payment = book.find(orderId);
    const isThere = payment.ref === null || isOnPresentCode(bank, payment.ref);
    if (isThere && mayBeShown(payment, clock)) {
      try {
        await this.#showAgain(request, payment, bank);
        return { orderId, isAgain: true, isShown: true, warnings };
      } catch (error) {
        if (isPayable(book.find(orderId).status)) throw error; // else it is paid or has ended, and nothing has failed
      }
    }
    return { orderId, isAgain: true, isShown: false, warnings: [...warnings, ...notShownAgain(book.find(orderId))] };
  }

  #warningsOf({ unknown, left }: Settled, request: ShowQrRequest, bank: Bank): PaymentWarning[] {
    const { earlier } = this.#options;
    const onPrinted = left.filter(({ payload }) => payload === printedOf(bank)?.payload);
    const givenUp = left.filter(
      (payment) => !onPrinted.includes(payment) && earlier.isSameSale(payment.orderId, request),
    );
    const unknownOwn = unknown.filter((payment) => earlier.isOf(payment, request));
    return [
      ...(unknownOwn.length > 0 ? [unknownBefore(unknownOwn)] : []),
      ...(onPrinted.length > 0 ? [leftOnPrinted(onPrinted.filter((payment) => earlier.isOf(payment, request)))] : []),
      ...(givenUp.length > 0 ? [leftOpen(givenUp)] : []),
    ];
  }

  /** Removes the code of another sale from the display first: no customer may begin to pay it any more. */
  async #settleEarlier(request: ShowQrRequest, bank: Bank): Promise<Settled> {
    const { view, earlier } = this.#options;
    if (view.shown !== null && !earlier.standsFor(view.shown, request)) view.removeCode();
    return earlier.settle(request, ({ ref }) => ref === null || isOnPresentCode(bank, ref));
  }

  /** Adopts the order of a sale that the ledger has lost. @returns its order id; null where there is none */
  async #adopt(request: ShowQrRequest, bank: OnlineBank, deadlineMs: number): Promise<string | null> {
    const orderId = await this.#payments.adopt(request, bank, deadlineMs);
    if (orderId === null) return null;
    const { log } = this.#options;
    log('the bank knows the order of a sale that the ledger does not have: it is taken up again', { orderId });
    return orderId;
  }

  /** @param bankMs what is left of the time that the bank has for one sale */
  #showNew(request: ShowQrRequest, bank: Bank, bankMs: () => number): Promise<string> {
    if (bank.kind === 'static') return this.#showStatic(request, bank.payload);
    const printed = printedOf(bank);
    return printed === null
      ? this.#showDynamic(request, bank, bankMs)
      : this.#printed.put(request, bank, printed, bankMs);
  }

  async #showStatic(request: ShowQrRequest, payload: string): Promise<string> {
    const status: PaymentStatus = { ...REGISTERING, state: 'STATIC', seen: true };
    const payment = this.#payments.enter(request, status, payload);
    await this.#payments.orFail(payment, () => {
      this.#payments.mustBeWanted(request);
      return this.#options.view.showPayment(payment, payload);
    });
    return payment.orderId;
  }

  async #showDynamic(request: ShowQrRequest, bank: OnlineBank, bankMs: () => number): Promise<string> {
    const { view } = this.#options;
    const payment = this.#payments.enter(request, REGISTERING);
    await this.#payments.orFail(payment, async () => {
      await view.ready();
      this.#payments.mustBeWanted(request);
      const payload = await this.#register(payment, request, bank, bankMs());
      await view.showPayment(payment, payload);
    });
    return payment.orderId;
  }

  /** Returns the code, once it and the intent to show it are in the ledger. On failure the order is cancelled. */
  async #register(payment: NewPayment, request: ShowQrRequest, bank: OnlineBank, deadlineMs: number): Promise<string> {
    const { banks, ledger, dispatch } = this.#options;
    let isKnown = false;
    let isIntended = false;
    const keep = (ref: BankRef, code: string | null): void => {
      if (ledger.isTaken(payment, ref.id, code)) throw codeOfAnother();
      isKnown = true;
      if (code === null) dispatch({ type: 'bank-knows', orderId: payment.orderId, ref });
      else this.#intendToShow(payment, code, ref, request);
      isIntended = code !== null;
    };
    try {
      const limits = this.#options.limits(deadlineMs);
      const { ref, payload } = await banks.register(bank, orderOf(payment), keep, limits);
      if (!isIntended) keep(ref, payload);
      return payload;
    } catch (error) {
      // a contradictory answer may be about the payment of another lane, which must not be cancelled here
      const isContradiction = error instanceof BankError && error.code === 'contradiction';
      if (isKnown && !isContradiction) await this.#payments.cancel(payment);
      throw error;
    }
  }

  /** The last moment to give up a payment before its code is shown. The bank's id is kept to cancel the order. */
  #intendToShow({ orderId }: NewPayment, payload: string, ref: BankRef, request: ShowQrRequest): void {
    const { earlier, dispatch, view } = this.#options;
    try {
      this.#payments.mustBeWanted(request);
      earlier.mustBeUnpaid(request);
      view.makeRoomWhile(() => dispatch({ type: 'registered', orderId, payload, ref }));
    } catch (error) {
      dispatch({ type: 'bank-knows', orderId, ref });
      throw error;
    }
  }

  /** Shows a code that was shown before. The ledger has the intent before the first byte goes out. */
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
      this.#payments.mustBeWanted(request);
      earlier.mustBeUnpaid(request);
      const payment = book.find(orderId);
      if (payload === null || !isPayable(payment.status)) throw justEnded();
      await (isPrinted ? this.#printed.keep(payment, request, bank) : view.showPayment(payment, payload));
    } catch (error) {
      // the call has failed, and a customer who has scanned the code may still pay; a till with a key goes on waiting
      // for it
      if (request.orderId === null) dispatch({ type: 'recorded', orderId, event: { type: 'given-up' } });
      throw error;
    }
  }
}
