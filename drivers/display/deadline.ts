/** Waiting that always ends: the libraries under the wires have calls that never answer once their far end is gone. */

/**
 * `work`, but no longer than `limitMs` and not past an abort of one of the signals. The work itself cannot be stopped: its
 * late outcome is dropped, so whoever starts something that holds a resource must give it back itself. (`Promise.race`
 * with a long-lived promise would keep something of each call for as long as that promise lives.)
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
