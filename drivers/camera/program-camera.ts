/** A camera behind a program of rpicam-apps, which is looked for again and again, and tried again where it fails. */
import { findProgram } from '../lib/find-program.ts';
import type { CameraOptions } from './contract.ts';
import { SelfFedCamera } from './frame-slot.ts';
import { type BudgetLimits, RestartBudget } from './restart-budget.ts';

export interface ProgramTiming extends BudgetLimits {
  /** An older frame is never given out. */
  readonly frameAgeLimitMs: number;
}

export interface ProgramOptions<Timing> extends CameraOptions {
  readonly timing?: Partial<Timing>;
  /** Environment of the camera program; its PATH is where the program is looked for. */
  readonly env?: NodeJS.ProcessEnv;
}

export abstract class ProgramCamera<Timing extends ProgramTiming> extends SelfFedCamera {
  protected readonly timing: Timing;
  protected readonly budget: RestartBudget;
  protected readonly env: NodeJS.ProcessEnv;
  readonly #programs: readonly string[];

  /** @param programs its newer name and its older one: both are in the same package, under its new name or its old */
  protected constructor(programs: readonly string[], timing: Timing, options: ProgramOptions<Timing>) {
    const own: Timing = { ...timing, ...options.timing };
    super(options, own.frameAgeLimitMs);
    this.timing = own;
    this.budget = new RestartBudget(own);
    this.env = options.env ?? process.env;
    this.#programs = programs;
  }

  /** Null where it is not installed. */
  protected program(): string | null {
    return findProgram(this.#programs, this.env);
  }

  /** @returns how long to wait before it is looked for again, ms */
  protected missing(): number {
    const reason = `neither ${this.#programs.join(' nor ')} is installed: install the package rpicam-apps`;
    this.setState({ name: 'lost', reason });
    return this.timing.slowDelayMs;
  }

  /** @returns how long to wait before it is tried again, ms */
  protected failed(reason: string): number {
    if (this.closing.aborted) return 0;
    const { lost, delayMs } = this.budget.failed(performance.now());
    this.log('camera failed', { reason, retryInMs: delayMs });
    this.setState(
      lost ? { name: 'lost', reason: `${reason}: check the cable of the camera` } : { name: 'starting', reason },
    );
    return delayMs;
  }
}
