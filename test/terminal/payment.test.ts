import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  advance,
  isOpen,
  type PaymentEvent,
  type PaymentStanding,
  REGISTERING,
} from '../../firmware/terminal/payment.ts';

const test = suite('payment state machine');

const fault = { category: 'Bank', code: 1, message: 'made up' };
const after = (...events: PaymentEvent[]): PaymentStanding => events.reduce(advance, REGISTERING);

const anyEvent = fc.oneof(
  fc.constantFrom<PaymentEvent>(
    { type: 'showing' },
    { type: 'withdrawn' },
    { type: 'superseded' },
    { type: 'told' },
    { type: 'failed', fault },
    { type: 'restarted', fault },
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

test('an acceptance always wins, whatever came before or comes after', () => {
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
    { type: 'superseded' },
    { type: 'restarted', fault },
    { type: 'verdict', verdict: 'pending' },
    { type: 'verdict', verdict: 'processing' },
    { type: 'expired', verdict: 'processing' },
  );
  fc.assert(fc.property(fc.array(harmless), (events) => assert.ok(isOpen(after({ type: 'showing' }, ...events)))));
});

test('a payment that nobody saw ends in ERROR at a restart', () => {
  const ended = after({ type: 'restarted', fault });
  assert.is(ended.state, 'ERROR');
  assert.equal(ended.fault, fault);
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
  assert.ok(after({ type: 'superseded' }, { type: 'verdict', verdict: 'accepted' }).late);
  assert.not(after({ type: 'showing' }, { type: 'verdict', verdict: 'accepted' }).late);
});

test('a late acceptance is late until the till is told', () => {
  const late = after({ type: 'superseded' }, { type: 'verdict', verdict: 'accepted' });
  assert.equal(advance(late, { type: 'told' }), { ...late, late: false });
});

test('a static code knows no outcome, but a failed drawing', () => {
  const shown: PaymentStanding = { ...REGISTERING, state: 'STATIC', seen: true };
  assert.is(advance(shown, { type: 'verdict', verdict: 'accepted' }).state, 'STATIC');
  assert.is(advance(shown, { type: 'expired', verdict: 'pending' }).state, 'STATIC');
  assert.is(advance(shown, { type: 'failed', fault }).state, 'ERROR');
});

test.run();
