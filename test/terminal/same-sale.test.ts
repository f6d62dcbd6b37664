/** The same sale asked for again: one code as long as one may be paid, and never two charges. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import { codes, MINUTE_MS, onLane, pastTheEnd, refusal, registered, report, states, unreachable } from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';
import { AN_HOUR_MS, LATER_MS, memberOf, SILENCES } from './same-sales.ts';

const test = suite('terminal: the same sale again');
const it = each(test, onLane);

for (const [what, silence] of Object.entries(SILENCES)) {
  it(`a bank that ${what}: the same sale gets the same code, and nothing is registered`, async (l) => {
    await l.showQR(100, { purpose: 'milk' });
    l.bank.verdicts.set(l.bankId(0), silence());
    const note = await l.showQR(100, { purpose: 'milk' });
    assert.is(memberOf(note), 'SameCode');
    assert.match(note?.message ?? '', /shown again, for 300 s more/);
    assert.is(l.bank.registered.length, 1);
    const [first, second] = codes(l.display.drawn);
    assert.is(first, second);
    assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
  });

  it(`a bank that ${what}: another sale goes on, told that the one before is unknown`, async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), silence());
    const note = await l.showQR(200);
    assert.is(memberOf(note), 'Unreachable');
    assert.match(note?.message ?? '', /100 kopecks/);
    assert.equal(
      paymentsAfter(l.ledger, 0, 10).map(({ status }) => [status.state, status.superseded]),
      [
        ['PENDING', true],
        ['PENDING', false],
      ],
    );
  });
}

it('another purpose is another sale, and so is another profile', async (l) => {
  await l.showQR(100, { purpose: 'milk' });
  assert.is(await l.showQR(100, { purpose: 'bread' }), null);
  assert.is(await l.showQR(100), null);
  await l.showQR(100, { profileName: 'other' });
  assert.is(l.bank.registered.length, 4);
});

it('a profile of the same name that pays somebody else is another sale', async (l) => {
  const payTo = (merchantId: string) =>
    ({ bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId, password: 'made-up' }) as const;
  await l.showQR(100, { profile: payTo('one') });
  await l.showQR(100, { profile: payTo('two') });
  assert.is(l.bank.registered.length, 2);
  await l.showQR(100, { profile: { ...payTo('two'), password: 'renewed' } });
  assert.is(l.bank.registered.length, 2);
});

it('a code that the customer is paying just now is shown again too, while it lives', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'processing');
  assert.is(memberOf(await l.showQR(100)), 'SameCode');
  assert.is(l.bank.registered.length, 1);
});

it('a code with half its time is shown again; with less, its end is awaited if not taken back', async (l) => {
  await l.showQR(100);
  l.clock.now += LATER_MS - 1;
  assert.is(memberOf(await l.showQR(100)), 'SameCode');
  l.clock.now += 1;
  const drawn = l.display.drawn.length;
  const error = await refusal(l.showQR(100));
  assert.equal([error.status, error.category, error.member], [400, 'Bank', 'PreviousOpen']);
  assert.match(error.message, /100 kopecks/);
  const seconds = Number(/in (\d+) s/.exec(error.message)?.[1]);
  assert.is(seconds, 180, 'the rest of its ttl, and grace');
  assert.is(l.bank.registered.length, 1);
  assert.is(l.display.drawn.length, drawn, 'the picture stays as it is');
  assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
  assert.equal([l.payments.status().status, l.payments.status().failure], ['PENDING', null]);
  l.clock.now += seconds * 1000;
  assert.is(await l.showQR(100), null);
  assert.equal(states(l), ['100 CANCELED', '100 PENDING']);
});

it('with less than half left it is taken back where the bank can, and another code is shown', async (l) => {
  l.bank.allowCancel();
  await l.showQR(100);
  l.clock.now += LATER_MS;
  assert.is(await l.showQR(100), null);
  assert.equal(l.bank.canceled, [l.bankId(0)]);
  assert.equal(states(l), ['100 CANCELED', '100 PENDING']);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  assert.is(memberOf(await l.showQR(100)), 'SameCode', 'what the bank has taken back is asked about no more');
  assert.is(l.bank.registered.length, 2);
});

it('where taking it back fails it is unknown: its end is awaited, an acceptance reported', async (l) => {
  l.bank.allowCancel(() => {
    throw unreachable();
  });
  await l.showQR(100);
  l.clock.now += LATER_MS;
  assert.is((await refusal(l.showQR(100))).member, 'PreviousOpen');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  assert.is(l.bank.registered.length, 1);
});

it('an expired code, its bank silent: refused until it is reported, or is too old for the same', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  pastTheEnd(l);
  const error = await refusal(l.showQR(100));
  assert.equal([error.status, error.category, error.member], [500, 'Bank', 'Unreachable']);
  assert.match(error.message, /not known whether.*100 kopecks.*does not answer/);
  assert.is(l.payments.status().status, 'PENDING');
  l.clock.now += 60 * MINUTE_MS - 2;
  assert.is((await refusal(l.showQR(100))).member, 'Unreachable');
  l.clock.now += 2;
  assert.is(await l.showQR(100), null);
});

it('a code whose time is over while the customer is confirming is waited for', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'processing');
  pastTheEnd(l);
  const error = await refusal(l.showQR(100));
  assert.is(error.member, 'PreviousOpen');
  assert.match(error.message, /in 5 s/);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
});

it('a till that repeats its call during the first does not count as watching the display', async (l) => {
  l.bank.hold();
  const both = [l.showQR(100), l.showQR(100)];
  await registered(l);
  l.bank.release();
  await Promise.all(both);
  await report(l, 'accepted');
  l.clock.now += AN_HOUR_MS;
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  assert.is(l.bank.registered.length, 1);
});

for (const [symbolMs, dueMs] of [
  [20, 5000],
  [8000, 8000],
] as const)
  test(
    `the same ${symbolMs} ms after success is a repetition, refused; another sale is not`,
    onLane(
      async (l) => {
        const paid = async (n: number) => {
          await report(l, 'accepted', n);
        };
        await l.showQR(100);
        await paid(0);
        l.clock.now += dueMs - 1;
        assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
        l.payments.markHandled(l.payments.status());
        await l.showQR(100);
        await paid(1);
        assert.is(await l.showQR(200), null);
        await paid(2);
        l.clock.now += dueMs;
        assert.is(await l.showQR(200), null);
        assert.is(l.ledger.queries.lateCount(), 0);
      },
      { symbolMs },
    ),
  );

it('two tills that ask the same at once share a code, both warned, and so is who asks later', async (l) => {
  l.bank.hold();
  const both = [l.showQR(100), l.showQR(100)];
  const other = l.showQR(100, { ttl: 7 });
  await registered(l);
  l.bank.release();
  assert.equal((await Promise.all([...both, other])).map(memberOf), ['SameCode', 'SameCode', 'SameCode']);
  assert.is(l.bank.registered.length, 1);
});

test.run();
