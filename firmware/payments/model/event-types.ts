/** The events of payments and refunds: found by comparing a row with the row before its change. */
import { isGivenBack } from './payment-failures.ts';
import type { PaymentRow } from './payment-row.ts';
import type { RefundState } from './refund.ts';

/** Each type, and what has happened. */
export const EVENTS = Object.freeze({
  'payment.created': 'a payment was asked for; its bank has not heard of it yet',
  'payment.shown': 'the bank has given its code (`payload`), which is on its way to the display',
  'payment.accepted': 'it was paid',
  'payment.rejected': 'the bank has declined it',
  'payment.canceled': 'it was not paid in time, or taken back at the bank',
  'payment.error': 'it could not be registered or shown; `error` says why',
  'payment.reopened': 'it had ended without being paid, and its code is shown again for another call',
  'payment.given_back':
    'it was paid, and the bank gives all of it back before a till knew, as when it was just taken out of use: hand nothing out',
  'payment.late': 'it was accepted when no till waited for it any more, or no till knows: a person must look into it',
  'payment.acknowledged': 'its till has gone on with it although it was late, or a person has reviewed it',
  'payment.refunded': 'more of it has gone back; `refunded` says how much in all',
  'refund.created': 'a refund was asked for; its bank has not heard of it yet',
  'refund.done': 'the money of a refund has gone back, or will for certain',
  'refund.refused': 'nothing has gone back by a refund',
} as const);
export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.freeze(Object.keys(EVENTS) as EventType[]);

const OF_STATE = Object.freeze({
  PENDING: 'payment.reopened',
  ACCEPTED: 'payment.accepted',
  REJECTED: 'payment.rejected',
  CANCELED: 'payment.canceled',
  ERROR: 'payment.error',
  STATIC: null,
} as const satisfies Record<PaymentRow['status']['state'], EventType | null>);

/** Events of a change of a payment's state. */
function stateEvents({ status: was }: PaymentRow, { status: is }: PaymentRow): EventType[] {
  if (isGivenBack(is)) return isGivenBack(was) ? [] : ['payment.given_back'];
  const type = is.state === was.state ? null : OF_STATE[is.state];
  return type === null ? [] : [type];
}

/**
 * The events of one change of a payment, in the order in which readers get them.
 * @param before null for a new payment
 */
export function paymentEvents(before: PaymentRow | null, after: PaymentRow): EventType[] {
  // the code of a static payment is known from the beginning
  if (before === null)
    return after.status.state === 'STATIC' ? ['payment.created', 'payment.shown'] : ['payment.created'];
  const when = (happened: boolean, type: EventType): EventType[] => (happened ? [type] : []);
  return [
    ...when(!before.status.seen && after.status.seen, 'payment.shown'),
    ...stateEvents(before, after),
    ...when(after.refunded > before.refunded, 'payment.refunded'),
    ...when(!before.status.late && after.status.late, 'payment.late'),
    ...when(before.status.late && !after.status.late, 'payment.acknowledged'),
  ];
}

/** The events that report the present state of a payment to a reader that may have missed all earlier ones. */
export function presentEvents(payment: PaymentRow): EventType[] {
  const { status } = payment;
  const isEnded = OF_STATE[status.state] !== null && status.state !== 'PENDING';
  // compared with the payment before its code was shown; of an ended one only the end is reported, not that it was shown
  const unended = { ...status, state: 'PENDING', seen: isEnded && status.seen, late: false } as const;
  const created: EventType[] = isEnded ? [] : ['payment.created'];
  return [...created, ...paymentEvents({ ...payment, refunded: 0, status: unended }, payment)];
}

/** The event of one change of a refund; null for none. @param before null for a new refund */
export function refundEvent(before: RefundState | null, after: RefundState): EventType | null {
  if (before === null) return 'refund.created';
  if (before === after) return null;
  return after === 'done' || after === 'refused' ? `refund.${after}` : null;
}
