/**
 * Master and slaves in virtual time, seed after seed: `node test/tools/soak-sync.ts [--first 1] [--seeds 10000]`.
 * A seed that breaks an invariant is printed with the command that repeats it; the exit code is then 1.
 */
import { parseArgs } from 'node:util';
import { Simulation } from '../sync/simulation.ts';

const { values } = parseArgs({
  options: { first: { type: 'string', default: '1' }, seeds: { type: 'string', default: '10000' } },
});
const first = Number(values.first);
const count = Number(values.seeds);
const began = performance.now();
let failed = 0;
for (let seed = first; seed < first + count; seed++) {
  const failures = new Simulation(seed).run();
  if (failures.length === 0) continue;
  failed += 1;
  process.stdout.write(`seed ${seed}: node test/tools/soak-sync.ts --first ${seed} --seeds 1\n`);
  for (const failure of failures) process.stdout.write(`  ${failure}\n`);
}
const seconds = (performance.now() - began) / 1000;
process.stdout.write(`${count} seeds, ${failed} failed, ${seconds.toFixed(1)} s\n`);
process.exitCode = failed === 0 ? 0 : 1;
