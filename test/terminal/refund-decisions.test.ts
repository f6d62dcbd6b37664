/** A person decides a refund that no bank reports: money counts as gone by either word, and is never sent again. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import type { RefundOutcome } from '../../firmware/payments/model/refund.ts';
import { turnoverOf } from '../../firmware/payments/model/shift.ts';
import { each } from '../support.ts';
import { type Lane, MINUTE_MS, NO_POLLS, onLane, openLane, refusal, unreachable, until } from './harness.ts';
import { DONE, FindingBank, PENDING, pay, problems, RefundingBank, refundedOf } from './refund-rig.ts';

const test = suite('terminal: refunds that a person decides');

const NOTE = 'Anna, in the account at the bank';

type Run<B extends RefundingBank = RefundingBank> = (lane: Lane, bank: B, orderId: string) => Promise<void>;

/** A lane with a payment of 1000 kopecks, and a refund "a" of 400 without an answer, eleven minutes ago. */
const unknownAt =
  <B extends RefundingBank>(bank: B, run: Run<B>, answer: BankError | typeof PENDING = unreachable()) =>
  async (): Promise<void> => {
    await onLane(
      async (l) => {
        const orderId = await pay(l);
        bank.refundAnswers = [answer];
        await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
        l.clock.now += 11 * MINUTE_MS;
        await run(l, bank, orderId);
      },
      { bank, unreadMs: 0 },
    )();
  };

const unknown = (run: Run, answer?: BankError | typeof PENDING) => unknownAt(new RefundingBank(), run, answer);
const it = each(test, unknown);
/** One that the bank has taken. */
const taken = each(test, (run: Run) => unknown(run, PENDING));

/** The same at a bank that can be asked what it has of a refund, and does not answer now. */
const sought = (run: Run<FindingBank>) => {
  const bank = new FindingBank();
  bank.found = unreachable();
  return unknownAt(bank, run);
};
const untold = each(test, sought);

const decide = (l: Lane, orderId: string, outcome: RefundOutcome, note = NOTE) =>
  l.refunds.decide({ orderId, tillId: 'a', outcome, note });

it('done: gone back, by the note and the time of the person, and not asked about any more', async (l, bank, orderId) => {
  const asked = bank.orders.length;
  const refund = await decide(l, orderId, 'done');
  assert.equal([refund.state, refund.endedAt, refundedOf(l, orderId)], ['done', l.clock.wall(), 400]);
  assert.equal([refund.decision, refund.told], [{ outcome: 'done', note: NOTE, at: l.clock.wall() }, 'unknown']);
  assert.equal(l.refunds.of(orderId), [refund]);
  assert.is(problems(l), '');
  assert.equal(await l.refunds.refund({ orderId, tillId: 'a', amount: 400 }), refund);
  assert.is(bank.orders.length, asked);
  bank.refundAnswers = [DONE];
  const rest = await l.refunds.refund({ orderId, tillId: 'b', amount: null });
  assert.equal(
    { amount: rest.amount, refundedBefore: rest.refundedBefore, refunded: refundedOf(l, orderId) },
    { amount: 600, refundedBefore: 400, refunded: 1000 },
  );
});

it('refused: nothing has gone back; a new refund of all asks by the sum gone back first', async (l, bank, orderId) => {
  const refund = await decide(l, orderId, 'refused');
  assert.equal([refund.state, refundedOf(l, orderId), problems(l)], ['refused', 0, '']);
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 400 })).state, 'refused');
  const [asked, questions] = [bank.orders.length, bank.questions];
  bank.refundAnswers = [DONE];
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: null })).amount, 1000);
  assert.equal([bank.orders.length - asked, bank.questions > questions], [1, true]);
  assert.equal(bank.orders.at(-1)?.refundedBefore, 0);
});

