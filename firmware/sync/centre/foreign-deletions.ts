/**
 * Finds a device that permanently deletes other devices' templates, many more than people delete: otherwise nobody
 * would notice.
 */

/** Deletions within the time below: by hand, ten items of thirty templates are deleted in a minute. */
const MOST_DELETED = 500;
const WITHIN_MS = 60 * 60_000;

export class ForeignDeletions {
  #before: ReadonlyMap<string, number> | null = null;
  #since = 0;
  #repeatedUntil = Number.NEGATIVE_INFINITY;
  readonly #named = new Map<string, number>();

  /** @param counts deletions at the centre now, by device @param now monotonic milliseconds */
  note(counts: ReadonlyMap<string, number>, now: number): void {
    if (this.#before !== null && now >= this.#repeatedUntil)
      for (const [device, count] of counts) {
        const more = count - (this.#before.get(device) ?? 0);
        if (more > MOST_DELETED) this.#named.set(device, more);
      }
    const isOld = now < this.#repeatedUntil || now - this.#since >= WITHIN_MS;
    if (this.#before !== null && !isOld) return;
    this.#before = counts;
    this.#since = now;
  }

  /** Forgets a device that is shut out: for a while others repeat its deletions, which are not theirs. */
  forget(device: string, now: number): void {
    this.#named.delete(device);
    this.#repeatedUntil = now + WITHIN_MS;
  }

  /** How many templates the device has deleted; 0 where that is not unusual. */
  of(device: string): number {
    return this.#named.get(device) ?? 0;
  }
}
