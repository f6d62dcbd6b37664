/** Which call the status speaks of. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PaymentFailure } from '../../firmware/terminal/payments/payment.ts';
import { RESTARTED } from '../../firmware/terminal/payments/payment-failures.ts';
import { StatusCalls } from '../../firmware/terminal/payments/status-calls.ts';

const test = suite('terminal: the call that the status speaks of');

const failureOf = (message: string): PaymentFailure => ({ category: 'Bank', code: 1, message });
const [FIRST, SECOND] = [failureOf('first'), failureOf('second')];

/** With what the ledger was given to keep, and a disk that may be full. */
function setUp(left: PaymentFailure | null = null) {
  const kept: PaymentFailure[] = [];
  const disk = { isFull: false };
  const keepFailedCall = (failure: PaymentFailure): void => {
    if (disk.isFull) throw new Error('database or disk is full');
    kept.push(failure);
  };
  const calls = new StatusCalls({ failedCall: () => left, keepFailedCall });
  calls.recover();
  return { calls, kept, disk };
}

const stateOf = ({ failure, isUnderWay }: StatusCalls) => [failure?.message ?? null, isUnderWay];

test('a call is under way until a payment stands for it, or it has failed; the one before it is spoken of no more', () => {
  const { calls } = setUp();
  assert.equal(stateOf(calls), [null, false]);
  calls.fail(calls.nextCall(), FIRST);
  assert.is(calls.failure, FIRST);
  const second = calls.nextCall();
  assert.equal(stateOf(calls), [null, true]);
  calls.isRecorded(second);
  assert.equal(stateOf(calls), [null, false]);
});

test('a call that failed while it waited stays the last, with any outcome of those before it', () => {
  for (const end of ['isRecorded', 'speakOf'] as const) {
    const { calls } = setUp();
    const first = calls.nextCall();
    calls.fail(calls.nextCall(), SECOND);
    calls[end](first);
    assert.is(calls.failure, SECOND);
    calls.fail(first, FIRST);
    assert.is(calls.failure, SECOND);
  }
});

test('a payment that stands for the last call goes on doing so when the call before it is recorded', () => {
  const { calls } = setUp();
  const first = calls.nextCall();
  calls.speakOf(calls.nextCall());
  calls.isRecorded(first);
  assert.equal(stateOf(calls), [null, false]);
});

test('its own payment may stand for a call that has failed, and the other way round', () => {
  const { calls } = setUp();
  const call = calls.nextCall();
  calls.speakOf(call);
  calls.fail(call, FIRST);
  assert.is(calls.failure, FIRST);
  calls.speakOf(call);
  assert.equal(stateOf(calls), [null, false]);
});

test('the ledger keeps each failure, and what is foreseen once; a call that is recorded makes both void', () => {
  const { calls, kept } = setUp();
  const first = calls.nextCall();
  calls.foresee();
  calls.foresee();
  assert.equal([kept, calls.isForeseen], [[RESTARTED], true]);
  calls.fail(first, FIRST);
  assert.equal(kept, [RESTARTED, FIRST]);
  calls.isRecorded(calls.nextCall());
  assert.not(calls.isForeseen);
  calls.foresee();
  assert.equal(kept, [RESTARTED, FIRST, RESTARTED]);
});

test('a call that is recorded while a later one waits, or has failed, makes nothing void', () => {
  const { calls, kept } = setUp();
  const first = calls.nextCall();
  const second = calls.nextCall();
  calls.isRecorded(first);
  assert.equal([kept, calls.isForeseen], [[RESTARTED], true]);
  calls.fail(second, SECOND);
  calls.isRecorded(first);
  assert.equal(kept, [RESTARTED, SECOND, SECOND]);
});

test('what the process before left is the failure of the last call, and is void once another is recorded', () => {
  const { calls } = setUp(FIRST);
  assert.equal([calls.failure, calls.isForeseen], [FIRST, true]);
  calls.isRecorded(calls.nextCall());
  assert.equal([calls.failure, calls.isForeseen], [null, false]);
});

test('what has failed before the ledger could be read stays', () => {
  const calls = new StatusCalls({ failedCall: () => FIRST, keepFailedCall: () => undefined });
  calls.fail(calls.nextCall(), SECOND);
  calls.recover();
  assert.is(calls.failure, SECOND);
});

test('on a full disk a failure is reported anyway, and writing it is tried again', () => {
  const { calls, kept, disk } = setUp();
  disk.isFull = true;
  const call = calls.nextCall();
  const unwritten = [...calls.foresee(), ...calls.fail(call, FIRST)];
  assert.equal([calls.failure, calls.isForeseen], [FIRST, false]);
  assert.equal(
    unwritten.map(({ type }) => type),
    ['unwritten', 'unwritten'],
  );
  disk.isFull = false;
  calls.foresee();
  assert.is(kept.length, 1);
});

test.run();