it('only after ten minutes, only of that payment, and only what is not decided', async (l, bank, orderId) => {
  l.clock.now -= 2 * MINUTE_MS;
  const early = await refusal(decide(l, orderId, 'done'));
  assert.is(early.member, 'RefundFollowed');
  const from = l.refunds.of(orderId)[0]?.createdAt ?? 0;
  assert.is(early.extra.from, new Date(from + 10 * MINUTE_MS).toISOString());
  l.clock.now = l.clock.now - l.clock.wall() + from + 10 * MINUTE_MS;
  assert.is((await refusal(decide(l, orderId, 'done'))).member, 'RefundFollowed');
  l.clock.now += 1;
  const missing = l.refunds.decide({ orderId, tillId: 'b', outcome: 'done', note: NOTE });
  assert.is((await refusal(missing)).member, 'RefundNotFound');
  const other = await pay(l);
  assert.is((await refusal(decide(l, other, 'done'))).member, 'RefundNotFound');
  bank.refundAnswers = [DONE];
  await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  const error = await refusal(decide(l, orderId, 'refused'));
  assert.equal([error.member, error.extra.state], ['RefundDecided', 'done']);
  assert.match(error.message, 'by the word of the bank');
  assert.is(l.refunds.of(orderId)[0]?.decision, null);
});

it('ten minutes are those that have passed: a clock set back bars nobody, and hides nothing', async (l, _bank, orderId) => {
  const { wall } = l.clock;
  l.clock.wall = () => wall() - 48 * 60 * MINUTE_MS;
  assert.is(l.refunds.overdue.length, 1);
  assert.is((await decide(l, orderId, 'done')).state, 'done');
});

it('a clock that is set forward lets nobody decide earlier, and reports nothing earlier', async (l, _bank, orderId) => {
  const { wall } = l.clock;
  l.clock.now -= 2 * MINUTE_MS;
  l.clock.wall = () => wall() + 60 * MINUTE_MS;
  assert.is(l.refunds.overdue.length, 0);
  const early = await refusal(decide(l, orderId, 'refused'));
  assert.equal(
    [early.member, early.extra.from],
    ['RefundFollowed', new Date(l.clock.wall() + MINUTE_MS).toISOString()],
  );
});

it('the same again changes nothing, and what was refused is not done by another decision', async (l, _bank, orderId) => {
  const [one, other] = await Promise.all([decide(l, orderId, 'refused'), decide(l, orderId, 'refused', 'Boris')]);
  assert.equal(one, other);
  assert.is(one.decision?.note, NOTE);
  const error = await refusal(decide(l, orderId, 'done'));
  assert.equal([error.member, error.extra.state], ['RefundDecided', 'refused']);
  assert.match(error.message, 'as a person has decided');
  assert.is(refundedOf(l, orderId), 0);
});

it('done by mistake is taken back if the bank has not said so: the money goes back anew', async (l, bank, orderId) => {
  await decide(l, orderId, 'done');
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 1000 }))).member, 'ExceedsPaid');
  const taken = await decide(l, orderId, 'refused', 'Boris: it was another customer');
  assert.equal(
    [taken.state, taken.decision?.note, refundedOf(l, orderId)],
    [...['refused', 'Boris: it was another customer', 0]],
  );
  assert.equal(await decide(l, orderId, 'refused'), taken, 'the same again');
  bank.refundAnswers = [DONE];
  const all = await l.refunds.refund({ orderId, tillId: 'b', amount: 1000 });
  assert.equal([all.state, refundedOf(l, orderId), problems(l)], ['done', 1000, '']);
});

it('done by mistake is not taken back where the bank has made it after all', async (l, bank, orderId) => {
  await decide(l, orderId, 'done');
  bank.reported = { refunded: 400 };
  assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundDecided');
  const [refund] = l.refunds.of(orderId);
  assert.equal(
    { state: refund?.state, told: refund?.told, refunded: refundedOf(l, orderId) },
    { state: 'done', told: 'done', refunded: 400 },
  );
});

it('what was taken back and has gone after all counts again, once in all shifts', async (l, bank, orderId) => {
  const { shifts } = l.terminal;
  const backIn = (number: number): number => turnoverOf(shifts.find(number).report.groups).refunds.sum;
  await decide(l, orderId, 'done');
  shifts.close({ till: null, cashier: null }, 'one');
  await decide(l, orderId, 'refused');
  shifts.close({ till: null, cashier: null }, 'two');
  bank.reported = { refunded: 400 };
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 100 }))).member, 'RefundOpen');
  shifts.close({ till: null, cashier: null }, 'three');
  assert.equal([1, 2, 3].map(backIn), [400, -400, 400]);
  assert.equal([l.refunds.of(orderId)[0]?.state, refundedOf(l, orderId)], ['done', 400]);
});

