/**
 * One payment as a pure state machine: no network, no storage, clocks passed in. Events go in, a new status comes out.
 *
 * PENDING → ACCEPTED, REJECTED, CANCELED or ERROR. A payment that a customer may have seen ends by the bank's report
 * alone, or by its expiry after the bank was asked again. Unknown never means failed. An acceptance always wins,
 * however late.
 */
import type { BankVerdict } from '../../banks/index.ts';
import type { Clock } from '../../core/host/index.ts';

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
/** EMPTY means that there is no payment yet: no row has this state. */
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
   * Accepted, and a person must look into it: it had ended otherwise before, or was replaced or given up, or no till
   * read the acceptance in time. Cleared when its till acts on it (`handled`), or a person has reviewed it.
   */
  readonly late: boolean;
  /** Accepted, and reported to no till yet: neither as the status nor by the refusal of another call. */
  readonly unreported: boolean;
  /** Another payment took its place while it was open. */
  readonly superseded: boolean;
  /** A till waits for its outcome: it got the answer to its call, and has not cancelled the payment since. */
  readonly awaited: boolean;
  /** The bank has confirmed that it took the code out of use. */
  readonly withdrawn: boolean;
  /** Its till has cancelled it, or has cleared the display: its code is not shown again, even while it may be paid. */
  readonly cancelled: boolean;
  /** Why it has ended; for an open payment, why it is unknown whether its code was shown (`isAbandoned`). */
  readonly failure: PaymentFailure | null;
}

export const REGISTERING: PaymentStatus = Object.freeze({
  state: 'PENDING',
  seen: false,
  late: false,
  unreported: false,
  superseded: false,
  awaited: true,
  withdrawn: false,
  cancelled: false,
  failure: null,
});

export type PaymentEvent =
  /** Its code is about to be shown again, for a call that asks for the same. */
  | { readonly type: 'shown-again' }
  /** It could not be registered, or its code could not be drawn. */
  | { readonly type: 'failed'; readonly failure: PaymentFailure }
  | { readonly type: 'verdict'; readonly verdict: BankVerdict }
  /** ttl and grace are over; `verdict` is the bank's report since. */
  | { readonly type: 'expired'; readonly verdict: BankVerdict }
  /** The bank took the code out of use at our request. */
  | { readonly type: 'withdrawn' }
  /** It was paid, and all of it goes back before a till knew: it was cancelled too late, or refunded at the bank. */
  | { readonly type: 'refunded'; readonly failure: PaymentFailure }
  /** Another payment replaces it. `known`: the display has shown that this one was accepted. */
  | { readonly type: 'superseded'; readonly known: boolean }
  /** The till had hung up before it was answered, or its call for the same code failed. */
  | { readonly type: 'given-up' }
  /** The till cancels it, or has cleared the display. The bank is asked to take its code out of use, too. */
  | { readonly type: 'cancelled' }
  /** It was accepted, and no till has read that in time. */
  | { readonly type: 'unread' }
  /** The acceptance was reported to a till: its call for another payment was refused because this one was paid. */
  | { readonly type: 'reported' }
  /** Its till has read ACCEPTED, of this payment or in a list. */
  | { readonly type: 'read' }
  /** Its till got ACCEPTED as an answer: of the status, or of a call that waits, repeats, cancels or records the receipt. */
  | { readonly type: 'handled' }
  /** A person has looked into it. */
  | { readonly type: 'reviewed' }
  /** As the ledger has it, the process ended before the code was shown. The bank is asked before the payment fails. */
  | { readonly type: 'abandoned'; readonly failure: PaymentFailure }
  /**
   * The previous process abandoned it, and it has failed: the bank does not have its order, has withdrawn it, or cannot
   * be asked.
   */
  | { readonly type: 'restarted'; readonly failure: PaymentFailure };

const END_OF: Partial<Record<BankVerdict, PaymentState>> = {
  accepted: 'ACCEPTED',
  rejected: 'REJECTED',
  canceled: 'CANCELED',
};

export const isOpen = ({ state }: PaymentStatus): boolean => state === 'PENDING';

/**
 * Whether, by the ledger, the previous process abandoned it before its code was shown. An older state of the ledger
 * says the same of a code that was shown. So it counts as payable until its bank has reported more.
 */
export const isAbandoned = ({ state, failure }: PaymentStatus): boolean => state === 'PENDING' && failure !== null;

/**
 * Whether its code may be in use at the bank: it was shown, and is neither withdrawn nor accepted. A bank may let a
 * customer who was declined try again.
 */
export const mayBePaid = (payment: PaymentStatus): boolean => {
  const { state, seen, withdrawn } = payment;
  return (seen || isAbandoned(payment)) && !withdrawn && state !== 'ACCEPTED' && state !== 'STATIC';
};

/** Whether the bank has not ended it: it is open, or a drawing failed of which a customer may have seen enough to pay. */
export const isUndecided = (payment: PaymentStatus): boolean =>
  mayBePaid(payment) && (payment.state === 'PENDING' || payment.state === 'ERROR');

