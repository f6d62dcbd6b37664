/** How long a till waits from paid at the bank to ACCEPTED, and how often the bank is asked: in virtual time, with drawn customers. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quantile } from '../tools/told/payers.ts';
import { type Told, telling } from '../tools/told/told.ts';
import { CONFORMING } from './conformance/banks.ts';

const test = suite('terminal: from paid to told');

/** Drawn anew for each bank, the same each time. */
const SALES = 80;
const SEED = 1;

/** Limits, ms from paid: median and 95th percentile. */
interface Limits {
  readonly book: readonly [number, number];
  readonly poll: readonly [number, number];
}

const BANKS: readonly (readonly [title: string, isShown: boolean, limits: Limits])[] = [
  ['Alfa Bank', true, { book: [700, 1300], poll: [1300, 2100] }],
  ['YooKassa', false, { book: [900, 1700], poll: [1500, 2500] }],
];
/** Questions: of a sale, mean and 95th percentile; about an unpaid code in five minutes; about a stuck order in an hour. */
const QUESTIONS = { mean: 16, p95: 38, unpaid: 90, stuck: 200 };

const spread = (values: readonly number[]): readonly [number, number] => [
  quantile(values, 0.5),
  quantile(values, 0.95),
];

const within = (told: readonly number[], limit: readonly [number, number], what: string): void => {
  assert.ok(told.length === SALES && Math.min(...told) >= 0, what);
  const [median, high] = spread(told);
  assert.ok(median <= limit[0] && high <= limit[1], `${what}: ${median} and ${high} ms`);
};

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

for (const [title, isShown, limits] of BANKS) {
  const [bank] = CONFORMING.filter((each) => each.title === title);
  if (bank === undefined) continue; // another one is asked for by name
  test(`${title}: in time in the ledger, by a call that waits, the stream, a poll and aloud`, () =>
    telling(bank, { isShown, seed: SEED }, async (lane) => {
      const told: Told = await lane.sell(SALES);
      for (const how of ['book', 'wait', 'stream', 'picture', 'sound'] as const) within(told[how], limits.book, how);
      within(told.poll, limits.poll, 'poll');
      const [, high] = spread(told.questions);
      const average = mean(told.questions);
      assert.ok(average <= QUESTIONS.mean && high <= QUESTIONS.p95, `${average} and ${high} questions a sale`);
    }));

  test(`${title}: unpaid and stuck, it costs the bank few questions`, () =>
    telling(bank, { isShown, seed: SEED }, async (lane) => {
      const unpaid = await lane.leave(5, 'open');
      const stuck = await lane.leave(60, 'processing');
      assert.ok(unpaid > 50 && unpaid <= QUESTIONS.unpaid, `${unpaid} questions in five minutes`);
      assert.ok(stuck > 100 && stuck <= QUESTIONS.stuck, `${stuck} questions in an hour`);
    }));

  test(`${title}: a shop whose bank objects says so in its profile`, () =>
    telling(bank, { isShown, seed: SEED, leastPause: '15' }, async (lane) => {
      const asked = await lane.leave(1, 'open');
      assert.ok(asked >= 3 && asked <= 5, `${asked} questions in a minute`);
    }));
}

test.run();
