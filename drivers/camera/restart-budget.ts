/** How soon a camera that failed is tried again, and when it counts as lost. */

export interface BudgetLimits {
  /** Failures within the window that are borne with quick restarts; the next one makes the camera lost. */
  readonly failures: number;
  readonly windowMs: number;
  /** The wait before the first restart; each further one in the window doubles it. */
  readonly firstDelayMs: number;
  /** The wait before each try of a lost camera. */
  readonly slowDelayMs: number;
}

export interface Verdict {
  readonly delayMs: number;
  readonly lost: boolean;
}

export class RestartBudget {
  readonly #limits: BudgetLimits;
  #failures: number[] = [];
  #lost = false;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** @param now monotonic milliseconds */
  failed(now: number): Verdict {
    this.#failures = this.#failures.filter((at) => now - at < this.#limits.windowMs);
    this.#failures.push(now);
    if (this.#failures.length > this.#limits.failures) this.#lost = true;
    if (this.#lost) {
      this.#failures = [];
      return { delayMs: this.#limits.slowDelayMs, lost: true };
    }
    const doubled = this.#limits.firstDelayMs * 2 ** (this.#failures.length - 1);
    return { delayMs: Math.min(doubled, this.#limits.slowDelayMs), lost: false };
  }

  /** The camera has worked long enough: a later failure begins with a full budget. */
  recovered(): void {
    this.#failures = [];
    this.#lost = false;
  }
}
