import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import type { PaymentStatus } from '../../firmware/payments/model/payment.ts';
import { each } from '../support.ts';
import { BROKEN, type Hours, paymentOf, SHOWN, withHours } from './follower-rig.ts';
import { MINUTE_MS, unreachable } from './harness.ts';

const test = suite('terminal: following payments');

const it = each(test, withHours);

it('an ended payment is asked about four more times, then no more, if its code is dead by then', async (hours) => {
  hours.follow('a', 5, BROKEN);
  assert.is(await hours.pass(90), 5);
  assert.equal(hours.settled, ['a']);
  assert.is(await hours.pass(120), 0);
});

it('while its code lives it is asked about hourly: a payment after two hours is in the ledger', async (hours) => {
  hours.follow('a', 240, BROKEN);
  await hours.pass(130);
  assert.equal(hours.settled, []);
  await hours.says('accepted', 61);
  assert.is(hours.statusOf('a').state, 'ACCEPTED');
  assert.ok(hours.statusOf('a').late);
  assert.equal(hours.settled, ['a']);
});

it('it is asked about once after its code has expired, and then no more', async (hours) => {
  hours.follow('a', 120, BROKEN);
  await hours.pass(119);
  assert.equal(hours.settled, []);
  await hours.pass(62);
  assert.equal(hours.settled, ['a']);
});

it('missing answers are counted for each payment by itself, until its next answer', async (hours) => {
  hours.follow('known', 60, SHOWN);
  hours.follow('unknown', 60, SHOWN);
  hours.verdicts.set('unknown', new BankError('refused', 'no such payment'));
  await hours.pass(2);
  const [only, ...others] = hours.follower.unanswered;
  assert.equal(others, []);
  assert.is(only?.payment.orderId, 'unknown');
  assert.is(only?.error.code, 'refused');
  assert.ok((only?.times ?? 0) >= 3);
  const { since } = hours.follower.silenceAbout('unknown') ?? {};
  await hours.pass(2);
  assert.is(hours.follower.silenceAbout('unknown')?.since, since, 'that of the first question');
  assert.is(hours.follower.silenceAbout('known'), null);
  hours.verdicts.set('unknown', 'pending');
  await hours.pass(1);
  assert.equal([hours.follower.unanswered, hours.follower.silenceAbout('unknown')], [[], null]);
  hours.verdicts.set('unknown', new BankError('refused', 'no such payment'));
  await hours.pass(1);
  assert.ok((hours.follower.silenceAbout('unknown')?.since ?? 0) > (since ?? 0), 'it was heard in between');
});

it('an answer about a payment taken up anew meanwhile is not taken: its own question comes', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.holds = true;
  await hours.pass(1);
  assert.is(hours.under, 1);
  hours.follow('a', 60, SHOWN);
  hours.verdicts.set('a', 'accepted');
  hours.answer();
  await hours.pass(0.01);
  assert.is(hours.statusOf('a').state, 'PENDING');
  await hours.pass(1);
  assert.is(hours.statusOf('a').state, 'ACCEPTED');
});

const patience = (minutes: number): BankError =>
  new BankError('unreachable', 'too many calls', { retryAfterMs: minutes * MINUTE_MS });

it('a bank that asks for patience gets it', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.verdicts.set('a', patience(10));
  hours.follow('b', 60, SHOWN);
  hours.verdicts.set('b', 'rejected');
  await hours.pass(9);
  assert.is(hours.count('a'), 1);
  await hours.pass(2);
  assert.is(hours.count('a'), 2);
});

it('a customer at the code: asked every 15 s until the end, no sooner than the bank wishes', async (hours) => {
  hours.follow('a', 5, SHOWN);
  hours.verdicts.set('a', patience(60));
  assert.is(await hours.pass(0.2), 1);
  assert.is(await hours.pass(3), 12);
  hours.verdicts.set('a', patience(0.2));
  await hours.pass(0.3);
  assert.is(await hours.pass(1), 5);
  await hours.says('accepted', 1);
  assert.is(hours.statusOf('a').state, 'ACCEPTED');
});

it('once its time is over no customer stands there, and the wait that the bank asks for holds', async (hours) => {
  hours.follow('a', 1, SHOWN);
  await hours.pass(2);
  assert.is(hours.statusOf('a').state, 'CANCELED');
  hours.verdicts.set('a', patience(60));
  const asked = await hours.pass(30);
  assert.ok(asked <= 1, String(asked));
});

