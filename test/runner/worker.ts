/**
 * Runs test files one after another in one process, which has loaded by then what most of them import. Each message names one file;
 * the answer is what came of it.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../root.ts';
import { endGroup } from './command.ts';
import { leftSince, look } from './leaks.ts';
import { HOLDS_ANSWERS, judge, type Outcome, type Tally } from './outcome.ts';

/** What `run()` of a suite of uvu puts by: runs it; returns its errors and how many passed, were skipped and exist. */
type Suite = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;

/** uvu starts no suite by itself while this is set, and puts them by in the queue. */
const uvu: { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: Suite[][] } = globalThis as object;
uvu.UVU_DEFER = 1;
uvu.UVU_INDEX = 0;
// loaded before the first file: it listens for the end of the process
await import('uvu');
if (process.argv.includes(HOLDS_ANSWERS)) await import('../answers.ts');

export interface Result extends Outcome {
  /** Of this process after the file, bytes. */
  readonly memory: number;
}

const send = (result: Result): void => void process.send?.(result);

/** Of this process; the pool removes it. */
const TEMPORARY = tmpdir();

async function runSuites(suites: readonly Suite[]): Promise<Tally> {
  const tally = { passed: 0, total: 0, skipped: 0 };
  for (const suite of suites) {
    const [errors, passed, skipped, total] = await suite();
    if (typeof errors === 'string') process.stdout.write(`\n${errors}\n`);
    tally.passed += passed;
    tally.skipped += skipped;
    tally.total += total;
  }
  return tally;
}

/** Takes what is written meanwhile. @returns what gives it, and lets writing be as before */
function listenIn(): () => string {
  const own = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  let heard = '';
  for (const { stream } of own)
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      heard += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = rest.at(-1);
      if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    };
  return () => {
    for (const { stream, write } of own) stream.write = write;
    return heard;
  };
}

const worded = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** What a test started and did not wait for belongs to the file that runs. */
let stray: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => stray.push(`left to itself what failed: ${worded(error)}`));

async function runFile(file: string): Promise<Outcome> {
  const name = relative(ROOT, file);
  const began = performance.now();
  const temporary = mkdtempSync(join(TEMPORARY, 'file-'));
  chmodSync(temporary, 0o755);
  process.env.TMPDIR = temporary;
  const before = look();
  const suites: Suite[] = [];
  uvu.UVU_QUEUE = [suites];
  stray = [];
  const heard = listenIn();
  let tally: Tally | null = null;
  try {
    await import(pathToFileURL(file).href);
    tally = await runSuites(suites);
  } catch (error) {
    stray.push(`could not be run: ${worded(error)}`);
  }
  await turn(); // what failed unseen in the last test is reported by then
  const left = await leftSince(before, temporary).catch((error: unknown) => [
    `something that cannot be looked at: ${worded(error)}`,
  ]);
  const output = heard();
  process.exitCode = 0;
  rmSync(temporary, { recursive: true, force: true });
  const problems = [...stray, ...left.map((what) => `leaves behind: ${what}`)];
  return judge({ name, tally, output, problems, seconds: (performance.now() - began) / 1000 });
}

// the runner is gone: nothing else would end this process, nor what it started
process.on('disconnect', () => endGroup(process.pid));

process.on('message', (file: string) => {
  void runFile(file).then((outcome) => {
    globalThis.gc?.();
    send({ ...outcome, memory: process.memoryUsage.rss() });
  });
});
