import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  advance,
  expiryOf,
  isHalfLeft,
  isLeft,
  isOpen,
  leftOf,
  mayBePaid,
  type PaymentEvent,
  type PaymentStatus,
  REGISTERING,
} from '../../firmware/terminal/payments/payment.ts';
import { MINUTE_MS } from './harness.ts';

const test = suite('payment state machine');

const failure = { category: 'Bank', code: 1, message: 'made up' };
const after = (...events: PaymentEvent[]): PaymentStatus => events.reduce(advance, REGISTERING);

const anyEvent = fc.oneof(
  fc.constantFrom<PaymentEvent>(
    { type: 'showing' },
    { type: 'withdrawn' },
    { type: 'superseded', known: false },
    { type: 'superseded', known: true },
    { type: 'shown-again' },
    { type: 'given-up' },
    { type: 'reported' },
    { type: 'acknowledged' },
    { type: 'failed', failure },
    { type: 'left', failure },
    { type: 'restarted', failure },
  ),
  fc.record({
    type: fc.constantFrom('verdict' as const, 'expired' as const),
    verdict: fc.constantFrom(
      'pending' as const,
      'processing' as const,
      'accepted' as const,
      'rejected' as const,
      'canceled' as const,
    ),
  }),
);

test('an acceptance always wins, no matter what came before or comes after', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), fc.array(anyEvent), (before, later) => {
      const accepted = after(...before, { type: 'verdict', verdict: 'accepted' }, ...later);
      assert.is(accepted.state, 'ACCEPTED');
    }),
  );
});

test('without the word of the bank nothing is ever ACCEPTED or REJECTED', () => {
  const silent = anyEvent.filter(
    (event) => !('verdict' in event) || event.verdict === 'pending' || event.verdict === 'processing',
  );
  fc.assert(
    fc.property(fc.array(silent), (events) => assert.not(['ACCEPTED', 'REJECTED'].includes(after(...events).state))),
  );
});

test('once seen, a payment stays open until the bank speaks, it expires, or it could not be drawn', () => {
  const harmless = fc.constantFrom<PaymentEvent>(
    { type: 'superseded', known: false },
    { type: 'restarted', failure },
    { type: 'verdict', verdict: 'pending' },
    { type: 'verdict', verdict: 'processing' },
    { type: 'expired', verdict: 'processing' },
  );
  fc.assert(fc.property(fc.array(harmless), (events) => assert.ok(isOpen(after({ type: 'showing' }, ...events)))));
});

test('a payment that was left before it was shown may be paid until the bank speaks, and is not drawn', () => {
  const left = after({ type: 'left', failure });
  assert.equal([isOpen(left), isLeft(left), mayBePaid(left), left.seen], [true, true, true, false]);
  assert.is(advance({ ...left, awaited: false }, { type: 'shown-again' }).failure, failure);
  assert.is(isLeft(after({ type: 'showing' }, { type: 'left', failure })), false);
  for (const verdict of ['accepted', 'rejected', 'canceled'] as const) {
    const { seen, failure: why } = advance(left, { type: 'verdict', verdict });
    assert.equal([seen, why], [true, null]);
  }
  for (const event of [{ type: 'expired', verdict: 'pending' }, { type: 'withdrawn' }] as const) {
    const { state, failure: why } = advance(left, event);
    assert.equal([state, why], ['CANCELED', null]);
  }
  const ended = advance(left, { type: 'restarted', failure });
  assert.equal([ended.state, mayBePaid(ended)], ['ERROR', false]);
});

test('a payment that was never shown ends in ERROR at a restart', () => {
  const ended = after({ type: 'restarted', failure });
  assert.is(ended.state, 'ERROR');
  assert.equal(ended.failure, failure);
});

test('an expired payment is CANCELED only when the bank says that nothing has begun', () => {
  assert.is(after({ type: 'showing' }, { type: 'expired', verdict: 'pending' }).state, 'CANCELED');
  assert.is(after({ type: 'showing' }, { type: 'expired', verdict: 'processing' }).state, 'PENDING');
  assert.is(after({ type: 'showing' }, { type: 'expired', verdict: 'accepted' }).state, 'ACCEPTED');
});

