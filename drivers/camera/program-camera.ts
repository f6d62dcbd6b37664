/**
 * The base of the cameras that a program of rpicam-apps reads: where the program is, what of its messages reaches the
 * log, and how soon a failed one is started again.
 */

import type { LogLine } from '../lib/errors.ts';
import { findProgram } from '../lib/find-program.ts';
import { meansBusy } from '../lib/held.ts';
import type { CameraOptions } from './contract.ts';
import { SelfFedCamera } from './frame-slot.ts';

const MAX_LINE_CHARS = 300;
/** How many lines of one run reach the log; further lines are only counted. */
const MAX_LINES = 30;
/** rpicam-vid reports each frame: "#12 (30.01 fps) exp 33000.00 ag 1.00 dg 1.00". */
const FRAME_REPORT = /^#\d+ \(/;
const TROUBLE = /error|fail|\*\*\*|no cameras|unable|cannot|busy|timed? ?out/i;

/** Shortens what a camera program writes to its error stream: a program in trouble repeats itself for hours. */
export class StderrSummary {
  readonly #log: LogLine;
  #rest = '';
  #last = '';
  #lines = 0;
  #omitted = 0;
  #trouble = '';

  constructor(log: LogLine) {
    this.#log = log;
  }

  push(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split(/[\r\n]+/);
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#take(line);
  }

  /** The last line about trouble, as the reason of a failure; empty without one. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Ends the run: logs how many lines were left out. */
  end(): void {
    this.#take(this.#rest);
    this.#rest = '';
    if (this.#omitted > 0) this.#log('camera program: further lines left out', { lines: this.#omitted });
    this.#omitted = 0;
  }

  #take(raw: string): void {
    const line = printable(raw).trim().slice(0, MAX_LINE_CHARS);
    if (line === '' || FRAME_REPORT.test(line)) return;
    // what the program reports after a held camera is a consequence of it
    if (meansBusy(line) || (TROUBLE.test(line) && !meansBusy(this.#trouble))) this.#trouble = line;
    if (line === this.#last || this.#lines >= MAX_LINES) {
      this.#omitted++;
      return;
    }
    this.#last = line;
    this.#lines++;
    this.#log('camera program', { line });
  }
}

/** Removes colour sequences and other control characters from a line of the log. */
function printable(text: string): string {
  return text.replace(/\p{Cc}(\[[0-9;]*m)?/gu, ' ');
}

interface BudgetLimits {
  /** How many failures in a row lead to quick restarts; after one more the camera is lost. */
  readonly failures: number;
  /** The wait before the first restart; each further restart doubles it. */
  readonly firstDelayMs: number;
  /** The wait before each try of a lost camera. */
  readonly slowDelayMs: number;
}

interface Verdict {
  readonly delayMs: number;
  readonly lost: boolean;
}

/** Decides how soon a failed camera is tried again, and when it counts as lost. */
class RestartBudget {
  readonly #limits: BudgetLimits;
  #failures = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  failed(): Verdict {
    const { failures, firstDelayMs, slowDelayMs } = this.#limits;
    this.#failures += 1;
    if (this.#failures > failures) return { delayMs: slowDelayMs, lost: true };
    return { delayMs: Math.min(firstDelayMs * 2 ** (this.#failures - 1), slowDelayMs), lost: false };
  }

  /** The camera has worked long enough: its budget is full again. */
  recovered(): void {
    this.#failures = 0;
  }
}

export interface ProgramTiming extends BudgetLimits {
  /** An older frame is `stale`. */
  readonly frameAgeLimitMs: number;
}

export abstract class ProgramCamera<Timing extends ProgramTiming> extends SelfFedCamera {
  protected readonly timing: Timing;
  protected readonly budget: RestartBudget;
  protected readonly env: NodeJS.ProcessEnv;
  readonly #programs: readonly string[];

  /**
   * @param programs newer and older name of the program, which belongs to the same package under its new or old name
   * @param env environment of the program; the program is looked for on its PATH
   */
  protected constructor(
    programs: readonly string[],
    timing: Timing,
    options: CameraOptions,
    env: NodeJS.ProcessEnv = process.env,
  ) {
    super(options, timing.frameAgeLimitMs);
    this.timing = timing;
    this.budget = new RestartBudget(timing);
    this.env = env;
    this.#programs = programs;
  }

  /** The program's path; null where it is not installed. */
  protected program(): string | null {
    return findProgram(this.#programs, this.env);
  }

  /** @returns the wait before the program is looked for again, ms */
  protected missing(): number {
    const reason = `neither ${this.#programs.join(' nor ')} is installed: install the package rpicam-apps`;
    this.setState({ name: 'lost', reason });
    return this.timing.slowDelayMs;
  }

  /** @returns the wait before the camera is tried again, ms */
  protected failed(reason: string): number {
    if (this.closing.aborted) return 0;
    const { lost, delayMs } = this.budget.failed();
    this.log('camera failed', { reason, retryInMs: delayMs });
    const isHeld = meansBusy(reason);
    const remedy = isHeld ? 'another program holds the camera: end it' : 'check the cable of the camera';
    const cause = isHeld && ({ isHeld } as const);
    this.setState(
      lost ? { name: 'lost', reason: `${reason}: ${remedy}`, ...cause } : { name: 'starting', reason, ...cause },
    );
    return delayMs;
  }
}
