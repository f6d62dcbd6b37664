/** What a payment needs from any bank, whatever the bank's API. A bank's declaration about itself: `adapter.ts`. */

import type { BankRef, BankReport, CancelOutcome, Order, Registering, SoughtOrder } from './bank-payment.ts';
import type { RefundOrder, RefundReport } from './bank-refund.ts';
import type { LinkRule } from './payment-link.ts';

/** A printed code of the shop; each sale is put on it for a while (кассовая ссылка). */
export interface CashLink {
  /** The bank's id of the printed code. */
  readonly id: string;
  /** The link that is printed. */
  readonly payload: string;
}

/** A bank's calls for cash links. */
export interface CashLinks {
  /** Makes a code to be printed. @throws {BankError} */
  create(description: string, signal: AbortSignal): Promise<CashLink>;
}

/** The printed code that carries every payment of a profile. */
export interface PrintedCode {
  readonly payload: string;
  /** The reference of a payment: stored before the bank gets the payment, which may be paid from that moment. */
  refOf(orderId: string): BankRef;
  /** Whether the bank has confirmed the payment: the ref then comes from a registration. */
  isConfirmed(ref: BankRef): boolean;
}

export interface OnlineBank {
  readonly kind: 'online';
  /** Where it is called, an http: or https: URL; absent where it is called in no such way. */
  readonly address?: string;
  /** The profile's printed code; absent where each payment gets a code of its own, which is shown. */
  readonly printed?: PrintedCode | null;
  /** Whether a payment's reference is on the profile's present printed code; absent where the bank prints none. */
  readonly isOnPresentCode?: (ref: BankRef) => boolean;
  /** Which links the bank may give (`payment-link.ts`). */
  readonly linkRule: LinkRule;
  /**
   * Registers a payment. Where the answer is lost, `find` finds the payment; a bank without `find` leaves a payment whose
   * code was never shown, so that nobody pays it.
   * @throws {BankError} with `isDuplicate` where the bank has it already
   */
  begin(order: Order, signal: AbortSignal): Promise<Registering>;
  /**
   * Asks for the code of a payment whose `begin` gave none; may be repeated. Such a bank has `find`: what `begin` gave is
   * in the ledger only with the code. @throws {BankError}
   */
  readonly code?: (ref: BankRef, order: Order, signal: AbortSignal) => Promise<Registering>;
  /**
   * Looks for a payment by our order id, after an answer was lost; null where the bank has none. Absent where a repeated
   * `begin` gives the same, or the bank cannot look for it. @throws {BankError}
   */
  readonly find?: (order: SoughtOrder, signal: AbortSignal) => Promise<FoundPayment | null>;
  /** @throws {BankError} */
  status(ref: BankRef, signal: AbortSignal): Promise<BankReport>;
  /** Takes an unpaid code out of use; absent where the bank cannot. @throws {BankError} where it does not answer */
  readonly cancel?: (ref: BankRef, signal: AbortSignal) => Promise<CancelOutcome>;
  /** Refunds; absent where the bank cannot. Calls with the same `refundId` refund once. @throws {BankError} */
  readonly refund?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport>;
  /** Reads the state of a refund that was under way; absent where `refund` returns it at once. @throws {BankError} */
  readonly refundStatus?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport>;
  /**
   * Reads the bank's report on a refund, and never makes it, even where the outcome of the refund call is unknown. Null
   * where the bank has nothing of it, `unreported` where it does not list the refunds of this payment. Absent where no
   * bank of this kind lists them. @throws {BankError}
   */
  readonly findRefund?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport | 'unreported' | null>;
  /** Calls for cash links; absent where the bank has none. */
  readonly cashLinks?: CashLinks;
  /**
   * Asks about a payment that does not exist, which only the right bank answers, and only to a known caller. Registers
   * nothing: even a code of one kopeck can be paid. Absent where no such question exists. @throws {BankError}
   */
  readonly tryOut?: (signal: AbortSignal) => Promise<void>;
  /** Closes the connections; calls under way may finish. */
  close(): Promise<void>;
}

/** A payment that the bank has under our order id, with its report: believed only where that fits. */
export interface FoundPayment {
  readonly ref: BankRef;
  readonly report: BankReport;
}

/** A fixed code: nothing is registered, no outcome can be known. */
export interface StaticBank {
  readonly kind: 'static';
  readonly payload: string;
}

export type Bank = OnlineBank | StaticBank;
