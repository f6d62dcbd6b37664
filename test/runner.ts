/** Runs test files, one process each: a leftover socket or worker ends with its file, and cannot hang the run. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { isCode } from '../drivers/lib/errors.ts';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** A file that needs longer is stuck: it is ended and counted as failed. */
const FILE_LIMIT_MS = 600_000;
/** What `main.ts` keeps compiled, also for the files that start a device in their own process. */
const COMPILED = join(ROOT, 'node_modules/.cache/laneware');
/** Test files at once, for each core: they wait for answers and time limits more than they compute. */
const FILES_PER_CORE = 1.5;
const MOST_FILES = 6;
/** Files that are run once more, alone, when they failed beside others: what more of them fail is broken, not disturbed. */
const MOST_AGAIN = 3;

export interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
  readonly seconds: number;
}

export function testFiles(folder = join(ROOT, 'test')): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .map((file) => join(folder, file));
}

function tally(output: string, word: string): number | null {
  const found = [...output.matchAll(new RegExp(`^\\s+${word}:\\s+(\\d+)`, 'gm'))];
  return found.length === 0 ? null : found.reduce((sum, match) => sum + Number(match[1]), 0);
}

function judge(name: string, output: string, exitCode: number | null, timedOut: boolean, seconds: number): Outcome {
  const plain = stripVTControlCharacters(output);
  const total = tally(plain, 'Total');
  const passed = tally(plain, 'Passed') ?? 0;
  const skipped = tally(plain, 'Skipped') ?? 0;
  const problem = timedOut
    ? `did not finish within ${FILE_LIMIT_MS / 1000} s`
    : total === null
      ? 'ended without a tally: a test never settled, or run() is missing'
      : total === 0 && skipped === 0
        ? 'holds no test'
        : skipped > 0 && !plain.includes('SKIPPED')
          ? `skips ${skipped} tests without saying why`
          : null;
  // uvu counts a skipped test neither as passed nor in the total
  const failed = problem === null ? Math.max((total ?? 0) - passed, exitCode === 0 ? 0 : 1) : 1;
  const text = problem === null ? output : `${output}\n${name} ${problem}\n`;
  return { name, passed, failed, skipped, output: text, seconds };
}

/** Ends the whole process group of a test file, so that nothing that it started outlives it. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isCode(error, 'ESRCH')) throw error;
  }
}

export function runCommand(
  name: string,
  command: string,
  args: string[],
): Promise<Omit<Outcome, 'passed' | 'failed'> & { code: number | null; timedOut: boolean }> {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let timedOut = false;
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const limit = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, FILE_LIMIT_MS);
    child.on('exit', () => endGroup(child.pid));
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ name, skipped: 0, output, seconds: (performance.now() - began) / 1000, code, timedOut });
    });
  });
}

async function runFile(file: string): Promise<Outcome> {
  const name = relative(ROOT, file);
  const { output, code, timedOut, seconds } = await runCommand(name, process.execPath, [file]);
  return judge(name, output, code, timedOut, seconds);
}

function report(outcome: Outcome): void {
  const verdict = outcome.failed === 0 ? 'ok  ' : 'FAIL';
  const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : '';
  process.stdout.write(
    `${verdict} ${outcome.name}: ${outcome.passed} passed${skipped} (${outcome.seconds.toFixed(1)} s)\n`,
  );
  for (const line of outcome.output.split('\n')) {
    if (outcome.failed > 0 || line.includes('SKIPPED')) process.stdout.write(`     ${line}\n`);
  }
}

export async function runFiles(files: readonly string[]): Promise<Outcome[]> {
  const queue = [...files];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const outcome = await runFile(file);
      report(outcome);
      outcomes.push(outcome);
    }
  };
  const lanes = Math.min(Math.ceil(availableParallelism() * FILES_PER_CORE), MOST_FILES);
  await Promise.all(Array.from({ length: lanes }, lane));
  return outcomes;
}

/**
 * Whether a file fails of itself, or was starved by those beside it: runs what failed once more, alone. A file that passes then
 * is counted as passed, and named.
 * @param run of one file, by its name
 */
export async function runAgain(
  outcomes: readonly Outcome[],
  run = (name: string) => runFile(join(ROOT, name)),
): Promise<Outcome[]> {
  const failed = outcomes.filter((outcome) => outcome.failed > 0);
  if (failed.length > MOST_AGAIN) return [...outcomes];
  const again = new Map<string, Outcome>();
  for (const { name } of failed) {
    const outcome = await run(name);
    report(outcome);
    if (outcome.failed === 0) process.stdout.write(`FLAKY ${name}: failed beside others, passed alone (see above)\n`);
    again.set(name, outcome);
  }
  return outcomes.map((outcome) => again.get(outcome.name) ?? outcome);
}

/** Prints the closing line; a run without a single test counts as failed. */
export function finish(outcomes: readonly Pick<Outcome, 'passed' | 'failed' | 'skipped'>[]): never {
  const sum = (key: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const passed = sum('passed');
  const failed = sum('failed') + (passed === 0 ? 1 : 0);
  const skipped = sum('skipped');
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  process.exit(failed === 0 ? 0 : 1);
}
