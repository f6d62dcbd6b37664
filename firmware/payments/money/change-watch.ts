/** Wakes the waiters for a row when it changes: no polling, and no work where nothing waits. */
export class ChangeWatch {
  readonly #watchers = new Map<string, Set<() => void>>();

  /** How many rows are watched now. */
  get watched(): number {
    return this.#watchers.size;
  }

  /**
   * @param changed called after a change is in the ledger, or has failed: read the row then
   * @returns a function that ends the watch
   */
  watch(key: string, changed: () => void): () => void {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(changed));
    return () => {
      watchers.delete(changed);
      if (watchers.size === 0 && this.#watchers.get(key) === watchers) this.#watchers.delete(key);
    };
  }

  /**
   * Wakes the waiters a moment later: the change may belong to a transaction, which is committed or has failed when
   * this turn is over.
   */
  notify(keys: readonly string[]): void {
    for (const key of keys) for (const changed of this.#watchers.get(key) ?? []) queueMicrotask(changed);
  }
}
