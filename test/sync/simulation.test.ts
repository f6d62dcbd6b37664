/** With messages lost, late or repeated, and crashes: what is marked goes, the rest stays, and all agree in the end. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Simulation } from './simulation.ts';

const simulation = suite('synchronisation: simulated stores');

/** Some seconds; `node test/tools/soak-sync.ts` runs 10,000. */
const SEEDS = 120;
const FIRST_SEED = 1;

simulation(`no invariant breaks in ${SEEDS} seeded stores of up to eight slaves`, () => {
  let [evicted, givenUp] = [0, 0];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const store = new Simulation(seed);
    const failures = store.run();
    evicted += store.evicted;
    givenUp += store.givenUp;
    const repeat = `node test/tools/soak-sync.ts --first ${seed} --seeds 1`;
    assert.equal(failures, [], `repeat with: ${repeat}\n${failures.join('\n')}`);
  }
  assert.ok(evicted > SEEDS, `${evicted} places were given up in full items: the story does not fill any`);
  assert.ok(givenUp > SEEDS / 4, `${givenUp} templates went when somebody made room: the story does not try it`);
});

simulation('a seed gives the same story each time', () => {
  const [one, again, other] = [7, 7, 8].map((seed) => {
    const story = new Simulation(seed);
    story.run();
    return story.summary();
  });
  assert.is(one, again);
  assert.is.not(one, other);
});

simulation.run();
