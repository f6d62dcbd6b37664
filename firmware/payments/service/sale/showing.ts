/** The steps of one sale: from asking about the earlier payments to the last byte of its code. */
import { timeBudget } from '../../../../drivers/lib/async.ts';
import { type Bank, BankError, type BankRef, type OnlineBank } from '../../../banks/index.ts';
import { isPayable, mayBeShown, type PaymentStatus, REGISTERING, remainingMsOf } from '../../model/payment.ts';
import {
  codeOfAnother,
  justEnded,
  notShownAgain,
  openBefore,
  openOnPrinted,
  type PaymentWarning,
  sameCode,
  unknownBefore,
} from '../../model/payment-failures.ts';
import type { NewPayment, PaymentRow } from '../../model/payment-row.ts';
import type { PaymentDeps } from '../outcome/deps.ts';
import type { Follower } from '../outcome/follower.ts';
import type { EarlierPayments, FoundEarlier } from './earlier-payments.ts';
import { NewPayments, orderOf } from './new-payments.ts';
import { PrintedPayments, printedOf } from './printed-code.ts';
import type { Sale } from './sale.ts';

/** Time for questions about earlier payments, beside the bank's time for the new one. A till waits meanwhile. */
const EARLIER_MS = 3000;
/**
 * Share of the bank's time for the look-up of a sale: it is one call, the registration after it two. Where the bank is
 * slower, the key stays unused, and no order is left half registered.
 */
const LOOK_UP_SHARE = 0.5;

/** The answer to a call. */
export interface Answered {
  readonly orderId: string;
  /** Whether an earlier call has asked for the payment. */
  readonly isAgain: boolean;
  /** Whether its code is on the display now; else it has ended, or its code must not be shown any more. */
  readonly isShown: boolean;
  /** Warnings beside the success. */
  readonly warnings: readonly PaymentWarning[];
}

const isOnPresentCode = (bank: Bank, ref: BankRef): boolean =>
  bank.kind === 'static' || (bank.isOnPresentCode?.(ref) ?? true);

export class Showing {
  readonly #deps: PaymentDeps;
  readonly #follower: Follower;
  readonly #earlier: EarlierPayments;
  readonly #payments: NewPayments;
  readonly #printed: PrintedPayments;

  constructor(deps: PaymentDeps, follower: Follower, earlier: EarlierPayments) {
    this.#deps = deps;
    this.#follower = follower;
    this.#earlier = earlier;
    this.#payments = new NewPayments(deps, follower);
    this.#printed = new PrintedPayments(deps, follower, earlier, this.#payments);
  }

  /** Shows the code of an earlier payment for the same sale while that may be paid, else of a new one. @throws {Error} for `paymentFailure` */
  async findOrMake(sale: Sale): Promise<Answered> {
    const { bankDeadlineMs } = this.#deps.pacing;
    const leftMs = timeBudget(EARLIER_MS + bankDeadlineMs);
    const bankMs = (): number => Math.min(bankDeadlineMs, leftMs());
    this.#payments.assertNotCleared(sale);
    const bank = await this.#deps.banks.opened.open(sale.profile);
    const found = await this.#askEarlier(sale, bank);
    const { again } = found;
    const earlierWarnings = this.#warningsOf(found, sale, bank);
    if (again === null) {
      const adopted =
        bank.kind === 'online' ? await this.#payments.adopt(sale, bank, Math.ceil(bankMs() * LOOK_UP_SHARE)) : null;
      // `repeat` asks the bank for its state, as for all payments that may be paid
      if (adopted !== null) return this.repeat({ ...sale, orderId: adopted }, adopted);
      const orderId = await this.#makeNew(sale, bank, bankMs);
      return { orderId, isAgain: false, isShown: true, warnings: earlierWarnings };
    }
    await this.#showAgain(sale, again, bank);
    return {
      orderId: again.orderId,
      isAgain: true,
      isShown: true,
      warnings: [...earlierWarnings, sameCode(remainingMsOf(again, this.#deps.clock))],
    };
  }

  /**
   * Shows the code of a payment for a call with the same key. Where the payment has ended meanwhile, nothing is shown:
   * its state says why.
   * @throws {Error} for `paymentFailure`
   */
  async repeat(sale: Sale, orderId: string): Promise<Answered> {
    const { book, banks, clock } = this.#deps;
    this.#payments.assertNotCleared(sale);
    const bank = await banks.opened.open(sale.profile);
    const warnings = this.#warningsOf(await this.#askEarlier(sale, bank), sale, bank);
    const payment = book.find(orderId);
    const isOnCode = payment.ref === null || isOnPresentCode(bank, payment.ref);
    if (isOnCode && mayBeShown(payment, clock)) {
      try {
        await this.#showAgain(sale, payment, bank);
        return { orderId, isAgain: true, isShown: true, warnings };
      } catch (error) {
        if (isPayable(book.find(orderId).status)) throw error; // else it is paid or has ended, and nothing has failed
      }
    }
    return { orderId, isAgain: true, isShown: false, warnings: [...warnings, ...notShownAgain(book.find(orderId))] };
  }

  #warningsOf({ unknown, stillOpen: open }: FoundEarlier, sale: Sale, bank: Bank): PaymentWarning[] {
    const earlier = this.#earlier;
    const onPrinted = open.filter(({ payload }) => payload === printedOf(bank)?.payload);
    const givenUp = open.filter((payment) => !onPrinted.includes(payment) && earlier.isSameSale(payment.orderId, sale));
    const unknownOwn = unknown.filter((payment) => earlier.isOf(payment, sale));
    return [
      ...(unknownOwn.length > 0 ? [unknownBefore(unknownOwn)] : []),
      ...(onPrinted.length > 0 ? [openOnPrinted(onPrinted.filter((payment) => earlier.isOf(payment, sale)))] : []),
      ...(givenUp.length > 0 ? [openBefore(givenUp)] : []),
    ];
  }

  /**
   * Asks about earlier payments. Removes the code of another sale from the display first: no customer may begin to pay
   * it.
   */
  async #askEarlier(sale: Sale, bank: Bank): Promise<FoundEarlier> {
    const { view } = this.#deps;
    if (view.shown !== null && !this.#earlier.standsFor(view.shown, sale)) view.removeCode();
    return this.#earlier.askAndWithdraw(sale, ({ ref }) => ref === null || isOnPresentCode(bank, ref));
  }

  /** @param bankMs time left for the bank in this sale */
  #makeNew(sale: Sale, bank: Bank, bankMs: () => number): Promise<string> {
    if (bank.kind === 'static') return this.#makeStatic(sale, bank.payload);
    const printed = printedOf(bank);
    return printed === null ? this.#makeDynamic(sale, bank, bankMs) : this.#printed.put(sale, bank, printed, bankMs);
  }

  async #makeStatic(sale: Sale, payload: string): Promise<string> {
    const status: PaymentStatus = { ...REGISTERING, state: 'STATIC', seen: true };
    const payment = this.#payments.enter(sale, status, payload);
    try {
      this.#payments.assertNotCleared(sale);
      await this.#deps.view.showCode(payment, payload);
    } catch (cause) {
      throw this.#payments.fail(payment, cause);
    }
    return payment.orderId;
  }