it('what the bank said before the end of ttl and grace is not sure; what it says after is', async (hours) => {
  hours.follow('a', 5, BROKEN);
  await hours.pass(5);
  assert.equal(hours.unsure, ['a']);
  await hours.says(unreachable(), 10);
  assert.equal(hours.unsure, ['a'], 'silence is no answer');
  await hours.says('processing', 60);
  assert.equal(hours.unsure, ['a'], 'nor is that it is in work');
  await hours.says('rejected', 60);
  assert.equal(hours.unsure, []);
});

it('declined, then in work at the bank: asked about to its end, even past the late checks', async (hours) => {
  hours.follow('a', 5, SHOWN);
  await hours.says('rejected', 70);
  assert.is(hours.statusOf('a').state, 'REJECTED');
  await hours.says('processing', 60);
  assert.equal(hours.settled, []);
  await hours.says('accepted', 2);
  assert.is(hours.statusOf('a').state, 'ACCEPTED');
  assert.equal(hours.settled, ['a']);
});

it('a silent bank uses up none of the questions about a payment that has ended', async (hours) => {
  hours.follow('a', 5, BROKEN);
  await hours.says(unreachable(), 180);
  await hours.says('pending', 2);
  await hours.says('accepted', 60);
  assert.is(hours.statusOf('a').state, 'ACCEPTED');
});

it('a registration that the bank has not heard of is silence in its time, and unpaid after it', async (hours) => {
  hours.follow('a', 5, SHOWN);
  await hours.says(new BankError('refused', 'no such order', { isUnheardOf: true }), 5);
  assert.is(hours.follower.silenceAbout('a')?.error.code, 'refused');
  await hours.pass(1);
  assert.equal([hours.follower.silenceAbout('a'), hours.statusOf('a').state], [null, 'CANCELED']);
});

const DECLINED: PaymentStatus = { ...SHOWN, state: 'REJECTED' };
const OTHER = paymentOf('other', 60, SHOWN, 2);

for (const [what, shown, status, isHurried] of [
  ['another code of its sale', OTHER, DECLINED, true],
  ['another code of its sale, but taken back', OTHER, { ...DECLINED, withdrawn: true }, false],
  ['nothing', null, DECLINED, false],
  ['its own code', { ...OTHER, orderId: 'a' }, DECLINED, false],
  ['another amount', { ...OTHER, amount: 200 }, DECLINED, false],
  ['another purpose', { ...OTHER, purpose: 'milk' }, DECLINED, false],
  ['another profile', { ...OTHER, profile: 'q' }, DECLINED, false],
] as const)
  it(`declined, customer at ${what}: asked about ${isHurried ? 'as if open' : 'now and then'}`, async (hours) => {
    hours.follow('a', 60, status);
    hours.verdicts.set('a', 'rejected');
    await hours.pass(1);
    hours.shown = shown;
    hours.follower.hurryRivals(() => hours.shown);
    const questions = await hours.pass(4);
    assert.ok(isHurried ? questions > 20 : questions <= 3, `${questions} questions in four minutes`);
  });

it('what is shown is looked for only where a payment has ended', async (hours) => {
  let looks = 0;
  const look = (): null => {
    looks += 1;
    return null;
  };
  hours.follow('a', 60, SHOWN);
  hours.follow('b', 60, SHOWN, 2);
  hours.follower.hurryRivals(look);
  assert.is(looks, 0, 'a till waits for its answer meanwhile');
  hours.follow('c', 60, DECLINED, 3);
  hours.follow('d', 60, DECLINED, 4);
  hours.follower.hurryRivals(look);
  assert.is(looks, 1);
  await hours.pass(0.05);
  assert.is(hours.count('c'), 0, 'nobody stands in front of a code of its sale');
});

it('a code that is valid for hours is asked about at its end, and no pause goes beyond that', async (hours) => {
  hours.follow('a', 100, SHOWN);
  await hours.pass(100);
  assert.is(hours.statusOf('a').state, 'PENDING');
  await hours.pass(0.5);
  assert.is(hours.statusOf('a').state, 'CANCELED');
});

