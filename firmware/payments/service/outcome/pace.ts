/** How long payments wait for their bank and their display, in milliseconds. */

export interface Pace {
  /** When the bank is first polled for a payment. */
  readonly pollFirstMs: number;
  /** The longest pause between two polls in the first hour of a payment; then it is a minute, or what the bank asks for. */
  readonly pollMaxMs: number;
  /** How long an expired payment is polled before it is CANCELED. */
  readonly graceMs: number;
  /** Time limit of the bank for one answer. */
  readonly bankDeadlineMs: number;
  /** How long the outcome of a payment stays on the display. */
  readonly symbolMs: number;
  /** How long a picture waits for a display that is being connected. */
  readonly displayPatienceMs: number;
}

/** A test gives another. */
export const PACE: Pace = Object.freeze({
  pollFirstMs: 1000,
  pollMaxMs: 5000,
  graceMs: 60_000,
  bankDeadlineMs: 10_000,
  symbolMs: 5000,
  displayPatienceMs: 3000,
});