  async #makeDynamic(sale: Sale, bank: OnlineBank, bankMs: () => number): Promise<string> {
    const { view } = this.#deps;
    const payment = this.#payments.enter(sale, REGISTERING);
    try {
      await view.requireDisplay();
      this.#payments.assertNotCleared(sale);
      const payload = await this.#register(payment, sale, bank, bankMs());
      await view.showCode(payment, payload);
    } catch (cause) {
      throw this.#payments.fail(payment, cause);
    }
    return payment.orderId;
  }

  /**
   * Registers a payment. Returns the code once the ledger has it with the intent to show it. A failure cancels the
   * order.
   */
  async #register(payment: NewPayment, sale: Sale, bank: OnlineBank, deadlineMs: number): Promise<string> {
    const { banks, book, ledger, limits, screen } = this.#deps;
    const known: { ref: BankRef | null; hasCode: boolean } = { ref: null, hasCode: false };
    const recordRef = (ref: BankRef, code: string | null): void => {
      if (ledger.queries.belongsToAnother(payment, ref.id, code)) throw codeOfAnother();
      known.ref = ref;
      known.hasCode = code !== null;
      // it is recorded below, in one commit with the code: until then the bank finds the order by our id
    };
    try {
      const { ref, payload } = await banks.register(bank, orderOf(payment), recordRef, limits(deadlineMs));
      if (!known.hasCode) recordRef(ref, payload);
      this.#payments.assertNotCleared(sale); // the last moment to give the payment up before its code is shown
      this.#earlier.assertUnpaid(sale);
      screen.makeRoom();
      try {
        ledger.intendToShow(payment.orderId, payload, ref);
        this.#follower.follow(book.find(payment.orderId));
      } catch (error) {
        screen.redrawPicture();
        throw error;
      }
      return payload;
    } catch (error) {
      // a contradictory answer may be about the payment of another lane, which must not be cancelled here
      const isContradiction = error instanceof BankError && error.code === 'contradiction';
      if (known.ref !== null && !isContradiction) await this.#cancelUnshown(payment, known.ref);
      throw error;
    }
  }

  /** Cancels the order of a code that is not shown. The bank's id is recorded first, where the ledger can be written. */
  async #cancelUnshown(payment: NewPayment, ref: BankRef): Promise<void> {
    const { ledger, log } = this.#deps;
    const { orderId } = payment;
    try {
      ledger.recordRef(orderId, ref);
    } catch (error) {
      log('what the bank knows a payment by cannot be kept', { orderId, reason: String(error) });
    }
    await this.#payments.cancel(payment, ref);
  }

  /** Shows a code again. The ledger has the intent before the first byte goes out. */
  async #showAgain(sale: Sale, { orderId, payload }: PaymentRow, bank: Bank): Promise<void> {
    const { book, callBook, view } = this.#deps;
    try {
      callBook.callAgain(orderId, { type: 'shown-again' });
      this.#follower.hasten(orderId);
    } catch (error) {
      view.removeCode(); // it may be on the display, and the call fails
      throw error;
    }
    try {
      const isPrinted = bank.kind === 'online' && printedOf(bank) !== null;
      if (!isPrinted) await view.requireDisplay();
      this.#payments.assertNotCleared(sale);
      this.#earlier.assertUnpaid(sale);
      const payment = book.find(orderId);
      if (payload === null || !isPayable(payment.status)) throw justEnded();
      await (isPrinted ? this.#printed.showAgain(payment, sale, bank) : view.showCode(payment, payload));
    } catch (error) {
      // the call has failed, and a customer who has scanned the code may still pay; a till with a key continues to wait
      // for that
      if (sale.orderId === null) book.note(orderId, { type: 'given-up' });
      throw error;
    }
  }
}
