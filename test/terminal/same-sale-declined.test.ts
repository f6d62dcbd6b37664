/** The same sale after its payment was declined: another code, and the one that was declined may be paid anyway. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import { type Lane, onLane, PACING, pastTheEnd, refusal, report, states, unreachable } from './harness.ts';
import { LATER_MS, memberOf, SILENCES } from './same-sales.ts';

/** Age of a code at the first question to the sandbox bank. */
const FIRST_MS = 1000;

const test = suite('terminal: the same sale after a decline');
const it = each(test, onLane);

/** A payment of 100 kopecks that the till knows to have ended so. */
async function ends(l: Lane, verdict: 'rejected' | 'canceled'): Promise<void> {
  await l.showQR(100);
  await report(l, verdict);
}

for (const verdict of ['rejected', 'canceled'] as const) {
  it(`what the bank calls ${verdict} is asked about again and then replaced by another code`, async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), verdict);
    const { questions } = l.bank;
    assert.is(await l.showQR(100), null);
    assert.is(l.bank.questions, questions + 1);
    assert.is(l.bank.registered.length, 2);
  });

  it(`${verdict}, then paid by the same code: the same sale is refused, not charged twice`, async (l) => {
    await ends(l, verdict);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
    assert.is(l.bank.registered.length, 1);
    assert.is(l.payments.status().status, 'ACCEPTED');
  });

  it(`${verdict}, and now the bank answers 404: its word stands, and another code is shown`, async (l) => {
    await ends(l, verdict);
    l.bank.verdicts.set(l.bankId(0), SILENCES['answers 404']());
    assert.is(await l.showQR(100), null);
    assert.is(l.bank.registered.length, 2);
  });

  for (const [what, silence] of Object.entries(SILENCES).filter(([name]) => name !== 'answers 404')) {
    it(`${verdict}, now the bank ${what}: no other code for the sale while that may be paid`, async (l) => {
      await ends(l, verdict);
      l.bank.verdicts.set(l.bankId(0), silence());
      const error = await refusal(l.showQR(100));
      assert.equal([error.status, error.category, error.member], [500, 'Bank', 'Unreachable']);
      assert.is(l.bank.registered.length, 1);
      assert.is(await l.showQR(200).then((note) => note?.message ?? null), null, 'another sale goes on');
      pastTheEnd(l);
      assert.is(await l.showQR(100).then((note) => note?.message ?? null), null, 'it can no longer be paid');
    });
  }
}

it('declined, but in work at the bank again: the same code, open again', async (l) => {
  await l.showQR(100);
  await report(l, 'rejected');
  l.bank.verdicts.set(l.bankId(0), 'processing');
  assert.is(memberOf(await l.showQR(100)), 'SameCode');
  assert.is(l.payments.status().status, 'PENDING');
  await report(l, 'accepted');
  assert.equal(states(l), ['100 ACCEPTED']);
});

it('declined and replaced, then the bank is silent: held back; the other code and status stay', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'rejected');
  await l.showQR(100);
  for (const n of [0, 1]) l.bank.verdicts.set(l.bankId(n), unreachable());
  assert.is((await refusal(l.showQR(100))).member, 'Unreachable');
  assert.is(l.screen.payment, l.bank.registered[1]?.orderId);
  assert.is(l.payments.status().orderId, l.bank.registered[1]?.orderId);
});

it('held back after another sale: the status is of what holds it back, not of that sale', async (l) => {
  await l.showQR(100);
  l.clock.now += LATER_MS;
  await l.showQR(200);
  l.bank.verdicts.set(l.bankId(1), 'accepted');
  assert.is((await refusal(l.showQR(200))).member, 'PreviousPaid');
  assert.is(l.payments.status().status, 'ACCEPTED');
  assert.is((await refusal(l.showQR(100))).member, 'PreviousOpen');
  assert.is(l.payments.status().status, 'PENDING');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  assert.is(l.payments.status().orderId, l.bank.registered[0]?.orderId);
});

it('held back by a declined one: ERROR, not the ACCEPTED of the customer before, of the same', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'rejected');
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(1), 'accepted');
  await refusal(l.showQR(100));
  assert.is(l.payments.status().status, 'ACCEPTED');
  l.payments.markHandled(l.payments.status());
  l.bank.verdicts.set(l.bankId(0), unreachable());
  assert.is((await refusal(l.showQR(100))).member, 'Unreachable');
  const { status, failure } = l.payments.status();
  assert.equal([status, memberOf(failure)], ['ERROR', 'Unreachable']);
});

test(
  'a customer who has paid by the code before is not asked to pay by the one that is shown',
  onLane(
    async (l) => {
      await l.showQR(100);
      l.bank.verdicts.set(l.bankId(0), 'rejected');
      await l.clock.advance(FIRST_MS / PACING.askingSpeed);
      await l.showQR(100);
      assert.is(l.screen.payment, l.bank.registered[1]?.orderId);
      await l.clock.advance(20_000);
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      await l.clock.advance(1000); // it is asked about as an open one is
      assert.equal(l.screen.picture, { kind: 'status', status: 'success' });
      assert.is(l.payments.status().status, 'PENDING', 'of the one that was shown');
      assert.is(l.ledger.queries.lateCount(), 1);
    },
    { symbolMs: 5000 },
  ),
);

test.run();
