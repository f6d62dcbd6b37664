/** What the runner makes of test files: of those that skip, that hold nothing, that never end a test. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Outcome, ROOT, runAgain } from './runner.ts';
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

runner('a suite that could not be prepared says why, and has failed, also where it is run alone', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'own.test.ts');
  const ordered = "prepare(own, () => { throw new Error('ordered'); });\n";
  const imports = `import { prepare } from ${JSON.stringify(import.meta.resolve('./prepare.ts'))};\n`;
  writeFileSync(file, `${imports}${HEAD}${ordered}${PASSING}own.run();`);
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.match(stderr, 'it could not be prepared: Error: ordered');
});

const outcome = (name: string, failed: number): Outcome => ({
  name,
  passed: 1 - failed,
  failed,
  skipped: 0,
  output: '',
  seconds: 0,
});

runner('a file that failed beside others is run again alone, and that counts', async () => {
  const ran: string[] = [];
  const outcomes = await runAgain([outcome('good', 0), outcome('starved', 1), outcome('broken', 1)], async (name) => {
    ran.push(name);
    return outcome(name, name === 'broken' ? 1 : 0);
  });
  assert.equal(ran, ['starved', 'broken']);
  assert.equal(
    outcomes.map(({ name, failed }) => [name, failed]),
    [
      ['good', 0],
      ['starved', 0],
      ['broken', 1],
    ],
  );
});

runner('where many files failed none is given a second chance', async () => {
  const many = ['a', 'b', 'c', 'd'].map((name) => outcome(name, 1));
  const outcomes = await runAgain(many, () => Promise.reject(new Error('run again')));
  assert.equal(outcomes, many);
});

const all = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'test/all.ts'), ...words], {
    encoding: 'utf8',
  });
  return { code: status, output: stdout, errors: stderr };
};

runner('npm test -- WORD… runs the test files whose path holds a word, without lint and types', () => {
  const { code, output } = all('strict-json', 'test/log.');
  assert.is(code, 0, output);
  const ran = [...output.matchAll(/^ok {3}(\S+)/gm)].map(([, file]) => file);
  assert.equal(ran.sort(), ['test/log.test.ts:', 'test/strict-json.test.ts:']);
});

runner('a word that no test file holds has failed, and says so, whatever the others find', () => {
  const { code, output, errors } = all('strict-json', 'no-such-test');
  assert.equal([code, output], [1, '']);
  assert.match(errors, "no test file's path holds no-such-test\n");
});

runner('--help tells how to choose, and another option is no word', () => {
  assert.is(all('--help').code, 0);
  assert.match(all('--help').output, 'npm test -- WORD');
  assert.equal([all('--watch').code, all('--watch').output], [1, all('--help').output]);
});

runner.run();
