/**
 * One payment as a pure state machine: no network, no storage, and of clocks only what they are given. What happens to it
 * comes in as an event, what it has become comes out.
 *
 * PENDING → ACCEPTED, REJECTED, CANCELED or ERROR. Only the bank's word ends a payment that a customer may have seen, or
 * its expiry with the bank asked once more. Unknown never means failed, and an acceptance always wins, however late.
 */
import type { Clock } from '../../host/index.ts';
import type { BankVerdict } from '../banks/bank.ts';

const MINUTE_MS = 60_000;

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

export interface PaymentFailure {
  readonly category: string;
  readonly code: number;
  readonly message: string;
}

export interface PaymentStatus {
  readonly state: PaymentState;
  /** Whether a customer may have seen its code: set before the first byte goes to the display. */
  readonly seen: boolean;
  /**
   * Accepted and to be looked into: after it had ended otherwise, been replaced or given up, or without a till having read
   * so in time. Until a till reads ACCEPTED of it, or a person has looked into it.
   */
  readonly late: boolean;
  /** Accepted, and no till knows: neither by the status nor by the refusal of another call. */
  readonly untold: boolean;
  /** Another payment took its place while it was open. */
  readonly superseded: boolean;
  /** A till waits for its outcome: it got the answer to its call, and has not taken the payment back since. */
  readonly awaited: boolean;
  /** The bank has confirmed that it took the code out of use. */
  readonly withdrawn: boolean;
  /** Its till has taken it back, or has cleared the display: its code is shown no more, whatever the bank says. */
  readonly cancelled: boolean;
  /** Why it has ended; of one that is open, why nobody knows yet whether its code was shown (`isLeft`). */
  readonly failure: PaymentFailure | null;
}

export const REGISTERING: PaymentStatus = Object.freeze({
  state: 'PENDING',
  seen: false,
  late: false,
  untold: false,
  superseded: false,
  awaited: true,
  withdrawn: false,
  cancelled: false,
  failure: null,
});

export type PaymentEvent =
  /** The bank gave a code and its bytes are about to go out. */
  | { readonly type: 'showing' }
  /** Its code is about to be shown once more, for a call that asks for the same. */
  | { readonly type: 'shown-again' }
  /** The code could not be registered, or not be drawn. */
  | { readonly type: 'failed'; readonly failure: PaymentFailure }
  | { readonly type: 'verdict'; readonly verdict: BankVerdict }
  /** ttl and grace are over, and this is what the bank said when it was asked once more. */
  | { readonly type: 'expired'; readonly verdict: BankVerdict }
  /** The bank took the code out of use at our request. */
  | { readonly type: 'withdrawn' }
  /** It had been paid without a till knowing, and all of it goes back: a cancellation that came too late, or a hand at the bank. */
  | { readonly type: 'refunded'; readonly failure: PaymentFailure }
  /** Another payment takes its place. `known`: the display has shown that this one was accepted. */
  | { readonly type: 'superseded'; readonly known: boolean }
  /** The till had hung up before it was answered, or its call for the same code failed. */
  | { readonly type: 'given-up' }
  /** The till takes it back, or has cleared the display; the bank is asked to take its code out of use, too. */
  | { readonly type: 'cancelled' }
  /** Accepted, and no till has read so for a while. */
  | { readonly type: 'unread' }
  /** The till was refused another payment because this one turned out paid. */
  | { readonly type: 'told' }
  /** A till has read ACCEPTED, or a person has looked into it. */
  | { readonly type: 'acknowledged' }
  /** The process had ended before its code was shown, as the ledger has it; the bank must say whether that is all. */
  | { readonly type: 'left'; readonly failure: PaymentFailure }
  /** The same, and nobody can pay it: the bank has nothing of it or has taken it back, or cannot be asked. */
  | { readonly type: 'restarted'; readonly failure: PaymentFailure };

const END_OF: Partial<Record<BankVerdict, PaymentState>> = {
  accepted: 'ACCEPTED',
  rejected: 'REJECTED',
  canceled: 'CANCELED',
};

export const isOpen = ({ state }: PaymentStatus): boolean => state === 'PENDING';

/**
 * The process before left it open and its code unshown, as the ledger has it: an older state of the ledger says the same of a code that
 * was shown. Until its bank has reported more, it may be paid.
 */
export const isLeft = ({ state, failure }: PaymentStatus): boolean => state === 'PENDING' && failure !== null;

/** Its code may be in use at the bank: shown, not taken back, not accepted. A bank may let a customer who was declined try again. */
export const mayBePaid = (payment: PaymentStatus): boolean => {
  const { state, seen, withdrawn } = payment;
  return (seen || isLeft(payment)) && !withdrawn && state !== 'ACCEPTED' && state !== 'STATIC';
};

/** Open, or ended by a drawing that broke, of which a customer may have seen enough to pay: no bank has ended it. */
export const isUndecided = (payment: PaymentStatus): boolean =>
  mayBePaid(payment) && (payment.state === 'PENDING' || payment.state === 'ERROR');

function afterVerdict(payment: PaymentStatus, verdict: BankVerdict): PaymentStatus {
  const end = END_OF[verdict];
  if (end === undefined || payment.state === 'ACCEPTED') return payment;
  // who has paid, or tried to, has seen its code
  const known = isLeft(payment) ? { ...payment, seen: true, failure: null } : payment;
  if (end === 'ACCEPTED') {
    const late = !isOpen(payment) || payment.superseded || !payment.awaited;
    return { ...known, state: end, late, untold: true };
  }
  return isOpen(payment) ? { ...known, state: end } : payment;
}

