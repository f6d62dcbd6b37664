/** How long a code lives, by which clock. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expiryOf, isHalfLeft, leftOf } from '../../firmware/terminal/payments/payment.ts';
import { MINUTE_MS } from './harness.ts';

const test = suite('terminal: the life of a code');

const TTL_MS = 5 * MINUTE_MS;
const PAYMENT = { bootId: 'boot-1', createdAt: 1_000_000, createdMono: 500, ttl: 5 };
/** A clock some time after the payment was made, each of its hands. */
const later = (monotonicMs: number, wallMs: number, bootId = 'boot-1') => ({
  bootId,
  monotonic: () => PAYMENT.createdMono + monotonicMs,
  wall: () => PAYMENT.createdAt + wallMs,
});

test('within a boot the monotonic clock alone counts, wherever the wall clock is put', () => {
  for (const wallMs of [-24 * 3_600_000, MINUTE_MS, 24 * 3_600_000]) {
    const clock = later(MINUTE_MS, wallMs);
    assert.is(leftOf(PAYMENT, clock), TTL_MS - MINUTE_MS);
    assert.is(expiryOf(PAYMENT, clock), PAYMENT.createdMono + TTL_MS);
    assert.ok(isHalfLeft(PAYMENT, clock));
  }
});

test('after another boot it is followed for its whole ttl again, and shown for what the wall clock leaves of it', () => {
  const clock = later(-400, MINUTE_MS, 'boot-2');
  assert.is(expiryOf(PAYMENT, clock), clock.monotonic() + TTL_MS);
  assert.is(leftOf(PAYMENT, clock), TTL_MS - MINUTE_MS);
  assert.is(leftOf(PAYMENT, later(-400, -MINUTE_MS, 'boot-2')), TTL_MS, 'never longer than it lives');
});

test('half of its time is enough to show it again, a millisecond less is not', () => {
  assert.ok(isHalfLeft(PAYMENT, later(TTL_MS / 2, 0)));
  assert.not(isHalfLeft(PAYMENT, later(TTL_MS / 2 + 1, 0)));
});

test.run();
