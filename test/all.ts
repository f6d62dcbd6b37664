/** Runs the tests: `npm test` and `npm run test:all`. `USAGE` describes their arguments. */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { messageOf } from '../drivers/lib/errors.ts';
import { completePath } from '../drivers/lib/find-program.ts';
import { ROOT } from './root.ts';
import { changedSince, touchedBy } from './runner/changed.ts';
import { runCommand } from './runner/command.ts';
import type { Outcome } from './runner/outcome.ts';
import { runFiles } from './runner/pool.ts';
import { finish, report, say } from './runner/report.ts';
import { Resumable } from './runner/resumable.ts';
import {
  ALONE,
  filesOf,
  IN_PROCESS,
  NEAR,
  nearOf,
  REAL,
  SUITES,
  type Suite,
  suiteOf,
  testFiles,
} from './runner/suites.ts';
import { runTogether } from './runner/together.ts';

const USAGE = `npm test                            lint, types, and all tests that need no program but this one; then a short real part
npm test -- WORD…                   the test files whose path holds one of the words, as in: npm test -- terminal/payments pairing
npm test -- --changed [REVISION] [--bail] [--near]   the test files that a change since a revision can touch (HEAD when left
                                    out), the likeliest to fail first; --bail ends at the first that fails; --near leaves
                                    out what only test:all runs, but for the first ${NEAR}
npm run test:all                    all that npm test leaves out, in suites
npm run test:all -- SUITE… [--resume]   some suites; --resume leaves out what has passed since the last change

suites: ${SUITES.map(({ name, about }) => `${name.padEnd(9)} ${about}`).join('\n        ')}
`;

process.env.PATH = completePath(process.env.PATH);

/** One checker only: four of them need 1.5 GB. */
const TYPES = ['tsc', '--noEmit', '--checkers', '1'];

function refuse(problem: string): never {
  process.stderr.write(`${USAGE}\n${problem}\n`);
  process.exit(1);
}

/** Runs work that calls git, and refuses with its message where that fails. */
function orRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse(messageOf(error));
  }
}

async function check(name: string, args: readonly string[]): Promise<Outcome> {
  const [program = '', ...rest] = args;
  const { code, output, seconds } = await runCommand(`${ROOT}/node_modules/.bin/${program}`, rest);
  const outcome = { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output, seconds };
  report(code === 0 ? { ...outcome, output: '' } : outcome);
  return outcome;
}

/** Installs the programs that a suite drives. @returns a failure where one is missing: no test is skipped for that */
function prepare({ name }: Suite): Outcome[] {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, ['scripts/setup.mjs', '--test', name], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status === 0) return [];
  const seconds = (performance.now() - began) / 1000;
  const output = 'what is missing is listed above\n';
  const outcome = { name: `programs of ${name}`, passed: 0, failed: 1, output, seconds };
  report(outcome);
  return [outcome];
}

function reportSuite(name: string, outcomes: readonly Outcome[]): void {
  const failed = outcomes.filter((outcome) => outcome.failed > 0).length;
  const minutes = (outcomes.reduce((sum, { seconds }) => sum + seconds, 0) / 60).toFixed(1);
  say(`SUITE ${name}: ${outcomes.length} files, ${failed} with failures (${minutes} min, one file after another)`);
}

async function runSuite(suite: Suite, files = filesOf(suite), bail = false): Promise<Outcome[]> {
  if (files.length === 0) return [];
  const problems = prepare(suite);
  const outcomes = await runFiles(files, { ...suite, bail, onOutcome: report });
  reportSuite(suite.name, outcomes);
  return [...problems, ...outcomes];
}

/** Runs the files, each within its suite. */
async function runBySuites(files: readonly string[], bail = false): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const suite of [IN_PROCESS, REAL, ...SUITES]) {
    if (bail && outcomes.some(({ failed }) => failed > 0)) break;
    const own = files.filter((file) => suiteOf(file) === suite);
    outcomes.push(...(await runSuite(suite, own, bail)));
  }
  return outcomes;
}

/** @returns test files whose path holds one of the words; a word in no path ends the run, as it may be misspelt */
function holding(words: readonly string[]): string[] {
  const files = testFiles();
  const holds = (file: string, word: string) => relative(ROOT, file).includes(word);
  const missed = words.filter((word) => !files.some((file) => holds(file, word)));
  if (missed.length > 0) refuse(`no test file's path holds ${missed.join(', ')}`);
  return files.filter((file) => words.some((word) => holds(file, word)));
}

async function runChanged([revision = 'HEAD']: readonly string[], options: readonly string[]): Promise<never> {
  const changed = orRefuse(() => changedSince(revision));
  const touched = touchedBy(testFiles(), changed);
  const files = options.includes('--near') ? nearOf(touched) : touched;
  say(`${changed.length} files changed since ${revision}; ${touched.length} test files can be touched by that`);
  if (files.length === 0) process.exit(0);
  finish(await runBySuites(files, options.includes('--bail')));
}

async function runAll(names: readonly string[], resume: boolean): Promise<never> {
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) refuse(`no such suite: ${unknown.join(', ')}`);
  const kept = orRefuse(() => new Resumable(resume));
  const wanted = SUITES.filter(({ name }) => names.length === 0 || names.includes(name));
  const before = wanted.flatMap(({ name }) => {
    const passed = kept.passed(name);
    if (passed !== null) say(`SUITE ${name}: has passed since the last change`);
    return passed ?? [];
  });
  const fresh = wanted.filter(({ name }) => kept.passed(name) === null);
  const problems = new Map(fresh.map((suite) => [suite.name, prepare(suite)]));
  const batches = fresh.map((suite) => ({ name: suite.name, files: filesOf(suite) }));
  const outcomes = await runTogether(batches, {
    ...ALONE,
    onOutcome: report,
    onSuite: (name, came) => {
      reportSuite(name, came);
      kept.keep(name, [...(problems.get(name) ?? []), ...came]);
    },
  });
  finish([...before, ...[...problems.values()].flat(), ...outcomes]);
}

const given = process.argv.slice(2);
const words = given.filter((word) => !word.startsWith('-'));
const options = given.filter((word) => word.startsWith('-'));
const takes = (...known: readonly string[]): boolean => options.every((option) => known.includes(option));
if (options.includes('--help')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (options.includes('--suites') && takes('--suites', '--resume')) await runAll(words, options.includes('--resume'));
if (options.includes('--changed') && takes('--changed', '--bail', '--near') && words.length <= 1)
  await runChanged(words, options);
if (options.length > 0) refuse(`not understood: ${given.join(' ')}`);
if (words.length > 0) finish(await runBySuites(holding(words)));
finish([
  await check('lint', ['biome', 'check', '.', '--error-on-warnings']),
  await check('types', TYPES),
  await check('types of the pages', [...TYPES, '-p', 'tsconfig.pages.json']),
  ...(await runSuite(IN_PROCESS)),
  ...(await runSuite(REAL)),
]);
