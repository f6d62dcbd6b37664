/** What a start loads and a sale asks of SQLite stays within `scripts/bench/budgets.ts`. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { figuresOf, overspent, packagesLocked } from '../../scripts/bench/budgets.ts';
import { saleCost } from '../../scripts/bench/sale-cost.ts';

const test = suite('real: budgets');

test('a start and a sale', async () => {
  assert.equal(overspent(figuresOf(await saleCost(2, 1, { isTraced: false }))), []);
});

test('packages', () => {
  assert.equal(overspent(packagesLocked()), []);
});

test.run();
