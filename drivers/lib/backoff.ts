/** How long to wait before the next attempt: doubling, with jitter, so that many lanes do not knock in step. */

export interface BackoffLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #random: () => number;
  #failures = 0;

  /** @param random uniform in [0, 1) */
  constructor(limits: BackoffLimits, random = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Milliseconds, always between the two limits: half to one and a half of a base that doubles with each call. */
  next(): number {
    const { minMs, maxMs } = this.#limits;
    const base = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return Math.min(maxMs, Math.max(minMs, base * (0.5 + this.#random())));
  }

  reset(): void {
    this.#failures = 0;
  }
}
