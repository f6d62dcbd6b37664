/** When a bank is asked about a payment: by the age of its code, quickly while the customer pays, as slowly as the bank wants it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { askingOf } from '../../firmware/banks/adapter.ts';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { adapterOf } from '../../firmware/banks/registry.ts';
import { each } from '../support.ts';
import { type Hours, paymentOf, SHOWN, withHours } from './follower-rig.ts';
import { MINUTE_MS, unreachable } from './harness.ts';

const test = suite('terminal: when a bank is asked');
const it = each(test, withHours);
const SECOND = 1 / 60;

/** Seconds after the beginning at which the bank was asked. */
const times = (hours: Hours, from: number, id = 'a'): number[] =>
  (hours.asked.get(id) ?? []).map((time) => (time - from) / 1000);

const within = (all: readonly number[], from: number, to: number): number[] =>
  all.filter((time) => time > from && time <= to);

it('a new code: nothing for four seconds, then by its age', async (hours) => {
  const from = hours.now;
  hours.follow('a', 120, SHOWN);
  await hours.pass(60);
  const all = times(hours, from);
  assert.equal(all.slice(0, 4), [4, 5.5, 7, 8.5]);
  const pauses = [
    [4, 40, 1.5],
    [42, 90, 2.5],
    [93, 180, 4],
    [185, 900, 10],
    [911, 3600, 60],
  ] as const;
  for (const [since, until, pause] of pauses) {
    const some = within(all, since, until);
    for (const [n, time] of some.slice(1).entries()) assert.is(time - (some[n] ?? 0), pause, `at ${time} s`);
  }
  assert.ok(all.length <= 200, `${all.length} questions in an hour`);
});

it('the sandbox bank, whose scripts pay after two seconds, is asked after the first', async (hours) => {
  hours.asking = askingOf(adapterOf('Sandbox'), null);
  const from = hours.now;
  hours.follow('a', 60, SHOWN);
  await hours.pass(5 * SECOND);
  assert.equal(times(hours, from), [1, 2.5, 4]);
});

it('a bank that says nothing before paid is asked a little more often while customers pay', async (hours) => {
  hours.asking = askingOf(adapterOf('YooKassa'), null);
  const from = hours.now;
  hours.follow('a', 60, SHOWN);
  await hours.pass(2);
  const all = times(hours, from);
  assert.equal(all.slice(0, 3), [4, 5.2, 6.4]);
  assert.equal(
    within(all, 60, 66).map((time) => Math.round((time - 60) * 10) / 10).length,
    3,
    'each two seconds from the fortieth on',
  );
  const isAnnounced = (name: string, profile: Record<string, unknown> | null = null): boolean =>
    askingOf(adapterOf(name), profile).showsProcessing;
  assert.equal([isAnnounced('CFT'), isAnnounced('Sber'), isAnnounced('Sber', { gateway: 'rbs' })], [false, true, true]);
  assert.not.ok(isAnnounced('Sber', { gateway: 'partner' }));
});

it('each pause is up to 15 % shorter or longer', async (hours) => {
  const from = hours.now;
  hours.random = 0;
  hours.follow('a', 60, SHOWN);
  await hours.pass(5 * SECOND);
  assert.equal(times(hours, from), [3.4, 4.675]);
  hours.random = 1;
  hours.follow('b', 60, SHOWN);
  await hours.pass(7 * SECOND);
  assert.equal(times(hours, from + 5000, 'b'), [4.6, 6.325]);
});

it('taken up after a restart: asked at once, then by the age since it was first shown', async (hours) => {
  hours.takeUp('a', 60, { createdMono: hours.now - 50_000 });
  const from = hours.now;
  await hours.pass(10 * SECOND);
  assert.equal(times(hours, from), [0, 2.5, 5, 7.5, 10]);
});

it('taken up or shown again in its first four seconds, it is asked about at once, too', async (hours) => {
  hours.takeUp('a', 60, { createdMono: hours.now - 1000 });
  const from = hours.now;
  hours.follow('b', 60, SHOWN, 2);
  await hours.pass(2 * SECOND);
  hours.follower.hasten('b');
  await hours.pass(SECOND);
  assert.equal([times(hours, from)[0], times(hours, from, 'b')], [0, [2]]);
});

