/** Calls are answered one at a time. No call waits for long, and none waits for a till that has hung up. */

import { after } from '../../../../drivers/lib/async.ts';
import { SerialQueue } from '../../../../drivers/lib/serial-queue.ts';
import { hungUp, waitedTooLong } from '../../model/payment-failures.ts';
import type { TerminalError } from '../../model/terminal-error.ts';

/**
 * A till waits 30 s for an answer. The turn of a call at a silent bank may take 16 s of them: 13 s (`EARLIER_MS` of
 * `showing.ts` and `bankDeadlineMs`) for earlier payments, look-up, registration and code together, and 3 s to cancel
 * what is not shown.
 */
export const LONGEST_WAIT_MS = 12_000;

export class CallQueue {
  readonly #queue = new SerialQueue();
  #length = 0;

  /** Whether a call that comes now has to wait. */
  get isBusy(): boolean {
    return this.#length > 0;
  }

  /**
   * Waits for the turn of a call.
   * @param isGone whether all tills that wait for its answer have hung up
   * @returns ends its turn @throws {TerminalError} where the turn does not come in time, or no till waits any more by
   * then
   */
  enter(isGone: () => boolean): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const hasToWait = this.isBusy;
    let isRefused = false;
    const refuse = (error: TerminalError): void => {
      isRefused = true;
      reject(error);
    };
    const callOff = after(LONGEST_WAIT_MS, () => refuse(waitedTooLong()));
    this.#length += 1;
    void this.#queue.run(async () => {
      callOff();
      if (!isRefused && hasToWait && isGone()) refuse(hungUp());
      const turn = Promise.withResolvers<void>();
      const leave = (): void => {
        this.#length -= 1;
        turn.resolve();
      };
      if (isRefused) leave();
      else resolve(leave);
      await turn.promise;
    });
    return promise;
  }

  /** Settles when no call is queued any more. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}
