/** Requests of one round, so many at once. */
import type { TemplateName } from '../recognition/index.ts';
import { SyncError } from './errors.ts';

/** Requests that are under way at once. */
const AT_ONCE = 64;

export function requireOpen(signal: AbortSignal): void {
  if (signal.aborted) throw new SyncError('closed', 'the synchronisation was broken off; the next one goes on');
}

export function each<T>(list: readonly T[]): () => T | undefined {
  const left = list.values();
  return () => left.next().value;
}

/**
 * Deals with what `next` gives until it gives nothing, so many at once; the next one is begun as soon as one is done.
 * @returns what went wrong: who meets a failure goes no further, and the others do
 */
export async function inFlight(
  next: () => TemplateName | undefined,
  signal: AbortSignal,
  work: (ref: TemplateName) => Promise<void>,
): Promise<unknown[]> {
  const lane = async (): Promise<void> => {
    for (let ref = next(); ref !== undefined; ref = next()) {
      requireOpen(signal);
      await work(ref);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  return lanes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
}
