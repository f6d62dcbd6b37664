/** Asks about undecided refunds again and again, each on its own schedule, all at one rate. */
import { Backoff } from '../../../drivers/lib/backoff.ts';
import { RateLimit } from '../../../drivers/lib/rate-limit.ts';
import type { LogLine, Timekeeper } from '../../core/host/index.ts';

/** Between one question about a refund and the next: doubling. */
const FOLLOW_UP = { minMs: 2000, maxMs: 10 * 60_000 };
/** Questions about refunds leave the payments their connections. */
const QUESTION_RATE = { pauseMs: 250, atOnce: 2 };

export interface RefundFollowerOptions {
  readonly clock: Pick<Timekeeper, 'after'>;
  /** Whether anything is still to be asked about a refund; true also where that is not known now. */
  readonly isToBeAsked: (refundId: string) => boolean;
  /** Asks about it, and follows it up. */
  readonly ask: (refundId: string) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: LogLine;
  /** Between one question about a refund and the next; `FOLLOW_UP` when left out. */
  readonly backoff?: { readonly minMs: number; readonly maxMs: number };
}

interface Followed {
  readonly backoff: Backoff;
  callOff: () => void;
}

export class RefundFollower {
  readonly #options: RefundFollowerOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #rate: RateLimit;
  #isClosed = false;

  constructor(options: RefundFollowerOptions) {
    this.#options = options;
    this.#rate = new RateLimit(QUESTION_RATE, options.clock.after.bind(options.clock));
  }

  /** Asks about a refund again later, as long as there is anything to ask. */
  follow(refundId: string): void {
    const { isToBeAsked, clock, random, log, backoff: limits = FOLLOW_UP } = this.#options;
    const known = this.#followed.get(refundId);
    known?.callOff();
    if (this.#isClosed || !isToBeAsked(refundId)) {
      this.drop(refundId);
      return;
    }
    const backoff = known?.backoff ?? new Backoff(limits, random);
    const callOff = clock.after(backoff.next(), () => {
      this.#askAgain(refundId).catch((error: unknown) =>
        log('a refund could not be followed up, it will be asked about again', { refundId, reason: String(error) }),
      );
    });
    this.#followed.set(refundId, { backoff, callOff });
  }

  /** Asks about it no more. */
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

  async #askAgain(refundId: string): Promise<void> {
    try {
      await this.#rate.run(() => this.#options.ask(refundId));
    } catch (error) {
      this.follow(refundId); // a ledger that is closed, or a full disk
      throw error;
    }
  }
}
