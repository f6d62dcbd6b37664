/**
 * How many small faults the tests catch, drawn by a seed: each is put into a copy of this checkout, and the tests that it can touch
 * are run there until one fails.
 *
 *   node test/tools/mutants.ts [--seed N] [--count N] [--from FILE] [--to FILE]
 *
 * `--from` takes the faults of a file (JSON lines: path, before, after) in place of drawing them, `--to` keeps what came of each; a
 * run that was broken off goes on after what that file holds. A fault that nothing catches costs all that `npm test` runs of the
 * tests that it touches, and the nearest few of `test:all`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../root.ts';
import { IN_PROCESS, REAL, suiteOf } from '../runner/suites.ts';
import { drawMutants, type Mutant } from './house/mutants.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '80' },
    from: { type: 'string' },
    to: { type: 'string' },
  },
});

interface Verdict extends Pick<Mutant, 'path' | 'before' | 'after'> {
  /** The test file that failed; null where none did. */
  readonly caughtBy: string | null;
  /** Whether `npm test` alone catches it. */
  readonly atOnce: boolean;
}

const lines = <T>(file: string | undefined): T[] =>
  file === undefined || !existsSync(file)
    ? []
    : readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));

/** A copy of the committed checkout, with its packages. */
function copyOfCheckout(): { readonly path: string; remove: () => void } {
  const path = join(mkdtempSync(join(tmpdir(), 'laneware-mutants-')), 'checkout');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', path, 'HEAD'], { cwd: ROOT });
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const remove = (): void => {
    execFileSync('git', ['worktree', 'remove', '--force', path], { cwd: ROOT });
    rmSync(dirname(path), { recursive: true });
  };
  return { path, remove };
}

function verdictOn(mutant: Pick<Mutant, 'path' | 'before' | 'after'>, copy: string): Verdict {
  const { path, before, after } = mutant;
  const file = join(copy, path);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(`${before}\n`)) throw new Error(`${path} holds no such line: ${before}`);
  writeFileSync(
    file,
    text.replace(`${before}\n`, () => `${after}\n`),
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['test/all.ts', '--changed', '--bail', '--near'], {
    cwd: copy,
    encoding: 'utf8',
  });
  writeFileSync(file, text);
  if (!/^\d+ passed, \d+ failed/m.test(stdout) && !stdout.includes('; 0 test files'))
    throw new Error(`the tests were not run: ${stderr}`);
  const caughtBy = /^FAIL (\S+):/m.exec(stdout)?.[1] ?? null;
  const atOnce = caughtBy !== null && [IN_PROCESS, REAL].includes(suiteOf(join(ROOT, caughtBy)));
  return { path, before, after, caughtBy, atOnce };
}

const given = lines<Mutant>(values.from);
const mutants = given.length > 0 ? given : drawMutants(ROOT, Number(values.seed), Number(values.count));
const verdicts = lines<Verdict>(values.to);
const copy = copyOfCheckout();
try {
  for (const mutant of mutants.slice(verdicts.length)) {
    const verdict = verdictOn(mutant, copy.path);
    verdicts.push(verdict);
    if (values.to !== undefined) appendFileSync(values.to, `${JSON.stringify(verdict)}\n`);
    const { path, after, caughtBy } = verdict;
    process.stdout.write(`${caughtBy === null ? 'LEFT  ' : 'caught'} ${path}: ${after.trim()}  (${caughtBy ?? '-'})\n`);
  }
} finally {
  copy.remove();
}
const caught = verdicts.filter(({ caughtBy }) => caughtBy !== null);
const atOnce = verdicts.filter((verdict) => verdict.atOnce);
process.stdout.write(`${verdicts.length} faults: npm test catches ${atOnce.length}, both commands ${caught.length}\n`);
