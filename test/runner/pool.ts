/** Runs test files in a few processes at once, each file after another in the same one (to load the firmware takes two seconds of CPU), and reports each as it ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../root.ts';
import { COMPILED, endGroup } from './command.ts';
import { HOLDS_ANSWERS, judge, type Outcome } from './outcome.ts';
import type { Result } from './worker.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
/** A process that holds more after a file is given no other. Three of them and their parent stay below 1 GB. */
const MOST_BYTES = 260e6;
/** Of a process that many files share: memory is given back, at a few hundredths more of work. */
const SMALL = { env: { MALLOC_ARENA_MAX: '2' }, execArgv: ['--max-semi-space-size=2'] };

export interface PoolOptions {
  /** Files at once. */
  readonly lanes: number;
  /** Each file in a process of its own: for those that start, kill and measure programs. */
  readonly alone: boolean;
  /** A file that needs longer is stuck: it is ended and counted as failed. Milliseconds. */
  readonly limitMs: number;
  /** Begins no other file once one has failed. */
  readonly bail?: boolean;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** The name of a file's outcome. */
export const nameOf = (file: string): string => relative(ROOT, file);

/** One process for test files. */
class Worker {
  readonly #child: ChildProcess;
  /** What a file leaves there is reported, and gone with the process. */
  readonly #temporary = mkdtempSync(join(tmpdir(), 'laneware-tests-'));
  /** What came past the worker's own ears: of programs that write where it does. */
  #written = '';
  bytes = 0;

  constructor(alone: boolean) {
    chmodSync(this.#temporary, 0o755); // a process that gives up root can reach what a test made
    this.#child = fork(WORKER, alone ? [] : [HOLDS_ANSWERS], {
      cwd: ROOT,
      detached: true,
      env: { ...process.env, ...(alone ? {} : SMALL.env), NODE_COMPILE_CACHE: COMPILED, TMPDIR: this.#temporary },
      execArgv: ['--expose-gc', ...(alone ? [] : SMALL.execArgv)],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#written += chunk.toString();
      });
  }

  run(file: string, limitMs: number): Promise<Outcome & { readonly isOver: boolean }> {
    const name = nameOf(file);
    const began = performance.now();
    return new Promise((resolve) => {
      const lost = (problem: string): void => {
        end();
        this.end();
        const seconds = (performance.now() - began) / 1000;
        resolve({ ...judge({ name, tally: null, output: this.#written, problems: [problem], seconds }), isOver: true });
      };
      const limit = setTimeout(() => lost(`did not finish within ${limitMs / 1000} s`), limitMs);
      const onExit = (code: number | null, signal: string | null) =>
        lost(`ended its process: ${signal ?? `exit ${code}`}`);
      const onMessage = ({ memory, ...outcome }: Result): void => {
        end();
        this.bytes = memory;
        resolve({ ...outcome, output: `${this.#written}${outcome.output}`, isOver: false });
        this.#written = '';
      };
      const end = (): void => {
        clearTimeout(limit);
        this.#child.off('exit', onExit).off('message', onMessage);
      };
      this.#child.on('exit', onExit).on('message', onMessage);
      this.#child.send(file);
    });
  }

  end(): void {
    endGroup(this.#child.pid);
    rmSync(this.#temporary, { recursive: true, force: true });
  }
}

/** @param files absolute paths, in the order in which they are begun */
export async function runFiles(files: readonly string[], options: PoolOptions): Promise<Outcome[]> {
  const { lanes, alone, limitMs, bail = false, onOutcome } = options;
  const queue = [...files];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    let worker: Worker | null = null;
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      worker ??= new Worker(alone);
      const { isOver, ...outcome } = await worker.run(file, limitMs);
      outcomes.push(outcome);
      onOutcome(outcome);
      if (bail && outcome.failed > 0) queue.length = 0;
      if (!isOver && !alone && worker.bytes <= MOST_BYTES) continue;
      worker.end();
      worker = null;
    }
    worker?.end();
  };
  await Promise.all(Array.from({ length: Math.min(lanes, files.length) }, lane));
  return outcomes;
}
