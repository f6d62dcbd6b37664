/** Waiting: a pause, a time limit for the work of others, a timer for any length of time. */

/** Longest delay that Node's own timers take, about 25 days; beyond it they fire at once, and a ttl may be 90 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Settles after `ms`, or at once when `signal` aborts. Never rejects: the caller looks at the signal. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Settles as `work` does, but no longer than `limitMs` and not past an abort of one of the signals: the libraries under the
 * wires have calls that never settle once their far end is gone. The work itself cannot be stopped: its late outcome is
 * dropped, so the caller that starts something that holds a resource must release it itself. (`Promise.race` with a long-lived
 * promise would keep something of each call for as long as that promise lives.)
 */
export function within<T>(work: Promise<T>, limitMs: number, late: () => Error, ...signals: AbortSignal[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', abort);
      outcome();
    };
    const abort = () => settle(() => reject(signals.find((signal) => signal.aborted)?.reason));
    const timer = setTimeout(() => settle(() => reject(late())), limitMs);
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
    if (signals.some((signal) => signal.aborted)) abort();
    work.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}

/** Runs `task` once after `ms`, however many that are. @returns what calls it off */
export function after(ms: number, task: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), LONGEST_TIMER_MS);
    timer = setTimeout(() => (left > step ? arm(left - step) : task()), step);
  };
  arm(ms);
  return () => clearTimeout(timer);
}
