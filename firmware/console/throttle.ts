/** Something that is asked for a thousand times a second, and done a few times. */

/** A person does not notice it. */
const PAUSE_MS = 200;

export class Throttle {
  readonly #work: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(work: () => void) {
    this.#work = work;
  }

  /** Does the work after the pause, once for all calls until then. */
  ask(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#work();
    }, PAUSE_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
