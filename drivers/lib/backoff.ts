/** How long to wait before the next attempt: doubling, with jitter, so that many lanes do not knock in step. */

export interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Milliseconds, always between the two limits: half to one and a half of a base that doubles with each call. */
  next(): number {
    const { minMs, maxMs, random } = this.#options;
    const base = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return Math.min(maxMs, Math.max(minMs, base * (0.5 + random())));
  }

  reset(): void {
    this.#failures = 0;
  }
}