it('after ttl and grace an unanswered payment is no longer in time, and still asked about', async (hours) => {
  hours.follow('a', 5, SHOWN);
  await hours.says(unreachable(), 5);
  assert.equal(hours.follower.inTime, ['a']);
  await hours.pass(1);
  assert.equal(hours.follower.inTime, []);
  assert.ok((await hours.pass(2)) > 0);
  assert.is(hours.statusOf('a').state, 'PENDING');
});

it('however many are open, questions are limited, each in turn, the newest in its own rhythm', async (hours) => {
  const OPEN = 1000;
  for (let n = 1; n <= OPEN; n += 1) hours.follow(`p${n}`, 240, SHOWN, n);
  await hours.pass(1);
  hours.asked.clear();
  const questions = await hours.pass(2);
  const newest = hours.count(`p${OPEN}`);
  assert.ok(newest >= 11, `the newest was asked about ${newest} times in two minutes`);
  assert.ok(questions <= 2 * 60 * 20 + newest + 1, `${questions} questions in two minutes`);
  const counts = Array.from({ length: OPEN - 1 }, (_, n) => hours.count(`p${n + 1}`));
  assert.ok(Math.min(...counts) >= 2 && Math.max(...counts) <= 3, `${Math.min(...counts)} to ${Math.max(...counts)}`);
});

it('a bank that keeps silent is asked four questions at once, beside the one for the newest', async (hours) => {
  for (let n = 1; n <= 50; n += 1) hours.follow(`p${n}`, 240, SHOWN, n);
  hours.holds = true;
  await hours.pass(2);
  assert.is(hours.under, 5);
});

/** A till asks now, for a cancellation, a withdrawal or a new sale. */
const askNow = (hours: Hours) => hours.follower.askNow(paymentOf('a', 60, SHOWN), 1000);

it("a till's own question shares no answer to an earlier one, and does not wait for it", async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.holds = true;
  await hours.pass(0.1);
  assert.is(hours.under, 1, 'the scheduled one, which the bank has taken as not paid');
  hours.verdicts.set('a', 'accepted');
  const answer = askNow(hours);
  assert.equal([hours.questions, hours.under, hours.mostUnder], [2, 1, 1], 'one at a time');
  hours.answer();
  assert.is((await answer).verdict, 'accepted');
  await hours.pass(0.001);
  assert.is(hours.statusOf('a').state, 'ACCEPTED', 'who waited for the earlier one has this answer');
});

it('of two questions of tills the later one answers both', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.holds = true;
  const first = askNow(hours);
  hours.verdicts.set('a', 'rejected');
  const second = askNow(hours);
  hours.answer();
  assert.equal([(await first).verdict, (await second).verdict], ['rejected', 'rejected']);
  assert.is(hours.mostUnder, 1);
});

it('a scheduled question that comes while a till asks is that one; the next has its time', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.holds = true;
  const answer = askNow(hours);
  await hours.pass(0.1);
  assert.is(hours.questions, 1);
  hours.answer();
  await answer;
  await hours.pass(0.001);
  await hours.pass(0.1);
  assert.ok(hours.count('a') >= 3, 'it goes on');
});

it('a question that is given up is no silence of the bank', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.holds = true;
  hours.verdicts.set('a', unreachable());
  await hours.pass(0.1);
  const answer = askNow(hours);
  hours.answer();
  await answer;
  await hours.pass(0.001);
  assert.is(hours.follower.silenceAbout('a')?.times, 1, "the till's own alone");
});

it('a person who asks again and again has the bank asked once a second, one question at a time', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.takeUp('b', 60, { createdMono: hours.now - 20 * MINUTE_MS });
  await hours.pass(0.5);
  const before = hours.count('b');
  for (let n = 0; n < 50; n += 1) {
    assert.ok(hours.follower.askSoon('b'));
    await hours.pass(0.1 / 60);
  }
  assert.ok(hours.count('b') - before >= 4, 'in five seconds');
  assert.ok(Math.min(...hours.pauses('b').slice(-4)) >= 1, String(hours.pauses('b')));
  hours.holds = true;
  const held = hours.count('b');
  for (let n = 0; n < 30; n += 1) {
    hours.follower.askSoon('b');
    await hours.pass(0.1 / 60);
  }
  assert.is(hours.count('b'), held + 1, 'while the bank is silent');
  assert.not.ok(hours.follower.askSoon('unheard of'));
});

test.run();
