import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  advance,
  isAbandoned,
  isOpen,
  mayBePaid,
  type PaymentEvent,
  type PaymentStatus,
  REGISTERING,
} from '../../firmware/payments/model/payment.ts';

const test = suite('payment state machine');

const failure = { category: 'Bank', code: 1, message: 'made up' };
const after = (...events: PaymentEvent[]): PaymentStatus => events.reduce(advance, REGISTERING);
const SHOWN: PaymentStatus = { ...REGISTERING, seen: true };
const afterShown = (...events: PaymentEvent[]): PaymentStatus => events.reduce(advance, SHOWN);

const anyStart = fc.constantFrom(REGISTERING, SHOWN);
const anyEvent = fc.oneof(
  fc.constantFrom<PaymentEvent>(
    { type: 'withdrawn' },
    { type: 'superseded', known: false },
    { type: 'superseded', known: true },
    { type: 'shown-again' },
    { type: 'given-up' },
    { type: 'reported' },
    { type: 'read' },
    { type: 'handled' },
    { type: 'reviewed' },
    { type: 'failed', failure },
    { type: 'abandoned', failure },
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
    fc.property(anyStart, fc.array(anyEvent), fc.array(anyEvent), (start, before, later) => {
      const events: PaymentEvent[] = [...before, { type: 'verdict', verdict: 'accepted' }, ...later];
      const accepted = events.reduce(advance, start);
      assert.is(accepted.state, 'ACCEPTED');
    }),
  );
});

test('an acceptance that a till has read stays read, however often the bank repeats it', () => {
  const read = afterShown({ type: 'verdict', verdict: 'accepted' }, { type: 'handled' });
  assert.equal([read.unreported, read.late], [false, false]);
  for (const type of ['verdict', 'expired'] as const) assert.equal(advance(read, { type, verdict: 'accepted' }), read);
});

test('without the word of the bank nothing is ever ACCEPTED or REJECTED', () => {
  const silent = anyEvent.filter(
    (event) => !('verdict' in event) || event.verdict === 'pending' || event.verdict === 'processing',
  );
  fc.assert(
    fc.property(anyStart, fc.array(silent), (start, events) =>
      assert.not(['ACCEPTED', 'REJECTED'].includes(events.reduce(advance, start).state)),
    ),
  );
});

test('once seen, a payment stays open until the bank speaks, it expires, or cannot be drawn', () => {
  const harmless = fc.constantFrom<PaymentEvent>(
    { type: 'superseded', known: false },
    { type: 'restarted', failure },
    { type: 'verdict', verdict: 'pending' },
    { type: 'verdict', verdict: 'processing' },
    { type: 'expired', verdict: 'processing' },
  );
  fc.assert(fc.property(fc.array(harmless), (events) => assert.ok(isOpen(afterShown(...events)))));
});

test('a payment abandoned before it is shown may be paid until the bank speaks; it is not drawn', () => {
  const abandoned = after({ type: 'abandoned', failure });
  assert.equal(
    {
      isOpen: isOpen(abandoned),
      isAbandoned: isAbandoned(abandoned),
      mayBePaid: mayBePaid(abandoned),
      seen: abandoned.seen,
    },
    { isOpen: true, isAbandoned: true, mayBePaid: true, seen: false },
  );
  assert.is(advance({ ...abandoned, awaited: false }, { type: 'shown-again' }).failure, failure);
  assert.is(isAbandoned(afterShown({ type: 'abandoned', failure })), false);
  for (const verdict of ['accepted', 'rejected', 'canceled'] as const) {
    const { seen, failure: why } = advance(abandoned, { type: 'verdict', verdict });
    assert.equal([seen, why], [true, null]);
  }
  for (const event of [{ type: 'expired', verdict: 'pending' }, { type: 'withdrawn' }] as const) {
    const { state, failure: why } = advance(abandoned, event);
    assert.equal([state, why], ['CANCELED', null]);
  }
  const ended = advance(abandoned, { type: 'restarted', failure });
  assert.equal([ended.state, mayBePaid(ended)], ['ERROR', false]);
});

test('what the bank has taken back may not be paid any more; what it declined may', () => {
  assert.not(mayBePaid(afterShown({ type: 'withdrawn' })));
  assert.not(mayBePaid(afterShown({ type: 'failed', failure }, { type: 'withdrawn' })));
  assert.ok(mayBePaid(afterShown({ type: 'verdict', verdict: 'rejected' })));
  assert.ok(mayBePaid(afterShown({ type: 'expired', verdict: 'pending' })));
  assert.not(mayBePaid(after({ type: 'failed', failure })), 'it was not shown');
});

test('a static code knows no outcome, but a failed drawing', () => {
  const shown: PaymentStatus = { ...REGISTERING, state: 'STATIC', seen: true };
  assert.is(advance(shown, { type: 'verdict', verdict: 'accepted' }).state, 'STATIC');
  assert.is(advance(shown, { type: 'expired', verdict: 'pending' }).state, 'STATIC');
  assert.is(advance(shown, { type: 'failed', failure }).state, 'ERROR');
});

test.run();
