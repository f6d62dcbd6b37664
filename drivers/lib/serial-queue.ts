/**
 * Runs changes of one thing, such as a database, one after the other: SQLite lets one connection write at a time, and
 * blocks others inside a call, which would stop this whole process. Waiting here blocks nothing else.
 */
export class SerialQueue {
  readonly #onFailure: (error: unknown) => void;
  readonly #before: () => void;
  #last: Promise<void> = Promise.resolve();

  /**
   * @param onFailure called with each failure before its caller gets it; never throws
   * @param before runs before each piece of work; where it throws, the work is not run and fails so
   */
  constructor(onFailure: (error: unknown) => void = () => undefined, before: () => void = () => undefined) {
    this.#onFailure = onFailure;
    this.#before = before;
  }

  /** Runs `work` after all earlier work; only the caller gets its failure. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const mine = this.#last.then(() => {
      this.#before();
      return work();
    });
    this.#last = mine.then(() => undefined, this.#onFailure);
    return mine;
  }

  /** Settles when the queue is empty. */
  idle(): Promise<void> {
    return this.#last;
  }
}

/** A queue for each name, as long as work waits in it. */
export class SerialQueues {
  readonly #queues = new Map<string, SerialQueue>();

  /** Runs `work` after all earlier work of the same name; only the caller gets its failure. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? new SerialQueue();
    this.#queues.set(name, queue);
    const mine = queue.run(work);
    const end = queue.idle();
    void end.then(() => {
      const hasMore = queue.idle() !== end;
      if (!hasMore && this.#queues.get(name) === queue) this.#queues.delete(name);
    });
    return mine;
  }

  /** Settles when all queues are empty. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.idle()));
  }
}
