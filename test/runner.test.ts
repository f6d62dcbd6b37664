/** What the runner makes of test files: of those that skip, that hold nothing, that never end a test. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from './runner.ts';
import { temporaryFolder } from './support.ts';

const runner = suite('the runner of the tests');

const HEAD = `import { suite } from ${JSON.stringify(import.meta.resolve('uvu'))};\nconst own = suite('own');\n`;
const PASSING = "own('passes', () => undefined);\n";

function verdictOn(body: string): { code: number | null; output: string; tally: string | undefined } {
  using folder = temporaryFolder();
  const file = join(folder.path, 'own.test.ts');
  writeFileSync(file, HEAD + body);
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'test/run.ts'), file], { encoding: 'utf8' });
  return { code: status, output: stdout, tally: stdout.trimEnd().split('\n').at(-1) };
}

runner('a file that passes is counted', () => {
  const { code, tally } = verdictOn(`${PASSING}own.run();`);
  assert.equal([code, tally], [0, '1 passed, 0 failed']);
});

runner('a file that skips says why, and its words are shown', () => {
  const { code, tally, output } = verdictOn(
    `${PASSING}own.skip('other', () => undefined);\nconsole.log('SKIPPED other: no moon');\nown.run();`,
  );
  assert.equal([code, tally], [0, '1 passed, 0 failed, 1 skipped']);
  assert.match(output, 'SKIPPED other: no moon');
});

runner('a file that skips in silence has failed', () => {
  const { code, tally, output } = verdictOn(`${PASSING}own.skip('other', () => undefined);\nown.run();`);
  assert.equal([code, tally], [1, '1 passed, 1 failed, 1 skipped']);
  assert.match(output, 'skips 1 tests without saying why');
});

for (const [name, body, says] of [
  ['a test that fails', "own('fails', () => { throw new Error('ordered'); });\nown.run();", 'ordered'],
  ['no test', 'own.run();', 'holds no test'],
  ['no call of run()', PASSING, 'ended without a tally'],
  ['a test that never settles', "own('waits', () => new Promise(() => undefined));\nown.run();", 'without a tally'],
] as const) {
  runner(`a file with ${name} has failed`, () => {
    const { code, output } = verdictOn(body);
    assert.is(code, 1);
    assert.match(output, /^FAIL .*own\.test\.ts/m);
    assert.match(output, says);
  });
}

runner.run();
