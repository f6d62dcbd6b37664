/** How often a bank is asked at most, whatever goes wrong: a stuck order, a full disk, a silent bank, an impatient person. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Asking, askingOf } from '../../firmware/banks/adapter.ts';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { adapterOf, BANKS } from '../../firmware/banks/registry.ts';
import { each } from '../support.ts';
import { type Hours, paymentOf, SHOWN, withHours } from './follower-rig.ts';
import { MINUTE_MS } from './harness.ts';

const test = suite('terminal: limits of asking a bank');
const it = each(test, withHours);
const SECOND = 1 / 60;
const MOST_AN_HOUR = 200;
const OTHER = paymentOf('other', 60, SHOWN, 2);

const bankAsking = (name: string): Asking => askingOf(adapterOf(name), null);
const ANYWAY = bankAsking('Alfa Bank Token');

const tooMany = (retryAfterMs: number | null = null): BankError =>
  new BankError('unreachable', 'too many calls', { status: 429, retryAfterMs });

for (const { name } of BANKS)
  for (const minutes of [0, 1, 4, 20])
    it(`${name}, in work for ever from minute ${minutes}: at most 200 questions an hour`, async (hours) => {
      hours.asking = bankAsking(name);
      hours.answerMs = 150;
      hours.follow('a', 240, SHOWN);
      await hours.pass(minutes);
      const before = hours.questions;
      await hours.says('processing', 60 - minutes);
      assert.ok(hours.questions <= MOST_AN_HOUR, `${before} before, ${hours.questions} in all`);
    });

for (const [what, fail] of [
  ['a ledger that cannot be written', (hours: Hours) => Object.assign(hours, { isFull: true })],
  ['a question that fails in the device', (hours: Hours) => hours.verdicts.set('a', new Error('no such row'))],
] as const) {
  it(`${what}: at most 200 questions an hour`, async (hours) => {
    hours.follow('a', 240, SHOWN);
    fail(hours);
    await hours.pass(60);
    assert.ok(hours.questions > 60 && hours.questions <= MOST_AN_HOUR, String(hours.questions));
  });

  it(`${what}: AnyWay has its 15 s between two questions`, async (hours) => {
    hours.asking = ANYWAY;
    hours.follow('a', 240, SHOWN);
    fail(hours);
    await hours.pass(3);
    assert.ok(hours.count('a') > 5 && Math.min(...hours.pauses()) >= 15, String(hours.pauses()));
  });
}

it('a person who asks about an order of a silent bank takes no turn from other orders', async (hours) => {
  hours.takeUp('a', 240, { createdMono: hours.now - 20 * MINUTE_MS });
  hours.takeUp('b', 240, { createdMono: hours.now - 5 * MINUTE_MS });
  hours.follow('newest', 240, SHOWN, 3);
  hours.shown = OTHER;
  await hours.pass(SECOND);
  hours.holds = true;
  hours.follower.askSoon('a');
  await hours.pass(SECOND);
  hours.holds = false;
  const [asked, others] = [hours.count('a'), hours.count('b')];
  for (let n = 0; n < 50; n += 1) {
    hours.follower.askSoon('a');
    await hours.pass(SECOND);
  }
  assert.is(hours.count('a'), asked, 'its question is still under way');
  assert.ok(hours.count('b') - others >= 4, `${hours.count('b') - others} questions about another in 50 s`);
  hours.answer();
  await hours.pass(10 * SECOND);
  assert.ok(hours.count('a') - asked <= 1, `${hours.count('a') - asked} questions of those presses`);
});

/** Orders of a silent bank have all the turns: what else is due waits for one. */
async function takeAllTurns(hours: Hours): Promise<void> {
  const silent = ['s1', 's2', 's3', 's4'];
  for (const id of [...silent, 'a', 'b']) hours.takeUp(id, 240, { createdMono: hours.now - 20 * MINUTE_MS });
  hours.follow('newest', 240, SHOWN, 9);
  await hours.pass(2 * SECOND);
  hours.holds = true;
  for (const id of silent) hours.follower.askSoon(id);
  await hours.pass(SECOND);
  hours.holds = false;
}