it('a closed shift counts anew by its report, also where its refund was taken back later', async (l, bank, orderId) => {
  const { shifts } = l.terminal;
  const anew = async (number: number) => (await shifts.recounted(shifts.find(number))).refunds;
  await decide(l, orderId, 'done');
  shifts.close({ till: null, cashier: null }, 'one');
  await decide(l, orderId, 'refused');
  assert.equal(await anew(1), { count: 1, sum: 400 }, 'while the correction is in the open shift');
  shifts.close({ till: null, cashier: null }, 'two');
  assert.equal([await anew(1), (await anew(2)).sum], [{ count: 1, sum: 400 }, -400]);
  bank.reported = { refunded: 400 };
  await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 100 }));
  shifts.close({ till: null, cashier: null }, 'three');
  assert.equal([(await anew(1)).sum, (await anew(2)).sum, (await anew(3)).sum], [400, -400, 400]);
});

it("a refund that the bank reports at that moment is the bank's word, and not the person's", async (l, bank, orderId) => {
  bank.reported = { refunded: 400 };
  assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundDecided');
  const [refund] = l.refunds.of(orderId);
  assert.equal([refund?.state, refund?.decision, refundedOf(l, orderId)], ['done', null, 400]);
});

it('while money goes back the sum is unknown: nothing is decided, and nothing more goes back', async (l, bank, orderId) => {
  bank.reported = { isGoingBack: true };
  for (const outcome of ['refused', 'done'] as const) {
    assert.is((await refusal(decide(l, orderId, outcome))).member, 'RefundOpen', outcome);
  }
  const [refund] = l.refunds.of(orderId);
  assert.equal([refund?.state, refund?.decision, refundedOf(l, orderId)], ['unknown', null, 0]);
  bank.reported = {};
  assert.is((await decide(l, orderId, 'refused')).state, 'refused');
  bank.reported = { isGoingBack: true };
  const asked = bank.orders.length;
  bank.refundAnswers = [DONE];
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 100 }))).member, 'RefundOpen');
  assert.equal([bank.orders.length, refundedOf(l, orderId)], [asked, 0]);
  bank.reported = {};
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 100 })).state, 'done');
});

it("another sum than the refund's decides nothing, and nothing goes back until it is looked at", async (l, bank, orderId) => {
  bank.reported = { refunded: 250 };
  assert.is((await decide(l, orderId, 'refused')).state, 'refused');
  assert.is(refundedOf(l, orderId), 250);
  const asked = bank.orders.length;
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 100 }))).member, 'NotRefundable');
  assert.is(bank.orders.length, asked);
});

it("reported after a person's refusal: gone in both ledgers, in /health, not given back twice", async (l, bank, orderId) => {
  await decide(l, orderId, 'refused');
  bank.reported = { refunded: 400 };
  bank.refundAnswers = [DONE];
  for (let n = 0; n < 2; n += 1) {
    const error = await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 400 }));
    assert.equal([error.member, error.extra.refund], ['RefundOpen', 'a'], 'it may have been meant in place of a');
  }
  const [refund, ...more] = l.refunds.of(orderId);
  assert.equal(
    { state: refund?.state, told: refund?.told, refunded: refundedOf(l, orderId), more },
    { state: 'done', told: 'done', refunded: 400, more: [] },
  );
  assert.is(refund?.endedAt, l.clock.wall());
  assert.match(problems(l), /The bank paid out 1 refund that was marked as refused.*4,00.*"a"/s);
  l.clock.now += MINUTE_MS;
  const settled = await decide(l, orderId, 'done', 'Boris: it has');
  assert.equal([settled.state, settled.decision?.note, problems(l)], ['done', 'Boris: it has', '']);
  assert.is(settled.endedAt, refund?.endedAt, 'it stays on the day of the bank');
  assert.is(refundedOf(l, orderId), 400);
  const error = await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 1000 }));
  assert.equal([error.member, error.extra.left], ['ExceedsPaid', 600]);
});

