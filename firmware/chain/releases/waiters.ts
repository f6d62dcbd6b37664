/** Those who wait for the same: all go on at once, or fail at once. */
import { within } from '../../../drivers/lib/async.ts';
import { ReleaseError } from './release-error.ts';

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Waiters {
  #waiting: Waiter[] = [];

  /** Until it is there. @throws {ReleaseError} `slow` after so many milliseconds; the error that was reported */
  async next(limitMs: number): Promise<void> {
    const { promise, ...waiter } = Promise.withResolvers<void>();
    this.#waiting.push(waiter);
    try {
      await within(promise, Math.max(0, limitMs), () => new ReleaseError('slow', 'nothing has come in time'));
    } finally {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
    }
  }

  goOn(): void {
    for (const { resolve } of this.#taken()) resolve();
  }

  fail(error: unknown): void {
    for (const { reject } of this.#taken()) reject(error);
  }

  #taken(): readonly Waiter[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
