/** What the ledger is given to keep of calls that have failed; which call the status speaks of is in `call-queue.test.ts`. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PaymentFailure } from '../../firmware/payments/service/payment.ts';
import { RESTARTED } from '../../firmware/payments/service/payment-failures.ts';
import { StatusCalls } from '../../firmware/payments/service/status-calls.ts';

const test = suite('terminal: the call that the status speaks of');

const failureOf = (message: string): PaymentFailure => ({ category: 'Bank', code: 1, message });
const [FIRST, SECOND] = [failureOf('first'), failureOf('second')];

/** With what the ledger was given to keep, and a disk that may be full. */
function setUp() {
  const kept: PaymentFailure[] = [];
  const disk = { isFull: false };
  const keepFailedCall = (failure: PaymentFailure): void => {
    if (disk.isFull) throw new Error('database or disk is full');
    kept.push(failure);
  };
  return { calls: new StatusCalls({ failedCall: () => null, keepFailedCall }), kept, disk };
}

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
