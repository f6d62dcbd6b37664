/** Which device deletes templates of others for good, many more than people do: of one that does so by itself nobody would know. */

/** Within the time below: ten items of thirty templates are deleted in a minute by hand. */
const MOST_DELETED = 500;
const WITHIN_MS = 60 * 60_000;

export class ForeignDeletions {
  #before: ReadonlyMap<string, number> | null = null;
  #since = 0;
  #repeatedUntil = Number.NEGATIVE_INFINITY;
  readonly #named = new Map<string, number>();

  /** @param counts by device, of all that lie at the centre now @param now monotonic milliseconds */
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

  /** One is shut out: for a while others repeat what it had deleted, which is no deed of theirs. */
  forget(device: string, now: number): void {
    this.#named.delete(device);
    this.#repeatedUntil = now + WITHIN_MS;
  }

  /** How many it has deleted; 0 where that is nothing unusual. */
  of(device: string): number {
    return this.#named.get(device) ?? 0;
  }
}