taken('one that the bank does not report then is asked about on, and never made again', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable()];
  bank.reported = { refunded: 400 }; // as soon as it is taken, and not when it has ended
  const refund = await decide(l, orderId, 'refused');
  assert.equal([refund.state, refund.told], ['refused', 'pending']);
  bank.reported = {};
  bank.refundAnswers = [PENDING];
  const more = await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 1000 }));
  assert.equal([more.member, more.extra.refund], ['RefundOpen', 'a']);
  bank.refundAnswers = [DONE];
  await until('the word of the bank', () => l.refunds.of(orderId)[0]?.told === 'done');
  assert.equal([bank.orders.length, refundedOf(l, orderId), l.refunds.of(orderId)[0]?.state], [1, 400, 'done']);
  assert.match(problems(l), 'The bank paid out 1 refund that was marked as refused');
});

taken('done by a person, refused by the bank: it counts until somebody has looked', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable(), { state: 'refused', bankRefundId: 'b-1', reason: 'no such account' }];
  await decide(l, orderId, 'done');
  await until('the word of the bank', () => l.refunds.of(orderId)[0]?.told === 'refused');
  const [refund] = l.refunds.of(orderId);
  assert.equal([refund?.state, refund?.reason, refundedOf(l, orderId)], ['done', 'no such account', 400]);
  assert.match(problems(l), /The bank refused 1 refund that was marked as paid out.*no such account/s);
  const settled = await decide(l, orderId, 'done');
  assert.equal([settled.state, settled.told, problems(l)], ['done', 'refused', '']);
  const taken = await decide(l, orderId, 'refused');
  assert.equal(
    { state: taken.state, told: taken.told, problems: problems(l), refunded: refundedOf(l, orderId) },
    { state: 'refused', told: 'refused', problems: '', refunded: 0 },
  );
  assert.is(bank.orders.length, 1);
});

taken('what counts as gone back keeps no other refund waiting, though it is under way', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable(), PENDING];
  await decide(l, orderId, 'done');
  const rest = await l.refunds.refund({ orderId, tillId: 'b', amount: null });
  assert.equal(
    { amount: rest.amount, state: rest.state, orders: bank.orders.length },
    { amount: 600, state: 'pending', orders: 2 },
  );
});

it('where the disk takes nothing, payment and refund stay; the same again decides once', async (l, _bank, orderId) => {
  l.db.exec('PRAGMA query_only = ON');
  assert.is((await refusal(decide(l, orderId, 'done'))).member, 'StorageRefused');
  const [refund] = l.refunds.of(orderId);
  assert.equal([refundedOf(l, orderId), refund?.state, refund?.decision], [0, 'unknown', null]);
  l.db.exec('PRAGMA query_only = OFF');
  assert.is((await decide(l, orderId, 'done')).state, 'done');
  assert.is(refundedOf(l, orderId), 400);
});

taken('a decision counts on the day of the person, also where the clock has gone back', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable()];
  const { wall } = l.clock;
  let backMs = 0;
  const setBack = () => {
    backMs += 5 * MINUTE_MS;
  };
  l.clock.wall = () => wall() - backMs;
  await decide(l, orderId, 'refused');
  setBack();
  bank.refundAnswers = [DONE];
  await until('the word of the bank', () => l.refunds.of(orderId)[0]?.told === 'done');
  assert.match(problems(l), 'The bank paid out 1 refund');
  setBack();
  await decide(l, orderId, 'done');
  assert.is(problems(l), '');
});

taken('a bank that only refuses to report the refund decides nothing', async (l, bank, orderId) => {
  bank.refundAnswers = [new BankError('refused', 'no such refund')];
  const refund = await decide(l, orderId, 'refused');
  assert.equal([refund.state, refund.told, refund.toldAt], ['refused', 'pending', null]);
  bank.refundAnswers = [new BankError('refused', 'no such refund'), DONE];
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 1000 })).state, 'done');
});

untold('one whose answer was lost is what the bank says, and not what the person says', async (l, bank, orderId) => {
  const asked = bank.orders.length;
  bank.found = DONE;
  const error = await refusal(decide(l, orderId, 'refused'));
  assert.equal([error.member, error.extra.state], ['RefundDecided', 'done']);
  const [refund] = l.refunds.of(orderId);
  assert.equal([refund?.state, refund?.decision, refundedOf(l, orderId)], ['done', null, 400]);
  assert.is(bank.orders.length, asked, 'it is not made again');
});

