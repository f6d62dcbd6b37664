/** Asks the bank repeatedly about refunds whose outcome it has not reported: each on its own schedule, all within one rate. */
import { Backoff, type BackoffLimits } from '../../../drivers/lib/async.ts';
import { RateLimit } from '../../../drivers/lib/rate-limit.ts';
import type { LogLine, Timekeeper } from '../../core/host/index.ts';

/** Pauses between questions about one refund: doubling. */
const FOLLOW_UP = { minMs: 2000, maxMs: 10 * 60_000 };
/** Rate of the questions, low enough to leave payments their connections. */
const QUESTION_RATE = { pauseMs: 250, atOnce: 2 };

interface Followed {
  readonly backoff: Backoff;
  callOff: () => void;
}

export class RefundFollower {
  readonly #clock: Pick<Timekeeper, 'after'>;
  readonly #isToBeAsked: (refundId: string) => boolean;
  readonly #ask: (refundId: string) => Promise<void>;
  readonly #newBackoff: () => Backoff;
  readonly #log: LogLine;
  readonly #followed = new Map<string, Followed>();
  readonly #rate: RateLimit;
  #isClosed = false;

  /**
   * @param isToBeAsked whether anything is still to be asked about a refund; true also where that is not known now
   * @param ask asks the bank about a refund once, and has it followed again or dropped
   * @param random 0 to 1
   * @param limits of the pause between two questions about one refund
   */
  constructor(
    clock: Pick<Timekeeper, 'after'>,
    isToBeAsked: (refundId: string) => boolean,
    ask: (refundId: string) => Promise<void>,
    random: () => number,
    log: LogLine,
    limits: BackoffLimits = FOLLOW_UP,
  ) {
    this.#clock = clock;
    this.#isToBeAsked = isToBeAsked;
    this.#ask = ask;
    this.#newBackoff = () => new Backoff(limits, random);
    this.#log = log;
    this.#rate = new RateLimit(QUESTION_RATE, clock.after.bind(clock));
  }

  /** Asks about a refund again later, as long as there is anything to ask. */
  follow(refundId: string): void {
    const known = this.#followed.get(refundId);
    known?.callOff();
    if (this.#isClosed || !this.#isToBeAsked(refundId)) {
      this.drop(refundId);
      return;
    }
    const backoff = known?.backoff ?? this.#newBackoff();
    const callOff = this.#clock.after(backoff.next(), () => {
      this.#followAgain(refundId).catch((error: unknown) =>
        this.#log('a refund could not be followed up, it will be asked about again', {
          refundId,
          reason: String(error),
        }),
      );
    });
    this.#followed.set(refundId, { backoff, callOff });
  }

  /** Stops asking about a refund. */
  drop(refundId: string): void {
    this.#followed.get(refundId)?.callOff();
    this.#followed.delete(refundId);
  }

  close(): void {
    this.#isClosed = true;
    for (const { callOff } of this.#followed.values()) callOff();
    this.#followed.clear();
    this.#rate.close();
  }

  async #followAgain(refundId: string): Promise<void> {
    try {
      await this.#rate.run(() => this.#ask(refundId));
    } catch (error) {
      this.follow(refundId); // the ledger is closed, or the disk full
      throw error;
    }
  }
}
