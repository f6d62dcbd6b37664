/**
 * Changes to one thing, such as a database, one after the other: SQLite lets one connection write at a time and makes the
 * others wait inside of a call, which would stop this whole process. Here waiting stops nobody.
 */
export class SerialQueue {
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();

  /** @param onFailure told of each failure before its caller is; never throws */
  constructor(onFailure: (error: unknown) => void = () => undefined) {
    this.#onFailure = onFailure;
  }

  /** Runs `work` when all that were asked for before are over; its failure is the caller's alone. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.then(() => undefined, this.#onFailure);
    return mine;
  }

  /** Settles when nobody waits any more. */
  idle(): Promise<void> {
    return this.#last;
  }
}
