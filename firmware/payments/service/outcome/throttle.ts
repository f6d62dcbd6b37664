/** How much slower the bank of each profile is asked, as it has answered that the questions are too many (429). */
import type { BankError } from '../../../banks/index.ts';
import type { Clock } from '../../../core/host/index.ts';

/** After so long without such an answer the bank is asked a step quicker. */
const QUIET_MS = 10 * 60_000;
/** Most doublings: they lead from the shortest pause beyond the longest that any bank gets. */
const MOST_STEPS = 5;

interface Level {
  /** How often the pauses are doubled. */
  readonly steps: number;
  /** Monotonic ms of the last doubling. */
  readonly doubledAt: number;
  /** Monotonic ms of the last such answer. */
  readonly since: number;
}

export class Throttle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #count: (profile: string) => void;
  readonly #levels = new Map<string, Level>();

  /** @param count gets the profile of each such answer */
  constructor(clock: Pick<Clock, 'monotonic'>, count: (profile: string) => void) {
    this.#clock = clock;
    this.#count = count;
  }

  /**
   * Doubles the pauses of a profile where its bank has answered that the questions are too many, and has not said until
   * when. A question that began before the last doubling was asked at the earlier pace: its answer doubles nothing again.
   * @param askedAt monotonic ms
   */
  note(profile: string, { isTooMany, retryAfterMs }: BankError, askedAt: number): void {
    if (!isTooMany) return;
    this.#count(profile);
    const since = this.#clock.monotonic();
    const { steps, doubledAt } = this.#level(profile);
    const isDoubling = retryAfterMs === null && (steps === 0 || askedAt >= doubledAt);
    if (isDoubling) this.#levels.set(profile, { steps: Math.min(steps + 1, MOST_STEPS), doubledAt: since, since });
    else if (steps > 0) this.#levels.set(profile, { steps, doubledAt, since });
  }

  /** By how much the pauses of a profile are longer: 1, 2, 4 … */
  slowness(profile: string): number {
    return 2 ** this.#level(profile).steps;
  }

  #level(profile: string): Level {
    const { steps, doubledAt, since } = this.#levels.get(profile) ?? { steps: 0, doubledAt: 0, since: 0 };
    const quietSteps = Math.floor((this.#clock.monotonic() - since) / QUIET_MS);
    return { steps: Math.max(0, steps - quietSteps), doubledAt, since };
  }
}
