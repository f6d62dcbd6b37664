/**
 * One payment as a pure state machine: no clock, no network, no storage. What happens to it comes in as an event, what it
 * has become comes out.
 *
 * PENDING → ACCEPTED, REJECTED, CANCELED or ERROR. Only the bank's word ends a payment that a customer may have seen, or
 * its expiry with the bank asked once more. Unknown never means failed, and an acceptance always wins, however late.
 */
import type { BankVerdict } from './banks/bank.ts';

export const PAYMENT_STATES = Object.freeze([
  'EMPTY',
  'ERROR',
  'PENDING',
  'ACCEPTED',
  'REJECTED',
  'CANCELED',
  'STATIC',
] as const);
/** EMPTY is the terminal's word for "no payment yet": no row has it. */
export type DynamicStatus = (typeof PAYMENT_STATES)[number];
export type PaymentState = Exclude<DynamicStatus, 'EMPTY'>;

export interface PaymentFault {
  readonly category: string;
  readonly code: number;
  readonly message: string;
}

export interface PaymentStanding {
  readonly state: PaymentState;
  /** Whether a customer may have seen its code: set before the first byte goes to the display. */
  readonly seen: boolean;
  /** Accepted after it had already ended otherwise, or after another payment took its place; until a till is told so. */
  readonly late: boolean;
  /** Another payment took its place while it was open. */
  readonly superseded: boolean;
  readonly fault: PaymentFault | null;
}

export const REGISTERING: PaymentStanding = Object.freeze({
  state: 'PENDING',
  seen: false,
  late: false,
  superseded: false,
  fault: null,
});

export type PaymentEvent =
  /** The bank gave a code and its bytes are about to go out. */
  | { readonly type: 'showing' }
  /** The code could not be registered, or not be drawn. */
  | { readonly type: 'failed'; readonly fault: PaymentFault }
  | { readonly type: 'verdict'; readonly verdict: BankVerdict }
  /** ttl and grace are over, and this is what the bank said when it was asked once more. */
  | { readonly type: 'expired'; readonly verdict: BankVerdict }
  /** The bank took the code out of use at our request. */
  | { readonly type: 'withdrawn' }
  | { readonly type: 'superseded' }
  /** The till was refused another payment because this one turned out paid. */
  | { readonly type: 'told' }
  /** The process had ended in the meantime. */
  | { readonly type: 'restarted'; readonly fault: PaymentFault };

const END_OF: Partial<Record<BankVerdict, PaymentState>> = {
  accepted: 'ACCEPTED',
  rejected: 'REJECTED',
  canceled: 'CANCELED',
};

export const isOpen = ({ state }: PaymentStanding): boolean => state === 'PENDING';

/** Open, or ended by a drawing that broke, of which a customer may have seen enough to pay. */
export const mayBePaid = (payment: PaymentStanding): boolean =>
  isOpen(payment) || (payment.state === 'ERROR' && payment.seen);

function judged(payment: PaymentStanding, verdict: BankVerdict): PaymentStanding {
  const end = END_OF[verdict];
  if (end === undefined || payment.state === 'ACCEPTED') return payment;
  if (isOpen(payment)) return { ...payment, state: end, late: end === 'ACCEPTED' && payment.superseded };
  return end === 'ACCEPTED' ? { ...payment, state: 'ACCEPTED', late: true } : payment;
}

/** Total and pure: an event that means nothing to a state leaves the payment as it is. */
export function advance(payment: PaymentStanding, event: PaymentEvent): PaymentStanding {
  if (payment.state === 'STATIC' && event.type !== 'failed') return payment;
  switch (event.type) {
    case 'verdict':
      return judged(payment, event.verdict);
    case 'expired':
      return isOpen(payment) && event.verdict === 'pending'
        ? { ...payment, state: 'CANCELED' }
        : judged(payment, event.verdict);
    case 'superseded':
      return isOpen(payment) ? { ...payment, superseded: true } : payment;
    case 'told':
      return payment.late ? { ...payment, late: false } : payment;
    case 'showing':
      return isOpen(payment) ? { ...payment, seen: true } : payment;
    case 'withdrawn':
      return isOpen(payment) ? { ...payment, state: 'CANCELED' } : payment;
    case 'failed':
      return isOpen(payment) || payment.state === 'STATIC'
        ? { ...payment, state: 'ERROR', fault: event.fault }
        : payment;
    case 'restarted':
      return isOpen(payment) && !payment.seen ? { ...payment, state: 'ERROR', fault: event.fault } : payment;
  }
}
