/**
 * A sale that a till requests again with the same key. A call that is being answered is joined. The code of a payment
 * that may still be paid is shown again. Of a payment that has ended, the state is returned. No new order is ever
 * registered.
 */
import type { BankProfile } from '../banks/registry.ts';
import type { PaymentRow, SaleKey } from '../ledger/payment-row.ts';
import type { Answered, Caller, ShowQrCalls } from './calls.ts';
import type { PaymentParts } from './parts.ts';
import { isLeft, mayBeShown } from './payment.ts';
import { notShownAgain } from './payment-failures.ts';
import type { AskedPayment } from './sale.ts';
import { damagedSale, failedBefore, keyConflict } from './sale-key.ts';

interface RepeatedSalesOptions extends PaymentParts {
  readonly calls: ShowQrCalls;
}

export class RepeatedSales {
  readonly #options: RepeatedSalesOptions;

  constructor(options: RepeatedSalesOptions) {
    this.#options = options;
  }

  /**
   * @returns null where the key is new
   * @throws {TerminalError} where it stands for something else, or its payment could not be registered
   */
  answer(key: SaleKey, asked: AskedPayment, caller: Caller): Promise<Answered> | null {
    const joined = this.#options.calls.join(key, asked, caller);
    if (joined !== null) return joined;
    const payment = this.#paymentOf(key, caller.till);
    if (payment === null) return null;
    if (payment.sale?.body !== key.body)
      throw keyConflict(asked, { ...payment, ...payment.sale, body: payment.sale?.body ?? '' }, payment.orderId);
    return this.#answer(this.#options.book.find(payment.orderId), key, caller);
  }

  /** @throws {TerminalError} where its row is damaged: what it was is unknown */
  #paymentOf({ key }: SaleKey, till: string | null): PaymentRow | null {
    const { ledger } = this.#options;
    const found = ledger.ofSale(till, key);
    if (found === null) return null;
    if (!ledger.isSound(found.id)) throw damagedSale(found.orderId);
    return ledger.ofSale(till, key); // it may have been put back by now
  }

  #answer(payment: PaymentRow, key: SaleKey, caller: Caller): Promise<Answered> {
    const { clock, view, calls, book, dispatch } = this.#options;
    const { orderId, amount, purpose, ttl, profile: profileName, till, cashier } = payment;
    const profile = this.#profileOf(payment);
    const wasLeft = isLeft(payment.status); // then its bank is asked about it in its turn
    if (profile !== null && (wasLeft || mayBeShown(payment, clock))) {
      const { clearings } = view;
      const { ownOnly } = caller;
      const request = { amount, purpose, ttl, profileName, profile, till, cashier, ownOnly, key, orderId, clearings };
      const answered = calls.show(request, caller);
      return wasLeft ? answered.then((answer) => this.#unlessFailed(answer)) : answered;
    }
    dispatch({ type: 'call-held-back', call: book.nextCall(), orderId }); // this call is the last one, and the status its own
    if (payment.status.state === 'ERROR') throw failedBefore(payment);
    return Promise.resolve({ orderId, isAgain: true, isShown: false, warnings: notShownAgain(payment) });
  }

  /** @throws {TerminalError} where the bank has said that it cannot be paid */
  #unlessFailed(answer: Answered): Answered {
    const payment = this.#options.book.find(answer.orderId);
    if (payment.status.state === 'ERROR') throw failedBefore(payment);
    return answer;
  }

  /** Null where its bank is not set up any more: it is followed, and its code not shown. */
  #profileOf(payment: PaymentRow): BankProfile | null {
    const { profileOf, banks } = this.#options;
    const profile = profileOf(payment.profile);
    return profile !== null && banks.isFor(payment, profile) ? profile : null;
  }
}
