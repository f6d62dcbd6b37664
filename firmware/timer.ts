/** Timers longer than Node's own limit (2^31-1 ms, about 25 days): a ttl of 90 days must not fire at once. */

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs `task` once after `ms`; answers how to call it off. */
export function after(ms: number, task: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), LONGEST_TIMER_MS);
    timer = setTimeout(() => (left > step ? arm(left - step) : task()), step);
  };
  arm(ms);
  return () => clearTimeout(timer);
}