it('after another boot the age is that of the wall clock, and no more than the ttl', async (hours) => {
  const pauseAt = async (id: string, ms: number): Promise<number | undefined> => {
    hours.takeUp(id, 5, { bootId: 'boot-0', createdMono: 0, createdAt: hours.wall - ms });
    await hours.pass(11 * SECOND);
    return hours.pauses(id)[0];
  };
  assert.is(await pauseAt('in time', 100_000), 4);
  assert.is(await pauseAt('from the future', -100_000), 1.5);
  assert.is(await pauseAt('power off for a night', 10 * 3_600_000), 10);
});

it('a leap of the clock makes one question due, not all that would have come', async (hours) => {
  hours.follow('a', 60, SHOWN);
  await hours.pass(5 * SECOND);
  const before = hours.questions;
  hours.leap(10 * MINUTE_MS);
  await hours.pass(9 * SECOND);
  assert.is(hours.questions - before, 1);
});

it('shown again: asked at once, at most once a second, then by its whole age', async (hours) => {
  hours.follow('a', 60, SHOWN);
  await hours.pass(59 * SECOND);
  const from = hours.now;
  hours.follower.hasten('a');
  hours.follower.hasten('a');
  await hours.pass(6 * SECOND);
  assert.equal(within(times(hours, from), -0.001, 6), [0, 2.5, 5]);
  for (let n = 0; n < 30; n += 1) {
    hours.follower.hasten('a');
    await hours.pass(0.1 * SECOND);
  }
  assert.ok(Math.min(...hours.pauses()) >= 1, 'whatever a till does');
});

it('the rival of a shown code is asked about at once, then as an open one of its age', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.verdicts.set('a', 'rejected');
  await hours.pass(55 * SECOND);
  hours.shown = paymentOf('other', 60, SHOWN, 2);
  const from = hours.now;
  hours.follower.hurryRivals(() => hours.shown);
  await hours.pass(6 * SECOND);
  assert.equal(within(times(hours, from), -0.001, 6), [0, 2.5, 5]);
});

it('an ended payment that was a rival begins its late checks anew', async (hours) => {
  hours.follow('a', 240, { ...SHOWN, state: 'REJECTED' });
  hours.verdicts.set('a', 'rejected');
  await hours.pass(25);
  hours.shown = paymentOf('other', 60, SHOWN, 2);
  hours.follower.hurryRivals(() => hours.shown);
  await hours.pass(0.5);
  hours.shown = null;
  const before = hours.count('a');
  await hours.pass(8);
  assert.is(hours.count('a') - before, 3, 'as a rival, and after one and five minutes');
});

it('while the customer pays: each 0.8 s, for 15 s from the first sight, once an order', async (hours) => {
  hours.follow('a', 60, SHOWN);
  await hours.pass(10 * SECOND);
  const from = hours.now;
  hours.verdicts.set('a', 'processing');
  await hours.pass(30 * SECOND);
  const all = times(hours, from);
  const first = all.find((time) => time > 0) ?? 0;
  assert.ok(within(all, first, first + 15).length >= 18);
  const later = within(all, first + 16, 29.9);
  assert.is(Math.min(...later.slice(1).map((time, n) => time - (later[n] ?? 0))), 1.5);
  for (const verdict of ['pending', 'processing', 'pending', 'processing'] as const)
    await hours.says(verdict, 5 * SECOND);
  assert.ok(Math.min(...hours.pauses().slice(-8)) >= 1.5, 'flipping words begin nothing anew');
});

it('a stuck order is asked about at most 200 times in an hour', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.verdicts.set('a', 'processing');
  const asked = await hours.pass(60);
  assert.ok(asked <= 200, `${asked} questions`);
  assert.is(hours.statusOf('a').state, 'PENDING');
});

it('only the newest or shown code is asked about quickly; others each five seconds and slower', async (hours) => {
  hours.follow('a', 60, SHOWN);
  hours.follow('b', 60, SHOWN, 2);
  for (const id of ['a', 'b']) hours.verdicts.set(id, 'processing');
  await hours.pass(15 * SECOND);
  assert.ok(
    hours.pauses('a').every((pause) => pause === 5),
    String(hours.pauses('a')),
  );
  assert.is(hours.pauses('b').at(-1), 0.8);
  hours.shown = paymentOf('a', 60, SHOWN);
  hours.follower.hasten('a');
  await hours.pass(10 * SECOND);
  assert.is(Math.min(...hours.pauses('a')), 0.8, 'of the shown one, in what is left of its 15 s');
});