untold('one that the bank calls under way is not decided, and keeps the next one waiting', async (l, bank, orderId) => {
  const asked = bank.orders.length;
  bank.found = PENDING;
  bank.refundAnswers = [PENDING];
  assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundOpen');
  const [refund] = l.refunds.of(orderId);
  assert.equal([refund?.state, refund?.bankRefundId, refund?.decision], ['pending', 'b-1', null]);
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 600 }))).member, 'RefundOpen');
  assert.is(bank.orders.length, asked);
});

untold('a bank that does not have it: an equal sum is of another, and no more goes back', async (l, bank, orderId) => {
  bank.found = null;
  bank.reported = { refunded: 400 }; // somebody has made it in the account at the bank
  const refund = await decide(l, orderId, 'refused');
  assert.equal([refund.state, refund.told, refundedOf(l, orderId)], ['refused', 'unknown', 400]);
  const asked = bank.orders.length;
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 400 }))).member, 'NotRefundable');
  assert.is(bank.orders.length, asked);
});

for (const silence of [unreachable(), new BankError('refused', 'not now'), new BankError('contradiction', 'what?')]) {
  untold(`decided while the bank is silent (${silence.code}): no more goes back before`, async (l, bank, orderId) => {
    bank.found = silence;
    const refund = await decide(l, orderId, 'refused');
    assert.equal([refund.state, refund.told], ['refused', 'unknown']);
    const asked = bank.orders.length;
    bank.refundAnswers = [DONE];
    const next = () => refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 1000 }));
    const error = await next();
    assert.equal([error.category, error.member], ['Bank', 'Unreachable']);
    assert.match(error.message, 'the refund "a" of 400 kopecks (4.00 roubles)');
    bank.found = PENDING;
    assert.is((await next()).member, 'RefundOpen');
    const [underWay] = l.refunds.of(orderId);
    assert.equal([underWay?.state, underWay?.told, underWay?.toldAt], ['refused', 'pending', null]);
    assert.equal([underWay?.endedAt, problems(l)], [refund.endedAt, '']);
    bank.found = silence;
    assert.equal([(await next()).member, l.refunds.of(orderId)[0]?.told], ['Unreachable', 'pending']);
    bank.found = DONE;
    assert.match((await next()).message, 'the bank has made the refund "a"');
    assert.equal([refundedOf(l, orderId), bank.orders.length], [400, asked]);
    assert.match(problems(l), 'The bank paid out 1 refund that was marked as refused');
  });
}

taken('under way, and then no answer: the next one waits, also after a refusal by hand', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable()];
  await decide(l, orderId, 'refused');
  const asked = bank.orders.length;
  const error = await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 1000 }));
  assert.equal([error.category, error.member, bank.orders.length], ['Bank', 'Unreachable', asked]);
});

it('a bank of sums that cannot say now: the next waits; one of no sums leaves it to the person', async (l, bank, orderId) => {
  await decide(l, orderId, 'refused');
  const asked = bank.orders.length;
  bank.refundAnswers = [DONE];
  bank.verdicts.set(l.bankId(0), unreachable());
  const next = { orderId, tillId: 'b', amount: 1000 };
  assert.is((await refusal(l.refunds.refund(next))).member, 'Unreachable');
  assert.is(bank.orders.length, asked);
  bank.verdicts.set(l.bankId(0), new BankError('refused', 'no such payment any more'));
  assert.is((await l.refunds.refund(next)).state, 'done');
});

untold('a bank that has nothing of it leaves it to the person, and is asked anyway', async (l, bank, orderId) => {
  bank.found = null;
  const refund = await decide(l, orderId, 'refused');
  assert.is(refund.told, 'unknown');
  bank.refundAnswers = [DONE];
  bank.verdicts.set(l.bankId(0), unreachable()); // its word about the refund is enough
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 500 })).state, 'done');
  assert.equal(new Set(bank.finds.map(({ refundId }) => refundId)), new Set([refund.refundId]));
  bank.found = DONE;
  await until('the word of the bank', () => l.refunds.of(orderId)[0]?.told === 'done');
  assert.equal([refundedOf(l, orderId), l.refunds.of(orderId)[0]?.state], [900, 'done']);
  const finds = bank.finds.length;
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'c', amount: 100 }))).member, 'RefundOpen');
  await decide(l, orderId, 'done');
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'c', amount: 200 }))).member, 'ExceedsPaid');
  assert.is(bank.finds.length, finds, 'what the bank has reported is asked about no more');
});