test('an acceptance after another end, or after another payment took the place, is marked late', () => {
  assert.ok(
    after({ type: 'showing' }, { type: 'expired', verdict: 'pending' }, { type: 'verdict', verdict: 'accepted' }).late,
  );
  assert.ok(after({ type: 'superseded', known: false }, { type: 'verdict', verdict: 'accepted' }).late);
  assert.not(after({ type: 'showing' }, { type: 'verdict', verdict: 'accepted' }).late);
});

test('a late acceptance refuses one call, and is late until ACCEPTED was read or a person has looked into it', () => {
  const late = after({ type: 'superseded', known: false }, { type: 'verdict', verdict: 'accepted' });
  assert.equal([late.late, late.untold], [true, true]);
  const reported = advance(late, { type: 'reported' });
  assert.equal([reported.late, reported.untold], [true, false]);
  const read = advance(reported, { type: 'acknowledged' });
  assert.equal([read.late, read.untold], [false, false]);
});

test('an acceptance in time is late when the till goes on without having read it, unless the display has shown it', () => {
  const accepted = after({ type: 'showing' }, { type: 'verdict', verdict: 'accepted' });
  assert.equal([accepted.late, accepted.untold], [false, true]);
  const passed = advance(accepted, { type: 'superseded', known: false });
  assert.equal([passed.late, passed.untold], [true, true]);
  const watched = advance(accepted, { type: 'superseded', known: true });
  assert.equal([watched.late, watched.untold], [false, false]);
  const read = advance(accepted, { type: 'acknowledged' });
  assert.equal(advance(read, { type: 'superseded', known: false }), read);
});

test('what a till gave up is late when it is accepted, until its code is shown again', () => {
  const givenUp = after({ type: 'showing' }, { type: 'given-up' });
  assert.ok(advance(givenUp, { type: 'verdict', verdict: 'accepted' }).late);
  const again = advance(givenUp, { type: 'shown-again' });
  assert.not(advance(again, { type: 'verdict', verdict: 'accepted' }).late);
});

test('a code that is shown again is open again from any other state; one that is taken back or paid is not', () => {
  for (const end of [
    { type: 'failed', failure },
    { type: 'verdict', verdict: 'rejected' },
    { type: 'verdict', verdict: 'canceled' },
    { type: 'superseded', known: false },
  ] as const) {
    const again = after({ type: 'showing' }, end, { type: 'shown-again' });
    assert.equal(again, { ...REGISTERING, seen: true });
  }
  for (const end of [{ type: 'withdrawn' }, { type: 'verdict', verdict: 'accepted' }] as const) {
    const ended = after({ type: 'showing' }, end);
    assert.is(advance(ended, { type: 'shown-again' }), ended);
  }
});

test('what the bank has taken back may not be paid any more; what it declined may', () => {
  assert.not(mayBePaid(after({ type: 'showing' }, { type: 'withdrawn' })));
  assert.not(mayBePaid(after({ type: 'showing' }, { type: 'failed', failure }, { type: 'withdrawn' })));
  assert.ok(mayBePaid(after({ type: 'showing' }, { type: 'verdict', verdict: 'rejected' })));
  assert.ok(mayBePaid(after({ type: 'showing' }, { type: 'expired', verdict: 'pending' })));
  assert.not(mayBePaid(after({ type: 'failed', failure })), 'it was not shown');
});

test('a static code knows no outcome, but a failed drawing', () => {
  const shown: PaymentStatus = { ...REGISTERING, state: 'STATIC', seen: true };
  assert.is(advance(shown, { type: 'verdict', verdict: 'accepted' }).state, 'STATIC');
  assert.is(advance(shown, { type: 'expired', verdict: 'pending' }).state, 'STATIC');
  assert.is(advance(shown, { type: 'failed', failure }).state, 'ERROR');
});

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
