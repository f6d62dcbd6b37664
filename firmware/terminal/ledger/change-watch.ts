/** Wakes those who wait for rows to change, by the change itself: no polling, and no work where no one waits. */

export class ChangeWatch {
  readonly #watchers = new Map<string, Set<() => void>>();

  /** How many rows are watched now. */
  get watched(): number {
    return this.#watchers.size;
  }

  /**
   * @param changed called once the change is in the ledger, or has failed: look what has become of the row
   * @returns what ends the watch
   */
  watch(key: string, changed: () => void): () => void {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(changed));
    return () => {
      watchers.delete(changed);
      if (watchers.size === 0 && this.#watchers.get(key) === watchers) this.#watchers.delete(key);
    };
  }

  /** A change may be part of another one that is not committed yet, but will be, or has failed, when this turn is over. */
  notify(keys: readonly string[]): void {
    for (const key of keys) for (const changed of this.#watchers.get(key) ?? []) queueMicrotask(changed);
  }
}
