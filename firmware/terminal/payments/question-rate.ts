/**
 * Shares what the bank may be asked among all payments: so many questions a second, so many at once, whoever waits longest
 * first. The payment that a customer stands in front of does not wait.
 */
import { after } from '../../../drivers/lib/async.ts';

/** A lane alone needs one a second or two; a day's open payments get their turn within half a minute. */
const LEAST_PAUSE_MS = 50;
/** Less than the connections that a bank gets, so that one is free for the payment at the till. */
const AT_ONCE = 4;

export class QuestionRate {
  #under = 0;
  #isPausing = false;
  readonly #waiting: (() => void)[] = [];

  /** Runs `work` at once where it is urgent, else when its turn has come. */
  async run<T>(isUrgent: boolean, work: () => Promise<T>): Promise<T> {
    if (isUrgent) return work();
    await this.#turn();
    try {
      return await work();
    } finally {
      this.#under -= 1;
      this.#next();
    }
  }

  #turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#isPausing || this.#under >= AT_ONCE) return;
    const begin = this.#waiting.shift();
    if (begin === undefined) return;
    this.#under += 1;
    this.#isPausing = true;
    after(LEAST_PAUSE_MS, () => {
      this.#isPausing = false;
      this.#next();
    });
    begin();
  }
}
