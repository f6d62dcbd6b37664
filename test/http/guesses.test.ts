/** What wrong tokens cost whom. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Guesses } from '../../firmware/core/http/guard/lockouts.ts';

const test = suite('guessed tokens');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function setUp() {
  const clock = { now: 1_000_000 };
  const guesses = new Guesses(() => clock.now);
  let tokens = 0;
  const next = (): string => `token ${++tokens}`;
  const pause = (address: string): number => guesses.pause(address, next());
  const wrong = (address: string): void => guesses.wrong(address, next());
  /** Guesses another wrong one as soon as it is looked at, so many times; returns how long that took. */
  const guess = (address: string, times: number): number => {
    const began = clock.now;
    for (let n = 0; n < times; n += 1) {
      clock.now += pause(address);
      wrong(address);
    }
    return clock.now - began;
  };
  return { clock, guesses, guess, pause, wrong };
}

test('a few mistakes cost nothing, then each pause is twice the one before, up to a minute', () => {
  const { pause, wrong, guess, clock } = setUp();
  assert.is(guess('a', 5), 0);
  const pauses: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    pauses.push(pause('a'));
    clock.now += pause('a');
    assert.is(pause('a'), 0);
    wrong('a');
  }
  const doubled = [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000);
  assert.equal(pauses, doubled);
});

test('a right token forgives no wrong ones: who has one may be guessing the other', () => {
  const { guesses, guess, pause } = setUp();
  guess('a', 8);
  const before = pause('a');
  guesses.right('a', 'of the till');
  assert.is(pause('a'), before);
});

test('a token that was right from an address within the day is still checked there, with any guesses from it', () => {
  const { guesses, guess, pause, clock } = setUp();
  guesses.right('a', 'of the till');
  guess('a', 30);
  assert.is(guesses.pause('a', 'of the till'), 0);
  assert.is(pause('a'), MINUTE);
  assert.is(guesses.pause('a', 'of the technician'), MINUTE);
  guess('b', 30);
  assert.is(guesses.pause('b', 'of the till'), MINUTE, 'from elsewhere it is a guess like any other');
  clock.now += 25 * HOUR;
  guess('a', 6);
  assert.ok(guesses.pause('a', 'of the till') > 0, 'after a day it is again');
});

test('the same wrong token again is no new guess: a program that goes on sending an old one costs its address nothing', () => {
  const { guesses, guess, pause, clock } = setUp();
  for (let n = 0; n < 100; n += 1) for (const old of ['old', 'older', 'oldest']) guesses.wrong('a', old);
  assert.is(pause('a'), 0);
  guess('a', 3);
  assert.is(pause('a'), 2000, 'others are counted beside it');
  clock.now += HOUR + 1;
  assert.is(guess('a', 5), 0, 'and it does not keep the address from beginning anew');
});

const six = (n: number): string => `2001:db8::${n.toString(16)}`;

test('all addresses of IPv6, of which one has any number, guess a hundred times together, then once a second', () => {
  const { pause, wrong, clock } = setUp();
  let looked = 0;
  const from = (address: string): void => {
    if (pause(address) > 0) return;
    wrong(address);
    looked += 1;
  };
  for (let n = 0; n < 5000; n += 1) from(six(n));
  assert.is(looked, 100);
  for (let second = 0; second < 60; second += 1) {
    clock.now += 1000;
    for (let n = 0; n < 100; n += 1) from(six(5000 + 100 * second + n));
  }
  assert.is(looked, 160);
});

test('such a crowd holds up no address of IPv4, and no token that was right within the day', () => {
  const { guesses, pause, wrong, clock } = setUp();
  const crowd = (): void => {
    for (let n = 0; n < 5000; n += 1) if (pause(six(n)) === 0) wrong(six(n));
  };
  guesses.right(six(1), 'of the till');
  crowd();
  assert.is(pause('192.0.2.1'), 0);
  assert.ok(pause(six(6000)) > 0);
  assert.is(guesses.pause(six(1), 'of the till'), 0);
  clock.now += 25 * HOUR;
  crowd();
  assert.ok(guesses.pause(six(1), 'of the till') > 0, 'after a day it is like any other');
});

test('guesses from addresses of IPv4 use up nothing of what those of IPv6 may', () => {
  const { pause, wrong } = setUp();
  for (let n = 0; n < 200; n += 1) wrong(`192.0.2.${n}`);
  assert.is(pause(six(1)), 0);
});

test('who shows a right token from one new address after the other guesses others no faster', () => {
  const { guesses, pause, wrong } = setUp();
  let looked = 0;
  for (let n = 0; n < 2000; n += 1) {
    guesses.right(six(n), 'of the till');
    if (pause(six(n)) > 0) continue;
    wrong(six(n));
    looked += 1;
  }
  assert.is(looked, 100);
});

test('memory is bounded: the oldest address is forgotten for a new one, and the newest is remembered', () => {
  const { guesses, guess, pause, wrong } = setUp();
  guess('first', 10);
  guess('second', 10);
  for (let n = 0; n < 8190; n += 1) wrong(`address ${n}`);
  assert.ok(pause('first') > 0, 'as many are remembered');
  wrong('one more');
  assert.is(pause('first'), 0, 'its guesses are forgotten');
  assert.ok(pause('second') > 0);
  for (let n = 0; n < 8193; n += 1) guesses.right('second', `token ${n}`);
  assert.ok(guesses.pause('second', 'token 0') > 0);
  assert.is(guesses.pause('second', 'token 8192'), 0);
});

test.run();