it('an ended payment in work at its bank is asked about as other open ones are', async (hours) => {
  hours.follow('a', 60, { ...SHOWN, state: 'REJECTED' });
  hours.verdicts.set('a', 'processing');
  const from = hours.now;
  await hours.pass(30 * SECOND);
  assert.equal(times(hours, from), [4, 9, 14, 19, 24, 29]);
});

it('a code that its till has cancelled is asked about as one that nobody stands in front of', async (hours) => {
  hours.follow('a', 60, { ...SHOWN, cancelled: true });
  await hours.pass(15 * SECOND);
  assert.equal(hours.pauses(), [5, 5]);
});

it('AnyWay: not before 15 s, never sooner than 15 s after the last, in any jitter', async (hours) => {
  hours.asking = askingOf(adapterOf('Alfa Bank Token'), null);
  for (const random of [0, 0.5, 1]) {
    hours.random = random;
    const from = hours.now;
    const id = `at ${random}`;
    hours.follow(id, 2, SHOWN);
    hours.verdicts.set(id, 'processing');
    await hours.pass(1.5);
    const [first = 0, ...others] = times(hours, from, id);
    assert.ok(first >= 15 && first <= 15 * 1.15 + 0.001, String(first));
    assert.ok(others.length >= 3 && hours.pauses(id).every((pause) => pause >= 15), String(hours.pauses(id)));
    await hours.pass(0.5 + PAST_GRACE);
    assert.ok(
      hours.pauses(id).every((pause) => pause >= 15),
      `${hours.pauses(id)}, to its end`,
    );
  }
});

const PAST_GRACE = 1;

it('AnyWay: what is shown again or taken up waits for its 15 s, too', async (hours) => {
  hours.asking = askingOf(adapterOf('Alfa Bank Token'), null);
  hours.takeUp('a', 60, { createdMono: hours.now - 5000 });
  const from = hours.now;
  await hours.pass(20 * SECOND);
  assert.equal(times(hours, from), [10]);
  hours.follower.hasten('a');
  await hours.pass(10 * SECOND);
  assert.equal(hours.pauses(), [15]);
});

it('the least pause of a shop is none before the first question', async (hours) => {
  hours.asking = askingOf(adapterOf('Tinkoff'), { bankName: 'Tinkoff', leastPause: '60' });
  const from = hours.now;
  hours.random = 0;
  hours.follow('a', 60, SHOWN);
  await hours.pass(2);
  assert.equal(times(hours, from), [4, 64]);
});

it('a shop whose bank objects names a least pause in its profile', async (hours) => {
  hours.asking = askingOf(adapterOf('Tinkoff'), { bankName: 'Tinkoff', leastPause: '3' });
  hours.random = 0;
  hours.follow('a', 60, SHOWN);
  hours.verdicts.set('a', 'processing');
  await hours.pass(1);
  assert.ok(hours.pauses().length > 10 && Math.min(...hours.pauses()) === 3, String(hours.pauses()));
});

const tooMany = (retryAfterMs: number | null = null): BankError =>
  new BankError('unreachable', 'too many calls', { status: 429, retryAfterMs });

it('too many without a time: the pauses of the whole profile double, to 15 s', async (hours) => {
  hours.follow('a', 240, SHOWN);
  hours.follow('b', 240, SHOWN, 2);
  await hours.pass(20 * SECOND);
  hours.verdicts.set('b', tooMany());
  await hours.pass(1.6 * SECOND);
  hours.verdicts.set('b', 'pending');
  await hours.pass(20 * SECOND);
  assert.is(hours.pauses('b').at(-1), 3);
  assert.is(hours.pauses('a').at(-1), 10);
  await hours.says(tooMany(), 5);
  hours.verdicts.set('b', tooMany());
  await hours.pass(5);
  assert.ok(
    hours
      .pauses('b')
      .slice(-3)
      .every((pause) => pause === 15),
    String(hours.pauses('b')),
  );
  assert.ok(hours.tooMany.length > 10 && hours.tooMany.every((profile) => profile === 'main'));
});

