/** Devices of a store agree on the codes of items, in any order of what is said of them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../support.ts';
import { ItemsSimulation } from './items-simulation.ts';

const test = suite('synchronisation: simulated changes of items');

const SEEDS = 60;

test(`after ${SEEDS} seeded histories devices hold the same codes, and free ones are returned`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    using folder = temporaryFolder();
    const store = new ItemsSimulation(folder.path, seed);
    const problems = await store.run();
    assert.equal(problems, [], `seed ${seed}\n${store.log.join('\n')}\n${problems.join('\n')}`);
  }
});

test.run();
