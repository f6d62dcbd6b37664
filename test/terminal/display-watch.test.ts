/** What a cashier knows who only watches the display: each event in each state. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  acceptedOn,
  advanceWatch,
  type DisplayWatch,
  type DisplayWatchEvent,
  IDLE,
  knownOn,
  mayBeRepeated,
} from '../../firmware/payments/model/display-watch.ts';

const test = suite('terminal: what a cashier knows from the display');

const AT = 1000;
const STATES: Readonly<Record<string, DisplayWatch>> = {
  idle: IDLE,
  'answered a': { step: 'answered', orderId: 'a' },
  'accepted a': { step: 'accepted', orderId: 'a', at: AT },
  'known a': { step: 'known', orderId: 'a' },
};
const EVENTS: Readonly<Record<string, DisplayWatchEvent>> = {
  begun: { type: 'begun' },
  'known b': { type: 'known', orderId: 'b' },
  'answered b': { type: 'answered', orderId: 'b' },
  'accepted a': { type: 'accepted', orderId: 'a', at: AT },
  'accepted b': { type: 'accepted', orderId: 'b', at: AT },
  polled: { type: 'polled' },
  cleared: { type: 'cleared' },
};

const wordsOf = (watch: DisplayWatch): string => {
  if (watch.step === 'idle') return 'idle';
  const words = `${watch.step} ${watch.orderId}`;
  return watch.step === 'accepted' && watch.at !== AT ? `${words}, another sale` : words;
};

/** The state after each event, in the order of `EVENTS`. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  idle: ['idle', 'known b', 'answered b', 'idle', 'idle', 'idle', 'idle'],
  'answered a': ['idle', 'known b', 'answered b', 'accepted a', 'answered a', 'idle', 'answered a'],
  'accepted a': ['idle', 'known b', 'answered b', 'accepted a', 'accepted a', 'accepted a', 'accepted a, another sale'],
  'known a': ['idle', 'known b', 'answered b', 'known a', 'known a', 'known a', 'known a'],
};

test('each event in each state leads to the state of the table', () => {
  const found = Object.entries(STATES).map(([name, state]) => [
    name,
    Object.values(EVENTS).map((event) => wordsOf(advanceWatch(state, event))),
  ]);
  assert.equal(Object.fromEntries(found), TABLE);
});

test('an acceptance is shown or known in its own state alone', () => {
  const seen = Object.values(STATES).map((watch) => [acceptedOn(watch), knownOn(watch)]);
  assert.equal(seen, [
    [null, null],
    [null, null],
    ['a', null],
    [null, 'a'],
  ]);
});

test('a call for the same is a repetition for five seconds, or as long as the symbol is shown', () => {
  const accepted = STATES['accepted a'] ?? IDLE;
  const isRepeated = (passed: number, symbolMs: number) => mayBeRepeated(accepted, AT + passed, symbolMs);
  assert.equal([isRepeated(4999, 20), isRepeated(5000, 20)], [true, false]);
  assert.equal([isRepeated(7999, 8000), isRepeated(8000, 8000)], [true, false]);
  assert.not(mayBeRepeated(advanceWatch(accepted, { type: 'cleared' }), AT, 8000));
  for (const other of ['idle', 'answered a', 'known a']) assert.not(mayBeRepeated(STATES[other] ?? IDLE, 0, 8000));
});

test.run();
