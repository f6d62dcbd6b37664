/** So many guesses at once, and then one for each interval: what many may guess together. */
export class Allowance {
  readonly #now: () => number;
  readonly #atOnce: number;
  readonly #everyMs: number;
  #left: number;
  #at: number;

  /** @param now milliseconds that no clock setting changes */
  constructor(now: () => number, atOnce: number, everyMs: number) {
    this.#now = now;
    this.#atOnce = atOnce;
    this.#everyMs = everyMs;
    this.#left = atOnce;
    this.#at = now();
  }

  /** Milliseconds until there is one. */
  wait(): number {
    return Math.max(0, Math.ceil((1 - this.#refilled()) * this.#everyMs));
  }

  take(): void {
    this.#left = Math.max(0, this.#refilled() - 1);
  }

  get left(): number {
    return this.#refilled();
  }

  /** @param left what was left at a timestamp */
  restore(left: number, at: number): void {
    this.#left = Math.min(this.#left, left);
    this.#at = at;
  }

  #refilled(): number {
    const now = this.#now();
    this.#left = Math.min(this.#atOnce, this.#left + (now - this.#at) / this.#everyMs);
    this.#at = now;
    return this.#left;
  }
}