/** Accepted, and nobody has read so: where the till goes on all the same, somebody must look into it. */
function superseded(payment: PaymentStatus, known: boolean): PaymentStatus {
  if (isOpen(payment)) return { ...payment, superseded: true };
  if (!payment.untold) return payment;
  if (known) return { ...payment, untold: false };
  return payment.late ? payment : { ...payment, late: true };
}

function shownAgain(payment: PaymentStatus): PaymentStatus {
  const isSo = isOpen(payment) && payment.awaited && !payment.superseded;
  if (isSo || isLeft(payment) || payment.cancelled || !mayBePaid(payment)) return payment;
  return { ...payment, state: 'PENDING', superseded: false, awaited: true, failure: null };
}

function withdrawn(payment: PaymentStatus): PaymentStatus {
  if (!mayBePaid(payment)) return payment;
  if (!isOpen(payment)) return { ...payment, withdrawn: true };
  return { ...payment, withdrawn: true, state: 'CANCELED', failure: null };
}

/** Paid, whatever became of the money: somebody must look into it, and no till is to hand anything out for it. */
function refunded(payment: PaymentStatus, failure: PaymentFailure): PaymentStatus {
  if (payment.state === 'ACCEPTED' && !payment.untold) return payment;
  return { ...payment, state: 'ACCEPTED', late: true, untold: false, failure };
}

/** Total and pure: an event that means nothing to a state leaves the payment as it is. */
export function advance(payment: PaymentStatus, event: PaymentEvent): PaymentStatus {
  if (payment.state === 'STATIC' && event.type !== 'failed') return payment;
  switch (event.type) {
    case 'verdict':
      return afterVerdict(payment, event.verdict);
    case 'expired':
      return isOpen(payment) && event.verdict === 'pending'
        ? { ...payment, state: 'CANCELED', failure: null }
        : afterVerdict(payment, event.verdict);
    case 'superseded':
      return superseded(payment, event.known);
    case 'given-up':
      return isOpen(payment) && payment.awaited ? { ...payment, awaited: false } : payment;
    case 'cancelled':
      return mayBePaid(payment) ? { ...payment, awaited: false, cancelled: true } : payment;
    case 'unread':
      return payment.untold && !payment.late ? { ...payment, late: true } : payment;
    case 'told':
      return payment.untold ? { ...payment, untold: false, late: true } : payment;
    case 'acknowledged':
      return payment.untold || payment.late ? { ...payment, untold: false, late: false } : payment;
    case 'showing':
      return isOpen(payment) ? { ...payment, seen: true } : payment;
    case 'shown-again':
      return shownAgain(payment);
    case 'withdrawn':
      return withdrawn(payment);
    case 'refunded':
      return refunded(payment, event.failure);
    case 'failed':
      return isOpen(payment) || payment.state === 'STATIC'
        ? { ...payment, state: 'ERROR', failure: event.failure }
        : payment;
    case 'left':
      return isOpen(payment) && !payment.seen ? { ...payment, failure: event.failure } : payment;
    case 'restarted':
      return isOpen(payment) && !payment.seen ? { ...payment, state: 'ERROR', failure: event.failure } : payment;
  }
}

/** When the code of a payment was made, and for how long. After another boot nobody knows how long the power was off. */
interface CodeLife {
  readonly bootId: string;
  /** Wall clock, ms. */
  readonly createdAt: number;
  /** Monotonic ms of that boot. */
  readonly createdMono: number;
  /** Minutes. */
  readonly ttl: number;
}

/** End of a payment's ttl on the monotonic clock, for those who follow it: after another boot its whole ttl counts again. */
export function expiryOf(payment: Omit<CodeLife, 'createdAt'>, clock: Clock): number {
  const start = payment.bootId === clock.bootId ? payment.createdMono : clock.monotonic();
  return start + payment.ttl * MINUTE_MS;
}

/** The same on the wall clock, as it was when the payment was asked for: for those who read it. */
export const timeEndOf = ({ createdAt, ttl }: Pick<CodeLife, 'createdAt' | 'ttl'>): number =>
  createdAt + ttl * MINUTE_MS;

/** Milliseconds of its ttl that are left, for those who show it: after another boot the wall clock is asked too. */
export function leftOf(payment: CodeLife, clock: Clock): number {
  const left = expiryOf(payment, clock) - clock.monotonic();
  if (payment.bootId === clock.bootId) return left;
  return Math.min(left, timeEndOf(payment) - clock.wall());
}

/** Whether at least half of its ttl is left: enough to show its code to a customer once more. */
export const isHalfLeft = (payment: CodeLife, clock: Clock): boolean =>
  leftOf(payment, clock) >= (payment.ttl * MINUTE_MS) / 2;

/** Whether a customer may still be able to pay it: no bank has ended it. A fixed code is never reported by a bank. */
export const isPayable = (status: PaymentStatus): boolean => isUndecided(status) || status.state === 'STATIC';

/** Whether its code may be shown to the customer once more: he may pay it, and its time is not over. */
export const mayBeShown = (
  payment: CodeLife & { readonly payload: string | null; readonly status: PaymentStatus },
  clock: Clock,
): boolean =>
  payment.payload !== null && isPayable(payment.status) && !payment.status.cancelled && leftOf(payment, clock) > 0;
