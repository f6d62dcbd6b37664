/**
 * The calls for a code, and what the status is about, as a pure state machine: no ledger, no clock. Events go in; a new
 * state comes out, with what the ledger is to write.
 *
 * The status is about the latest call: PENDING until that call has a payment, ERROR where it fails without one. A till
 * that lost the answer to its call reads the status, and must not mistake the previous payment for the outcome. That holds
 * after a restart, too, so the ledger has the failure until there is a later call.
 */

import type { DynamicStatus, PaymentFailure } from './payment.ts';
import { RESTARTED, reportedState } from './payment-failures.ts';
import type { PaymentRow } from './payment-row.ts';

export interface CallState {
  /** Number of the latest call, which may have to wait; 0 stands for the calls of the previous process. */
  readonly latest: number;
  /** Number of the call that is being answered, or was answered last. */
  readonly answering: number;
  /** Number of the latest call that has a payment, its own or an earlier one that the status reports for it. */
  readonly withPayment: number;
  /** The latest call that has failed without a payment, or in spite of one. */
  readonly failed: { readonly call: number; readonly failure: PaymentFailure } | null;
  /** Whether the ledger has a failure of the latest call: its payment must then be recorded after that. */
  readonly isFailureRecorded: boolean;
  /** Order id of the payment that the status is about, where the ledger could not record that; else null. */
  readonly unrecorded: string | null;
}

export const NO_CALLS: CallState = Object.freeze({
  latest: 0,
  answering: 0,
  withPayment: 0,
  failed: null,
  isFailureRecorded: false,
  unrecorded: null,
});

export type CallEvent =
  /** The ledger has the last call of the previous process as failed. */
  | { readonly type: 'recovered'; readonly failure: PaymentFailure }
  /** A till calls. From now on the status is about this call. */
  | { readonly type: 'called' }
  /** A call, the latest or the next, may take a while: should the process restart meanwhile, it counts as failed. */
  | { readonly type: 'delayed' }
  /** The turn of a call has come. */
  | { readonly type: 'begun'; readonly call: number }
  /** The status is to report a payment for a call. `isLast`: the ledger has it as that of the last call anyway. */
  | { readonly type: 'payment-reported'; readonly call: number; readonly orderId: string; readonly isLast: boolean }
  /** The ledger has a payment as that of the last call. `later`: the payment that the status reported for a later one, if any. */
  | {
      readonly type: 'payment-recorded';
      readonly call: number;
      readonly orderId: string;
      readonly later: string | null;
    }
  /** The status is to report a payment for a call, and the ledger could not record that. */
  | { readonly type: 'payment-unrecorded'; readonly call: number; readonly orderId: string }
  /** A call has failed. If it has a payment, that reports how it ended. */
  | { readonly type: 'failed'; readonly call: number; readonly failure: PaymentFailure }
  /** A call has failed, and no payment reports that: an earlier one is paid, or the ledger could not be written. */
  | { readonly type: 'refused'; readonly call: number; readonly failure: PaymentFailure }
  /** The ledger has the failure. */
  | { readonly type: 'failure-recorded' };

type EventOf<Type extends CallEvent['type']> = Extract<CallEvent, { readonly type: Type }>;
type OutcomeEvent = EventOf<'payment-reported' | 'payment-unrecorded' | 'failed' | 'refused'>;

/** What the ledger is to write. */
export type CallWrite =
  | { readonly type: 'record-failure'; readonly failure: PaymentFailure }
  /** Make this payment that of the last call, as the outcome of `call`. */
  | { readonly type: 'record-payment'; readonly call: number; readonly orderId: string };

export interface CallStep {
  readonly state: CallState;
  /** To be written in this order. */
  readonly writes: readonly CallWrite[];
}

/** The answer of `getDynamicQRStatus`. */
export interface LastStatus {
  readonly status: DynamicStatus;
  readonly failure: PaymentFailure | null;
  /** The payment that the status is about; null where there is none. */
  readonly orderId: string | null;
  /** The till that requested it (`PaymentRow.till`). */
  readonly till: string | null;
}

const OF_NONE = { failure: null, orderId: null, till: null } as const;