it('however often a person asks about an order that waits for its turn, it gets one', async (hours) => {
  await takeAllTurns(hours);
  const [a, b] = [hours.count('a'), hours.count('b')];
  for (let n = 0; n < 50; n += 1) {
    hours.follower.askSoon('a');
    await hours.pass(0.1 * SECOND);
  }
  hours.follower.askSoon('b');
  await hours.pass(0.1 * SECOND);
  assert.equal([hours.count('a') - a, hours.count('b') - b], [0, 0], 'all turns are taken');
  hours.answer();
  for (let n = 0; n < 3; n += 1) await hours.pass(0.1 * SECOND);
  assert.equal([hours.count('a') - a, hours.count('b') - b], [1, 1], 'and neither delays the other');
});

it('shown again while it waits for its turn: asked at once, and not again in that turn', async (hours) => {
  await takeAllTurns(hours);
  const asked = hours.count('a');
  hours.follower.askSoon('a');
  await hours.pass(0.1 * SECOND);
  hours.follower.hasten('a');
  await hours.pass(0.1 * SECOND);
  assert.is(hours.count('a') - asked, 1);
  hours.answer();
  for (let n = 0; n < 3; n += 1) await hours.pass(0.1 * SECOND);
  assert.is(hours.count('a') - asked, 1);
});

it('an ended order has all its late checks, though a person asks beside them', async (hours) => {
  hours.follow('a', 1, { ...SHOWN, state: 'REJECTED' });
  hours.verdicts.set('a', 'rejected');
  await hours.pass(3);
  hours.holds = true;
  for (let n = 0; n < 20; n += 1) {
    hours.follower.askSoon('a');
    await hours.pass(SECOND);
  }
  hours.answer();
  await hours.pass(SECOND);
  assert.equal(hours.settled, []);
  await hours.says('accepted', 60);
  assert.is(hours.statusOf('a').state, 'ACCEPTED');
});

it('AnyWay: a scheduled question leaves 15 s after one of a till, too', async (hours) => {
  hours.asking = ANYWAY;
  hours.follow('a', 240, SHOWN);
  await hours.pass(29 * SECOND);
  await hours.follower.askNow(paymentOf('a', 240, SHOWN), 1000);
  await hours.pass(1);
  assert.ok(hours.pauses().slice(1).length >= 2, String(hours.pauses()));
  assert.ok(Math.min(...hours.pauses().slice(1)) >= 15, String(hours.pauses()));
});

it('a time that a bank has named to a till holds for the next scheduled question', async (hours) => {
  hours.follow('a', 240, SHOWN);
  await hours.pass(10 * SECOND);
  hours.verdicts.set('a', tooMany(6000));
  await hours.follower.askNow(paymentOf('a', 240, SHOWN), 1000);
  const asked = hours.questions;
  await hours.pass(5 * SECOND);
  assert.is(hours.questions, asked);
  await hours.pass(2 * SECOND);
  assert.is(hours.questions, asked + 1);
});

it('the quick pace comes once an order: not again after a restart', async (hours) => {
  hours.takeUp('a', 60, { createdMono: hours.now - 10_000 });
  hours.verdicts.set('a', 'processing');
  await hours.pass(20 * SECOND);
  assert.is(Math.min(...hours.pauses()), 1.5);
});

it('answers of too many that overlap in time slow the bank down step by step', async (hours) => {
  hours.answerMs = 900;
  for (let n = 1; n <= 100; n += 1) {
    hours.follow(`p${n}`, 240, SHOWN, n);
    hours.verdicts.set(`p${n}`, tooMany());
  }
  await hours.pass(1);
  assert.ok(Math.max(...hours.pauses('p100')) >= 12, String(hours.pauses('p100')));
});

it('ten minutes with an answer of too many are not quiet, though it names a time', async (hours) => {
  hours.follow('a', 240, SHOWN);
  await hours.says(tooMany(), 6 * SECOND);
  await hours.says('pending', 6);
  await hours.says(tooMany(1000), 0.5);
  await hours.says('pending', 5);
  hours.follow('b', 240, SHOWN, 2);
  await hours.pass(20 * SECOND);
  assert.ok(Math.min(...hours.pauses('b')) > 1.5, String(hours.pauses('b')));
});

test.run();
