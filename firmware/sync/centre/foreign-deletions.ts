/**
 * Finds a device that permanently deletes many more templates of other devices than people delete: nobody else would
 * notice it.
 */

/** Most deletions within `WITHIN_MS` that count as usual: ten items of thirty templates, deleted by hand, are 300. */
const MOST_DELETED = 500;
const WITHIN_MS = 60 * 60_000;

export class ForeignDeletions {
  #before: ReadonlyMap<string, number> | null = null;
  #since = 0;
  #repeatedUntil = Number.NEGATIVE_INFINITY;
  readonly #found = new Map<string, number>();

  /**
   * Compares the counts with those of up to an hour ago.
   * @param counts deletions at the centre, by device
   * @param now monotonic ms
   */
  record(counts: ReadonlyMap<string, number>, now: number): void {
    if (this.#before !== null && now >= this.#repeatedUntil)
      for (const [device, count] of counts) {
        const more = count - (this.#before.get(device) ?? 0);
        if (more > MOST_DELETED) this.#found.set(device, more);
      }
    const isOld = now < this.#repeatedUntil || now - this.#since >= WITHIN_MS;
    if (this.#before !== null && !isOld) return;
    this.#before = counts;
    this.#since = now;
  }

  /**
   * Removes a device that was revoked. For `WITHIN_MS` no device is named: the others publish its tombstones again, and
   * would seem to delete much.
   */
  forget(device: string, now: number): void {
    this.#found.delete(device);
    this.#repeatedUntil = now + WITHIN_MS;
  }

  /** How many templates the device has deleted; 0 where that is not unusual. */
  of(device: string): number {
    return this.#found.get(device) ?? 0;
  }
}
