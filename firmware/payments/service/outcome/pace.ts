/** How long payments wait for their bank and their display, in milliseconds. */

export interface Pace {
  /** The factor by which a bank is asked more often than `poll-schedule.ts` schedules; 1 on a lane. */
  readonly askingSpeed: number;
  /** How long an expired payment is polled before it is CANCELED. */
  readonly graceMs: number;
  /** Time limit of the bank for one answer. */
  readonly bankDeadlineMs: number;
  /** How long the outcome of a payment stays on the display. */
  readonly symbolMs: number;
  /** How long a picture waits for a display that is being connected. */
  readonly displayPatienceMs: number;
}

/** The pace of a lane; tests use others. */
export const PACE: Pace = Object.freeze({
  askingSpeed: 1,
  graceMs: 60_000,
  bankDeadlineMs: 10_000,
  symbolMs: 5000,
  displayPatienceMs: 3000,
});
