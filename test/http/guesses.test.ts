/** What wrong tokens cost whom. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Guesses } from '../../firmware/http/guesses.ts';

const test = suite('guessed tokens');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function setUp() {
  const clock = { now: 1_000_000 };
  const guesses = new Guesses(() => clock.now);
  /** Guesses wrong as soon as it is looked at, so many times; answers how long that took. */
  const guess = (address: string, times: number): number => {
    const began = clock.now;
    for (let n = 0; n < times; n += 1) {
      clock.now += guesses.pause(address);
      guesses.wrong(address);
    }
    return clock.now - began;
  };
  return { clock, guesses, guess };
}

test('a few mistakes cost nothing, then each pause is twice the one before, up to a minute', () => {
  const { guesses, guess, clock } = setUp();
  assert.is(guess('a', 5), 0);
  const pauses: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    pauses.push(guesses.pause('a'));
    clock.now += guesses.pause('a');
    assert.is(guesses.pause('a'), 0);
    guesses.wrong('a');
  }
  assert.equal(
    pauses,
    [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000),
  );
});

test('the pause passes with time, and asking about it does not prolong it', () => {
  const { guesses, guess, clock } = setUp();
  guess('a', 6);
  assert.is(guesses.pause('a'), 2000);
  clock.now += 1500;
  for (let n = 0; n < 100; n += 1) assert.is(guesses.pause('a'), 500);
  clock.now += 500;
  assert.is(guesses.pause('a'), 0);
});

test('nobody waits for the guesses of another address', () => {
  const { guesses, guess } = setUp();
  guess('a', 30);
  assert.is(guesses.pause('b'), 0);
});

test('a right token forgives no wrong ones: who has one may be guessing the other', () => {
  const { guesses, guess } = setUp();
  guess('a', 8);
  const before = guesses.pause('a');
  guesses.right('a');
  assert.is(guesses.pause('a'), before);
});

test('after an hour without a wrong token an address begins anew', () => {
  const { guesses, guess, clock } = setUp();
  guess('a', 20);
  clock.now += HOUR + 1;
  assert.is(guess('a', 5), 0);
  assert.is(guesses.pause('a'), 1000);
});

test('many addresses together guess a hundred times, then once a second', () => {
  const { guesses, clock } = setUp();
  let looked = 0;
  const from = (address: string): void => {
    if (guesses.pause(address) > 0) return;
    guesses.wrong(address);
    looked += 1;
  };
  for (let n = 0; n < 5000; n += 1) from(`address ${n}`);
  assert.is(looked, 100);
  for (let second = 0; second < 60; second += 1) {
    clock.now += 1000;
    for (let n = 0; n < 100; n += 1) from(`address ${second} ${n}`);
  }
  assert.is(looked, 160);
});

test('such a crowd holds up no address that was right within the day', () => {
  const { guesses, clock } = setUp();
  guesses.right('till');
  for (let n = 0; n < 5000; n += 1) if (guesses.pause(`address ${n}`) === 0) guesses.wrong(`address ${n}`);
  assert.ok(guesses.pause('new') > 0);
  assert.is(guesses.pause('till'), 0);
  clock.now += 25 * HOUR;
  for (let n = 0; n < 5000; n += 1) if (guesses.pause(`address ${n}`) === 0) guesses.wrong(`address ${n}`);
  assert.ok(guesses.pause('till') > 0, 'after a day it is like any other');
});

test('mistakes of a known address are no guesses of the crowd, but cost it its own pauses', () => {
  const { guesses, clock } = setUp();
  guesses.right('till');
  for (let n = 0; n < 200; n += 1) {
    clock.now += guesses.pause('till');
    guesses.wrong('till');
  }
  assert.is(guesses.pause('till'), MINUTE);
  assert.is(guesses.pause('new'), 0);
});

test('memory is bounded: the oldest address is forgotten for a new one, and the newest is remembered', () => {
  const { guesses, guess } = setUp();
  guess('first', 10);
  guess('second', 10);
  for (let n = 0; n < 1022; n += 1) guesses.wrong(`address ${n}`);
  guesses.right('first');
  assert.ok(guesses.pause('first') > 0, 'as many are remembered');
  guesses.wrong('one more');
  assert.is(guesses.pause('first'), 0, 'known, and its guesses forgotten');
  assert.ok(guesses.pause('second') > 0);
});

test.run();
