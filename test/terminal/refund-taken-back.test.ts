/** A refund that a person had wrongly called done is taken back: what else of the payment has gone back counts, once. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RefundOutcome } from '../../firmware/payments/refunds/refund.ts';
import { turnoverOf } from '../../firmware/payments/reports/shift.ts';
import { each } from '../support.ts';
import { type Lane, MINUTE_MS, onLane, refusal, unreachable } from './harness.ts';
import { DONE, FindingBank, PENDING, pay, RefundingBank, refundedOf } from './refund-rig.ts';

const test = suite('terminal: refunds that are taken back');

const decide = (l: Lane, orderId: string, tillId: string, outcome: RefundOutcome) =>
  l.refunds.decide({ orderId, tillId, outcome, note: 'Anna, in the account at the bank' });

/** A refund without an answer, eleven minutes ago. */
async function unanswered(l: Lane, orderId: string, tillId: string, amount: number): Promise<void> {
  (l.bank as RefundingBank).refundAnswers = [unreachable()];
  await l.refunds.refund({ orderId, tillId, amount });
  l.clock.now += 11 * MINUTE_MS;
}

/** A lane with a payment of 1000 kopecks, and a refund "a" of 300 that a person has called done. */
const wronglyDoneAt =
  <B extends RefundingBank>(bank: B, run: (l: Lane, bank: B, orderId: string) => Promise<void>) =>
  (): Promise<void> =>
    onLane(
      async (l) => {
        const orderId = await pay(l);
        await unanswered(l, orderId, 'a', 300);
        await decide(l, orderId, 'a', 'done');
        await run(l, bank, orderId);
      },
      { bank, unreadMs: 0 },
    )();

const it = each(test, (run: (l: Lane, bank: RefundingBank, orderId: string) => Promise<void>) =>
  wronglyDoneAt(new RefundingBank(), run),
);
const found = each(test, (run: (l: Lane, bank: FindingBank, orderId: string) => Promise<void>) => {
  const bank = new FindingBank();
  return wronglyDoneAt(bank, run);
});

it('while another one is undecided, which counts by itself once it is done', async (l, bank, orderId) => {
  await unanswered(l, orderId, 'b', 400);
  await decide(l, orderId, 'a', 'refused');
  await decide(l, orderId, 'b', 'done');
  assert.is(refundedOf(l, orderId), 400);
  bank.refundAnswers = [DONE];
  await l.refunds.refund({ orderId, tillId: 'c', amount: 600 });
  assert.is(refundedOf(l, orderId), 1000);
});

it('both of two, the older one first', async (l, _bank, orderId) => {
  await unanswered(l, orderId, 'b', 400);
  await decide(l, orderId, 'b', 'done');
  await decide(l, orderId, 'a', 'refused');
  await decide(l, orderId, 'b', 'refused');
  assert.is(refundedOf(l, orderId), 0);
});

it('in the shift in which it was called done, and gone after all in a later one, which counts it', async (l, bank, orderId) => {
  const { shifts } = l.terminal;
  const backIn = (number: number): number => turnoverOf(shifts.find(number).report.groups).refunds.sum;
  await decide(l, orderId, 'a', 'refused');
  shifts.close({ till: null, cashier: null }, 'one');
  bank.reported = { refunded: 300 };
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 100 }))).member, 'RefundOpen');
  shifts.close({ till: null, cashier: null }, 'two');
  assert.equal([1, 2].map(backIn), [0, 300]);
});

found('not while the bank counts money of the payment as gone back, by whatever refund', async (l, bank, orderId) => {
  bank.found = { state: 'refused', bankRefundId: null, reason: 'no such account' };
  bank.reported = { refunded: 300 };
  assert.is((await refusal(decide(l, orderId, 'a', 'refused'))).member, 'RefundDecided');
  bank.reported = { isGoingBack: true };
  assert.is((await refusal(decide(l, orderId, 'a', 'refused'))).member, 'RefundOpen');
  assert.is(refundedOf(l, orderId), 300);
  bank.reported = { refunded: 0 };
  await decide(l, orderId, 'a', 'refused');
  assert.is(refundedOf(l, orderId), 0);
});

found('not once the bank has it, done or under way, also where it reports no sum', async (l, bank, orderId) => {
  bank.found = PENDING;
  assert.is((await refusal(decide(l, orderId, 'a', 'refused'))).member, 'RefundOpen');
  bank.found = DONE;
  assert.is((await refusal(decide(l, orderId, 'a', 'refused'))).member, 'RefundDecided');
  assert.is(refundedOf(l, orderId), 300);
});

it('not where more is known to have gone back than refunds explain', async (l, bank, orderId) => {
  bank.reported = { refunded: 700 };
  assert.is((await refusal(decide(l, orderId, 'a', 'refused'))).member, 'RefundDecided');
  bank.reported = {};
  assert.is((await refusal(decide(l, orderId, 'a', 'refused'))).member, 'RefundDecided');
  assert.is(refundedOf(l, orderId), 700);
});

test.run();