/** The failure of the latest call; null where it has not failed. */
const failureOfLatest = ({ failed, latest }: CallState): PaymentFailure | null =>
  failed?.call === latest ? failed.failure : null;

/**
 * The status that `getDynamicQRStatus` reports.
 * @param last reads the payment of the last call; called only where the status is about a payment
 * @throws what `last` throws
 */
export function statusOf(state: CallState, last: () => PaymentRow | null): LastStatus {
  const failure = failureOfLatest(state);
  if (failure !== null) return { ...OF_NONE, status: 'ERROR', failure };
  if (state.withPayment !== state.latest) return { ...OF_NONE, status: 'PENDING' };
  const payment = last();
  if (payment === null) return { ...OF_NONE, status: 'EMPTY' };
  const { orderId, status, till } = payment;
  return { status: reportedState(status), failure: status.failure, orderId, till };
}

/** Whether the status reports a payment for a later call, which was refused before this one had its own. */
export const hasLaterPayment = ({ withPayment }: CallState, call: number): boolean => withPayment > call;

const unwritten = (state: CallState): CallStep => ({ state, writes: [] });

function withPayment(state: CallState, call: number): CallState {
  const { failed } = state;
  return {
    ...state,
    withPayment: Math.max(state.withPayment, call),
    failed: failed !== null && failed.call <= call ? null : failed,
  };
}

/**
 * Once the ledger has a payment of the last call, its record of a failure counts no more. The outcome of a later call, or
 * that such a call is under way, must be recorded again.
 */
function recorded(before: CallState, { call, orderId, later }: EventOf<'payment-recorded'>): CallStep {
  const state = withPayment({ ...before, isFailureRecorded: false, unrecorded: null }, call);
  const failure = failureOfLatest(state);
  const isUnderWay = state.withPayment < state.latest;
  const writes: CallWrite[] = [];
  if (failure !== null || isUnderWay) writes.push({ type: 'record-failure', failure: failure ?? RESTARTED });
  if (failure === null && later !== null && later !== orderId)
    writes.push({ type: 'record-payment', call: state.withPayment, orderId: later });
  return { state, writes };
}

function reported(state: CallState, { call, orderId, isLast }: EventOf<'payment-reported'>): CallStep {
  if (!isLast || state.isFailureRecorded) return { state, writes: [{ type: 'record-payment', call, orderId }] };
  return unwritten(withPayment({ ...state, unrecorded: null }, call));
}

function failed(state: CallState, { call, failure }: EventOf<'failed' | 'refused'>): CallStep {
  if (state.failed !== null && state.failed.call > call) return unwritten(state);
  return { state: { ...state, failed: { call, failure } }, writes: [{ type: 'record-failure', failure }] };
}

/** The outcome of one call. Where a later call has a payment, the status stays with that payment. */
function afterOutcome(state: CallState, event: OutcomeEvent): CallStep {
  if (hasLaterPayment(state, event.call)) return unwritten(state);
  switch (event.type) {
    case 'payment-reported':
      return reported(state, event);
    case 'payment-unrecorded':
      return unwritten(withPayment({ ...state, unrecorded: event.orderId }, event.call));
    case 'failed':
      return state.withPayment === event.call ? unwritten(state) : failed(state, event);
    case 'refused':
      return failed(state, event);
  }
}

/** The state after an event. Total and pure: an event that does not apply leaves it unchanged, with nothing to write. */
export function advanceCalls(state: CallState, event: CallEvent): CallStep {
  switch (event.type) {
    case 'recovered': {
      const { failure } = event;
      return unwritten({ ...state, failed: state.failed ?? { call: 0, failure }, isFailureRecorded: true });
    }
    case 'called':
      return unwritten({ ...state, latest: state.latest + 1 });
    case 'delayed':
      return { state, writes: state.isFailureRecorded ? [] : [{ type: 'record-failure', failure: RESTARTED }] };
    case 'begun':
      return unwritten({ ...state, answering: event.call });
    case 'payment-recorded':
      return recorded(state, event);
    case 'failure-recorded':
      return unwritten({ ...state, isFailureRecorded: true });
    default:
      return afterOutcome(state, event);
  }
}