function afterVerdict(payment: PaymentStatus, verdict: BankVerdict): PaymentStatus {
  const end = END_OF[verdict];
  if (end === undefined || payment.state === 'ACCEPTED') return payment;
  // a customer who has paid, or tried to, has seen its code
  const known = isAbandoned(payment) ? { ...payment, seen: true, failure: null } : payment;
  if (end === 'ACCEPTED') {
    const late = !isOpen(payment) || payment.superseded || !payment.awaited;
    return { ...known, state: end, late, unreported: true };
  }
  return isOpen(payment) ? { ...known, state: end } : payment;
}

/** An acceptance that no till has read becomes late when another payment replaces it: a person must look into it. */
function superseded(payment: PaymentStatus, known: boolean): PaymentStatus {
  if (isOpen(payment)) return { ...payment, superseded: true };
  if (!payment.unreported) return payment;
  if (known) return { ...payment, unreported: false };
  return payment.late ? payment : { ...payment, late: true };
}

function shownAgain(payment: PaymentStatus): PaymentStatus {
  const isAlready = isOpen(payment) && payment.awaited && !payment.superseded;
  if (isAlready || isAbandoned(payment) || payment.cancelled || !mayBePaid(payment)) return payment;
  return { ...payment, state: 'PENDING', superseded: false, awaited: true, failure: null };
}

function withdrawn(payment: PaymentStatus): PaymentStatus {
  if (!mayBePaid(payment)) return payment;
  if (!isOpen(payment)) return { ...payment, withdrawn: true };
  return { ...payment, withdrawn: true, state: 'CANCELED', failure: null };
}

/** A paid payment whose money goes back: a person must look into it, and no till may hand out goods for it. */
function refunded(payment: PaymentStatus, failure: PaymentFailure): PaymentStatus {
  if (payment.state === 'ACCEPTED' && !payment.unreported) return payment;
  return { ...payment, state: 'ACCEPTED', late: true, unreported: false, failure };
}

/** The status after an event. Total and pure: an event that does not apply leaves the payment unchanged. */
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
      return payment.unreported && !payment.late ? { ...payment, late: true } : payment;
    case 'reported':
      return payment.unreported ? { ...payment, unreported: false, late: true } : payment;
    case 'read':
      return payment.unreported && !payment.late ? { ...payment, unreported: false } : payment;
    case 'handled':
    case 'reviewed':
      return payment.unreported || payment.late ? { ...payment, unreported: false, late: false } : payment;
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
    case 'abandoned':
      return isOpen(payment) && !payment.seen ? { ...payment, failure: event.failure } : payment;
    case 'restarted':
      return isOpen(payment) && !payment.seen ? { ...payment, state: 'ERROR', failure: event.failure } : payment;
  }
}

/** When the code of a payment was made, and its ttl. After another boot nobody knows how long the power was off. */
interface CodeLife {
  readonly bootId: string;
  /** Wall clock, ms since 1970. */
  readonly createdAt: number;
  /** Monotonic ms of that boot. */
  readonly createdMono: number;
  /** Minutes. */
  readonly ttl: number;
}

/** End of a payment's ttl on the monotonic clock, for polling its bank. After another boot its full ttl counts. */
export function expiryOf(payment: Omit<CodeLife, 'createdAt'>, clock: Clock): number {
  const start = payment.bootId === clock.bootId ? payment.createdMono : clock.monotonic();
  return start + payment.ttl * MINUTE_MS;
}

/**
 * Milliseconds since a payment was made, for how often its bank is asked. After another boot the wall clock counts, which
 * may be wrong: a code of the future counts as new, an old one as one at the end of its ttl.
 */
export function ageOf({ bootId, createdAt, createdMono, ttl }: CodeLife, clock: Clock): number {
  if (bootId === clock.bootId) return clock.monotonic() - createdMono;
  return Math.min(Math.max(clock.wall() - createdAt, 0), ttl * MINUTE_MS);
}

/** End of a payment's ttl on the wall clock of its request, for answers and reports. */
export const timeEndOf = ({ createdAt, ttl }: Pick<CodeLife, 'createdAt' | 'ttl'>): number =>
  createdAt + ttl * MINUTE_MS;

/** Milliseconds of its ttl that remain, for showing its code. After another boot the wall clock counts too. */
export function remainingMsOf(payment: CodeLife, clock: Clock): number {
  const remaining = expiryOf(payment, clock) - clock.monotonic();
  if (payment.bootId === clock.bootId) return remaining;
  return Math.min(remaining, timeEndOf(payment) - clock.wall());
}

/** Whether at least half of its ttl remains: enough to show its code to a customer again. */
export const hasHalfRemaining = (payment: CodeLife, clock: Clock): boolean =>
  remainingMsOf(payment, clock) >= (payment.ttl * MINUTE_MS) / 2;

/** Whether a customer may still be able to pay it: no bank has ended it. A fixed code is never reported by a bank. */
export const isPayable = (status: PaymentStatus): boolean => isUndecided(status) || status.state === 'STATIC';

/** Whether its code may be shown to the customer again: it may be paid, and its time is not over. */
export const mayBeShown = (
  payment: CodeLife & { readonly payload: string | null; readonly status: PaymentStatus },
  clock: Clock,
): boolean =>
  payment.payload !== null &&
  isPayable(payment.status) &&
  !payment.status.cancelled &&
  remainingMsOf(payment, clock) > 0;
