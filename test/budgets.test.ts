/** What a sale writes, and what looks leave in memory, stays within `scripts/bench/budgets.ts`. */
import * as assert from 'uvu/assert';
import { BUDGETS, memoryAfterLooks, overspent, writtenOf } from '../scripts/bench/budgets.ts';
import { saleCost } from '../scripts/bench/sale-cost.ts';
import { missingPrograms, suiteNeeding } from './needing.ts';

const test = suiteNeeding(missingPrograms('strace'), 'budgets');

test('a sale', async () => {
  assert.equal(overspent(writtenOf(await saleCost(10, 2, { isTraced: true }))), []);
});

test('looks', async () => {
  assert.equal(overspent(await memoryAfterLooks()), []);
});

test('what is above its limit is named, with both', () => {
  const [problem, ...others] = overspent({ saleKilobytes: 10_000, saleSyncs: 1 });
  assert.equal([problem, others], [`kB written in a sale: 10000, at most ${BUDGETS.saleKilobytes.limit}`, []]);
});

test.run();