it('answers to questions of the pace before double nothing again', async (hours) => {
  for (const id of ['a', 'b', 'c', 'd']) hours.follow(id, 240, SHOWN);
  hours.holds = true;
  for (const id of ['a', 'b', 'c', 'd']) hours.verdicts.set(id, tooMany());
  await hours.pass(5 * SECOND);
  hours.answer();
  await hours.pass(0.01 * SECOND);
  for (const id of ['a', 'b', 'c', 'd']) hours.verdicts.set(id, 'pending');
  await hours.pass(30 * SECOND);
  assert.is(hours.pauses('d').at(-1), 3);
});

it('after ten quiet minutes the bank is asked a step quicker', async (hours) => {
  hours.follow('a', 240, SHOWN);
  await hours.says(tooMany(), 0.5);
  hours.verdicts.set('a', 'pending');
  const slow = hours.pauses().at(-1);
  await hours.pass(60);
  hours.follow('b', 240, SHOWN, 2);
  await hours.pass(10 * SECOND);
  assert.equal([(slow ?? 0) > 10, hours.pauses('b').at(-1)], [true, 1.5]);
});

it('too many at AnyWay: to a minute', async (hours) => {
  hours.asking = askingOf(adapterOf('Alfa Bank Token'), null);
  hours.random = 0;
  hours.follow('a', 240, SHOWN);
  await hours.says(tooMany(), 10);
  assert.equal(hours.pauses().slice(0, 4), [30, 60, 60, 60]);
});

it('too many with a time: the time holds, and nothing is doubled', async (hours) => {
  hours.follow('a', 240, SHOWN);
  hours.verdicts.set('a', tooMany(6000));
  await hours.pass(12 * SECOND);
  hours.verdicts.set('a', 'pending');
  await hours.pass(12 * SECOND);
  assert.equal([hours.pauses()[0], hours.pauses().at(-1)], [6, 1.5]);
  assert.is(hours.tooMany.length, 2, 'and each is counted');
});

it('what Tochka has forgotten is unknown, not unpaid, and not asked for ever', async (hours) => {
  hours.asking = askingOf(adapterOf('Tochka'), null);
  const longAgo = { bootId: 'boot-0', createdMono: 0, createdAt: hours.wall - 3 * 86_400_000 };
  hours.takeUp('a', 5, longAgo);
  hours.takeUp('b', 5, longAgo);
  await hours.pass(5);
  assert.is(hours.follower.silenceAbout('a'), null, 'the clock may be wrong: its time may not be over');
  hours.verdicts.set('b', new BankError('refused', 'no such code'));
  await hours.pass(30);
  assert.is(await hours.pass(48 * 60), 0);
  for (const id of ['a', 'b']) {
    assert.is(hours.statusOf(id).state, 'PENDING');
    assert.is(hours.follower.silenceAbout(id)?.error.code, 'refused', 'it is named');
  }
  assert.equal(hours.settled, [], 'the next process asks once more');
});

it('Tochka: one refusal after an outage is not taken for forgotten, three in a row are', async (hours) => {
  hours.asking = askingOf(adapterOf('Tochka'), null);
  hours.takeUp('a', 5, { bootId: 'boot-0', createdMono: 0, createdAt: hours.wall - 3 * 86_400_000 });
  await hours.says(unreachable(), 30);
  const before = hours.questions;
  await hours.says(new BankError('refused', 'no such code'), 60);
  assert.is(hours.questions - before, 3);
});

it('Tochka within the day after its code, and other banks always, are believed', async (hours) => {
  hours.asking = askingOf(adapterOf('Tochka'), null);
  hours.takeUp('a', 5, { bootId: 'boot-0', createdMono: 0, createdAt: hours.wall - 3_600_000 });
  await hours.pass(8);
  assert.is(hours.statusOf('a').state, 'CANCELED');
  hours.asking = askingOf(adapterOf('Sber'), null);
  hours.takeUp('b', 5, { bootId: 'boot-0', createdMono: 0, createdAt: hours.wall - 3 * 86_400_000 });
  await hours.pass(8);
  assert.is(hours.statusOf('b').state, 'CANCELED');
});

test.run();