untold('a wrong decision is put right with the word of the bank, and only with that', async (l, bank, orderId) => {
  await decide(l, orderId, 'refused');
  assert.is((await refusal(decide(l, orderId, 'done', 'Boris'))).member, 'RefundDecided');
  bank.found = PENDING;
  assert.is((await refusal(decide(l, orderId, 'done', 'Boris'))).member, 'RefundDecided');
  bank.found = DONE;
  const put = await decide(l, orderId, 'done', 'Boris');
  assert.equal(
    { state: put.state, outcome: put.decision?.outcome, note: put.decision?.note },
    { state: 'done', outcome: 'done', note: 'Boris' },
  );
  assert.equal([refundedOf(l, orderId), problems(l)], [400, '']);
});

/** A person has wrongly called the refund done. */
const wronglyDoneAt =
  <B extends RefundingBank>(run: Run<B>): Run<B> =>
  async (l, bank, orderId) => {
    await decide(l, orderId, 'done');
    await run(l, bank, orderId);
  };
const wronglyDone = each(test, (run: Run) => unknown(wronglyDoneAt(run)));
const wronglyFound = each(test, (run: Run<FindingBank>) => unknownAt(new FindingBank(), wronglyDoneAt(run)));

/** Another refund without an answer, eleven minutes ago. */
async function unanswered(l: Lane, orderId: string, tillId: string, amount: number): Promise<void> {
  (l.bank as RefundingBank).refundAnswers = [unreachable()];
  await l.refunds.refund({ orderId, tillId, amount });
  l.clock.now += 11 * MINUTE_MS;
}

wronglyDone(
  'taken back while another one is undecided, which counts by itself once it is done',
  async (l, bank, orderId) => {
    await unanswered(l, orderId, 'b', 400);
    await decide(l, orderId, 'refused');
    await l.refunds.decide({ orderId, tillId: 'b', outcome: 'done', note: NOTE });
    assert.is(refundedOf(l, orderId), 400);
    bank.refundAnswers = [DONE];
    await l.refunds.refund({ orderId, tillId: 'c', amount: 600 });
    assert.is(refundedOf(l, orderId), 1000);
  },
);

wronglyDone('taken back: both of two, the older one first', async (l, _bank, orderId) => {
  await unanswered(l, orderId, 'b', 400);
  await l.refunds.decide({ orderId, tillId: 'b', outcome: 'done', note: NOTE });
  await decide(l, orderId, 'refused');
  await l.refunds.decide({ orderId, tillId: 'b', outcome: 'refused', note: NOTE });
  assert.is(refundedOf(l, orderId), 0);
});

wronglyDone(
  'taken back in the shift that called it done, gone after all in a later one, counted there',
  async (l, bank, orderId) => {
    const { shifts } = l.terminal;
    const backIn = (number: number): number => turnoverOf(shifts.find(number).report.groups).refunds.sum;
    await decide(l, orderId, 'refused');
    shifts.close({ till: null, cashier: null }, 'one');
    bank.reported = { refunded: 400 };
    assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 100 }))).member, 'RefundOpen');
    shifts.close({ till: null, cashier: null }, 'two');
    assert.equal([1, 2].map(backIn), [0, 400]);
  },
);

wronglyFound(
  'not taken back while the bank counts money of the payment as gone back, by whatever refund',
  async (l, bank, orderId) => {
    bank.found = { state: 'refused', bankRefundId: null, reason: 'no such account' };
    bank.reported = { refunded: 400 };
    assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundDecided');
    bank.reported = { isGoingBack: true };
    assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundOpen');
    assert.is(refundedOf(l, orderId), 400);
    bank.reported = { refunded: 0 };
    await decide(l, orderId, 'refused');
    assert.is(refundedOf(l, orderId), 0);
  },
);

