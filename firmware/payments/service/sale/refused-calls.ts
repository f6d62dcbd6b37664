/** What the status reports about a refused call: never the previous payment as its outcome. */
import { BlockedByEarlier, paidBefore } from '../../model/payment-failures.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { PaymentDeps } from '../outcome/deps.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import type { Caller, Sale } from './sale.ts';

export class RefusedCalls {
  readonly #deps: PaymentDeps;
  readonly #earlier: EarlierPayments;

  constructor(deps: PaymentDeps, earlier: EarlierPayments) {
    this.#deps = deps;
    this.#earlier = earlier;
  }

  /** A call is refused before its turn. @param call its number */
  refuseEarly(sale: Sale, call: number, error: unknown): void {
    if (!this.#reportOpen(sale, call, [this.#deps.callBook.last()])) this.#fail(sale, call, error);
  }

  /** A call is refused in its turn. @param call its number @param callers those that get the refusal */
  refuse(sale: Sale, call: number, error: unknown, callers: readonly Caller[]): void {
    const { callBook, view } = this.#deps;
    if (error instanceof BlockedByEarlier && this.#reportOpen(sale, call, [callBook.last(), error.payment])) return;
    const paid = paidBefore(error);
    const [newest] = paid;
    if (newest === undefined) {
      this.#fail(sale, call, error);
      return;
    }
    callBook.refuseCall(call, error);
    this.#reportPaid(paid, call, callers);
    view.removeCode();
    view.showPaid(newest.orderId); // on a free display, shows the customer who has paid that it worked
  }

  /** Makes the status report the first open payment of the sale. Returns whether there is one. */
  #reportOpen(sale: Sale, call: number, payments: readonly (PaymentRow | null)[]): boolean {
    const open = payments.find((payment) => payment !== null && this.#earlier.isOpenSale(payment, sale));
    if (open) this.#deps.callBook.reportPayment(open.orderId, call);
    return open !== undefined;
  }

  /**
   * A call fails. With a known key the status is about the payment of the key, which is unchanged; else about the
   * failure.
   */
  #fail({ orderId }: Sale, call: number, error: unknown): void {
    const { callBook } = this.#deps;
    if (orderId === null) callBook.failCall(call, error);
    else callBook.reportPayment(orderId, call);
  }

  /** Payments count as reported once the refusal has reached a till. A till that has hung up has not received it. */
  #reportPaid(payments: readonly PaymentRow[], call: number, callers: readonly Caller[]): void {
    const informed = new Set<string | null>();
    for (const { till, whenAnswered } of callers) {
      whenAnswered(() => {
        if (!informed.has(till)) this.#deps.callBook.reportPaid(payments, call, till);
        informed.add(till);
      });
    }
  }
}
