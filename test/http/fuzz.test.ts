/**
 * Both interfaces against their own OpenAPI documents: requests right and wrong, every check of Schemathesis. A few of each
 * call here; `node test/tools/fuzz-api.ts` makes as many as one likes.
 */
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { startFuzzed } from '../tools/fuzz/device.ts';
import { fuzz, NO_FUZZER } from '../tools/fuzz-api.ts';
import { DESCRIBED } from './described.ts';

const test = suiteNeeding(NO_FUZZER, 'http: fuzzing');

const SEED = 1;
const EXAMPLES = 10;
/** Of each call: at the edges of its schema, with other methods and media types, and the examples. */
const CASES_A_CALL = 10;

for (const described of DESCRIBED) {
  test(`no answer contradicts its document: ${described.join('')}`, async () => {
    await using device = await startFuzzed();
    const { passed, operations, tested, cases, output } = await fuzz(device, described, {
      seed: SEED,
      examples: EXAMPLES,
    });
    assert.ok(passed, output);
    assert.ok(tested > 0, output);
    assert.is(tested, operations, output);
    assert.ok(cases > tested * CASES_A_CALL, output);
  });
}

test.run();