wronglyFound(
  'not taken back once the bank has it, done or under way, also where it reports no sum',
  async (l, bank, orderId) => {
    bank.found = PENDING;
    assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundOpen');
    bank.found = DONE;
    assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundDecided');
    assert.is(refundedOf(l, orderId), 400);
  },
);

wronglyDone('not taken back where more is known to have gone back than refunds explain', async (l, bank, orderId) => {
  bank.reported = { isGoingBack: true };
  assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundOpen');
  assert.is(refundedOf(l, orderId), 400, 'it stays counted');
  bank.reported = { refunded: 700 };
  assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundDecided');
  bank.reported = {};
  assert.is((await refusal(decide(l, orderId, 'refused'))).member, 'RefundDecided');
  assert.is(refundedOf(l, orderId), 700);
});

/** A lane that takes up where one has ended. */
const afterwards = (lane: Lane, bank: RefundingBank, run: (again: Lane) => Promise<void>): Promise<void> => {
  const { db, clock } = lane;
  return onLane(run, { bank, db, clock, pacing: NO_POLLS })();
};

test('a restart reports it at once and counts ten minutes anew: the time off is not known', async () => {
  const bank = new RefundingBank();
  const lane = await openLane({ bank });
  const orderId = await pay(lane);
  bank.refundAnswers = [unreachable()];
  await lane.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  await lane.stop();
  lane.clock.now += 11 * MINUTE_MS;
  await afterwards(lane, bank, async (again) => {
    assert.is(again.refunds.overdue.length, 1);
    assert.is((await refusal(decide(again, orderId, 'refused'))).member, 'RefundFollowed');
    again.clock.now += 10 * MINUTE_MS + 1;
    assert.is((await decide(again, orderId, 'refused')).state, 'refused');
  });
});

/** A refund of 400 that a person has refused while the bank did not answer, of a process that has ended. */
async function refusedBefore(bank: FindingBank): Promise<{ lane: Lane; orderId: string }> {
  const lane = await openLane({ bank });
  const orderId = await pay(lane);
  bank.refundAnswers = [unreachable()];
  bank.found = unreachable();
  await lane.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  lane.clock.now += 11 * MINUTE_MS;
  await decide(lane, orderId, 'refused');
  await lane.stop();
  return { lane, orderId };
}

test('a decided one is asked about after a restart until the bank reports it, and never made', async () => {
  const bank = new FindingBank();
  const { lane, orderId } = await refusedBefore(bank);
  const asked = bank.orders.length;
  bank.found = PENDING;
  await afterwards(lane, bank, async (again) => {
    assert.is(again.refunds.of(orderId)[0]?.decision?.note, NOTE);
    await until('the word of the bank', () => again.refunds.of(orderId)[0]?.told === 'pending');
    bank.found = DONE;
    await until('the end', () => again.refunds.of(orderId)[0]?.told === 'done');
    assert.equal([bank.orders.length, refundedOf(again, orderId)], [asked, 400]);
    assert.match(problems(again), 'The bank paid out 1 refund that was marked as refused');
  });
});

test('an unreported refund is asked about for a week after the decision, one under way for ever', async () => {
  for (const [report, isAsked] of [
    [null, false],
    [PENDING, true],
  ] as const) {
    const bank = new FindingBank();
    const { lane, orderId } = await refusedBefore(bank);
    bank.found = report;
    await afterwards(lane, bank, async (again) => {
      const finds = bank.finds.length;
      await until('a question', () => bank.finds.length > finds + 1);
      assert.is(again.refunds.of(orderId)[0]?.told, report === null ? 'unknown' : 'pending');
    });
    lane.clock.now += 8 * 24 * 60 * MINUTE_MS;
    const finds = bank.finds.length;
    await afterwards(lane, bank, async (again) => {
      assert.is(again.refunds.of(orderId)[0]?.state, 'refused');
      if (isAsked) await until('a question', () => bank.finds.length > finds);
      else assert.is((await refusal(decide(again, orderId, 'done'))).member, 'RefundDecided');
    });
    if (!isAsked) assert.is(bank.finds.length, finds + 1, 'by that decision alone');
  }
});

test.run();
