/** Time that several steps share: what one has taken the next have no more. */

/** @param clock monotonic, milliseconds @returns how many milliseconds are left, never less than 1: a step that has none fails of its own deadline */
export function timeBudget(ms: number, clock: { monotonic(): number }): () => number {
  const end = clock.monotonic() + ms;
  return () => Math.max(1, Math.ceil(end - clock.monotonic()));
}
