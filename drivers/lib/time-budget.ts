/** Time that several steps share: what one has taken the next have no more. */

/**
 * It is time of the machine, as that of each step is (`AbortSignal.timeout`): where the device's clock goes faster, as in a
 * simulated lane, who is waited for is no faster.
 * @returns how many milliseconds are left, never less than 1: a step that has none fails of its own deadline
 */
export function timeBudget(ms: number): () => number {
  const end = performance.now() + ms;
  return () => Math.max(1, Math.ceil(end - performance.now()));
}
