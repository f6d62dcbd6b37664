/** What the status is about: each event in each state of the calls, and what the next process says. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  advanceCalls,
  type CallEvent,
  type CallState,
  type CallStep,
  hasLaterPayment,
  NO_CALLS,
  statusOf,
} from '../../firmware/payments/model/call-state.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { RESTARTED } from '../../firmware/payments/model/payment-failures.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import { CALL_TABLE } from './call-state-table.ts';

const test = suite('terminal: the state of the calls');

const because = (message: string) => ({ category: 'Bank', code: 1, message });
const failureOf = (call: number) => ({ call, failure: because(`why ${call}`) });
/** Of calls of which the first is being answered. */
const called = (latest: number, more: Partial<CallState> = {}): CallState => ({
  ...NO_CALLS,
  latest,
  answering: Math.min(latest, 1),
  ...more,
});
const RECORDED = { isFailureRecorded: true };

const STATES: Readonly<Record<string, CallState>> = {
  'no call': NO_CALLS,
  'the process before has failed': called(0, { failed: { call: 0, failure: because('before') }, ...RECORDED }),
  'one is answered': called(1),
  'one is delayed': called(1, RECORDED),
  'one has a payment': called(1, { withPayment: 1 }),
  'one has failed': called(1, { failed: failureOf(1), ...RECORDED }),
  'one has failed, and the ledger lacks that': called(1, { failed: failureOf(1) }),
  'one is refused in spite of its payment': called(1, { withPayment: 1, failed: failureOf(1), ...RECORDED }),
  'one has a payment that is not recorded': called(1, { withPayment: 1, unrecorded: 'a' }),
  'another waits': called(2),
  'another waits, and one has a payment': called(2, { withPayment: 1 }),
  'another has failed': called(2, { failed: failureOf(2), ...RECORDED }),
  'another has a payment': called(2, { withPayment: 2 }),
  'another has a payment that is not recorded': called(2, { withPayment: 2, unrecorded: 'a' }),
  'another has a payment, and a third waits': called(3, { withPayment: 2 }),
  'another has a payment, and a third has failed': called(3, { withPayment: 2, failed: failureOf(3), ...RECORDED }),
};

/** The events that a state can meet, by their names in the table. */
function eventsIn(state: CallState): ReadonlyMap<string, CallEvent> {
  const events = new Map<string, CallEvent>([
    ['recovered', { type: 'recovered', failure: because('before') }],
    ['called', { type: 'called' }],
    ['delayed', { type: 'delayed' }],
    ['failure-recorded', { type: 'failure-recorded' }],
  ]);
  for (const call of [1, 2].filter((call) => call <= state.latest)) {
    const later = hasLaterPayment(state, call) ? 'b' : null;
    const orderId = 'c';
    events.set(`begun ${call}`, { type: 'begun', call });
    events.set(`payment-recorded ${call}`, { type: 'payment-recorded', call, orderId, later });
    if (later !== null)
      events.set(`payment-recorded ${call}, the same`, { type: 'payment-recorded', call, orderId: later, later });
    events.set(`payment-reported ${call}`, { type: 'payment-reported', call, orderId, isLast: false });
    events.set(`payment-reported ${call}, the last`, { type: 'payment-reported', call, orderId, isLast: true });
    events.set(`payment-unrecorded ${call}`, { type: 'payment-unrecorded', call, orderId });
    events.set(`failed ${call}`, { type: 'failed', ...failureOf(call) });
    events.set(`refused ${call}`, { type: 'refused', ...failureOf(call) });
  }
  return events;
}

function wordsOf({ latest, answering, withPayment, failed, isFailureRecorded, unrecorded }: CallState): string {
  return [
    `${latest} called`,
    `${answering} begun`,
    ...(withPayment === 0 ? [] : [`payment of ${withPayment}`]),
    ...(failed === null ? [] : [`failure of ${failed.call}: ${failed.failure.message}`]),
    ...(isFailureRecorded ? ['failure recorded'] : []),
    ...(unrecorded === null ? [] : [`unrecorded ${unrecorded}`]),
  ].join(', ');
}

/** A step as the table words it: `=` for an unchanged state, then what is written. */
function stepWords(before: CallState, { state, writes }: CallStep): string {
  const words = wordsOf(state);
  const written = writes.map((write) =>
    write.type === 'record-payment'
      ? `record ${write.orderId} for ${write.call}`
      : `record ${write.failure === RESTARTED ? 'RESTARTED' : write.failure.message}`,
  );
  return [words === wordsOf(before) ? '=' : words, ...written].join(' | ');
}

test('each event in each state leads to the state and the writes of the table', () => {
  const expected = CALL_TABLE.split('\n').filter((line) => line.trim() !== '');
  const found = Object.entries(STATES).flatMap(([name, state]) => [
    `${name}: ${wordsOf(state)}`,
    ...[...eventsIn(state)].map(
      ([event, given]) => `  ${event.padEnd(28)} | ${stepWords(state, advanceCalls(state, given))}`,
    ),
  ]);
  assert.equal(found, expected);
});

const PAYMENT = { orderId: 'a', till: 'checkout-1', status: { ...REGISTERING, state: 'ACCEPTED' } } as PaymentRow;

test('the status is about the latest call: its failure, its payment, or that it is under way', () => {
  const statuses = Object.entries(STATES).map(([name, state]) => {
    const { status, orderId, failure } = statusOf(state, () => PAYMENT);
    return `${name}: ${[status, orderId, failure?.message].filter(Boolean).join(' ')}`;
  });
  assert.equal(statuses, [
    'no call: ACCEPTED a',
    'the process before has failed: ERROR before',
    'one is answered: PENDING',
    'one is delayed: PENDING',
    'one has a payment: ACCEPTED a',
    'one has failed: ERROR why 1',
    'one has failed, and the ledger lacks that: ERROR why 1',
    'one is refused in spite of its payment: ERROR why 1',
    'one has a payment that is not recorded: ACCEPTED a',
    'another waits: PENDING',
    'another waits, and one has a payment: PENDING',
    'another has failed: ERROR why 2',
    'another has a payment: ACCEPTED a',
    'another has a payment that is not recorded: ACCEPTED a',
    'another has a payment, and a third waits: PENDING',
    'another has a payment, and a third has failed: ERROR why 3',
  ]);
  assert.is(statusOf(NO_CALLS, () => PAYMENT).till, 'checkout-1');
  assert.equal(
    statusOf(NO_CALLS, () => null),
    { status: 'EMPTY', failure: null, orderId: null, till: null },
  );
});

test('a call that is under way or has failed has its status though no payment can be read', () => {
  const unreadable = (): null => {
    assert.unreachable('the ledger was read');
    return null;
  };
  for (const name of ['another waits', 'another has failed', 'the process before has failed'])
    statusOf(STATES[name] ?? NO_CALLS, unreadable);
});

test.run();
