/** The state of the tray for a caller: the present one, or the next one that differs. */
import { setTimeout as pause } from 'node:timers/promises';
import { RecognitionError } from '../codes.ts';
import type { Recognition } from '../recognition.ts';
import { type Catalogue, EMPTY, lost, recognised, type TrayState } from './tray-state.ts';
import type { ReportedState, TrayWatch } from './tray-watch.ts';

/** Looks at the tray once. @param weight grams of everything on the tray; null without a scale @throws {RecognitionError} */
export async function lookNow(
  recognition: Recognition,
  catalogue: Catalogue,
  weight: number | null,
): Promise<TrayState> {
  try {
    return { ...(await recogniseNow(recognition, catalogue, weight)), weight };
  } catch (error) {
    if (error instanceof RecognitionError && error.codeName === 'cameraLost') return { ...lost(error.message), weight };
    throw error;
  }
}

/** Recognises what lies there, or that nothing does. @throws {RecognitionError} */
export async function recogniseNow(
  recognition: Recognition,
  catalogue: Catalogue,
  weight: number | null,
): Promise<TrayState> {
  try {
    return recognised(await recognition.recognise(weight), catalogue);
  } catch (error) {
    if (error instanceof RecognitionError && error.codeName === 'trayEmpty') return EMPTY;
    throw error;
  }
}

/**
 * Waits for a state, by the present templates, that the caller does not know.
 * @returns the present one after the time limit; null where none is known
 */
export async function nextState(
  watch: Pick<TrayWatch, 'feed' | 'isBehind' | 'reported'>,
  after: number,
  limitMs: number,
  gone: AbortSignal,
): Promise<ReportedState | null> {
  const over = new AbortController();
  const before = watch.feed.last;
  const isNews = (): boolean => {
    const { reported } = watch;
    if (reported === null || (watch.isBehind && reported.number <= before)) return false;
    return reported.number > after || after > watch.feed.last; // numbers of a clock that was ahead
  };
  const unfollow = watch.feed.follow(() => {
    if (isNews()) over.abort();
  });
  try {
    if (!isNews()) await pause(limitMs, undefined, { signal: AbortSignal.any([over.signal, gone]), ref: false });
  } catch (error) {
    if (!over.signal.aborted && !gone.aborted) throw error;
  } finally {
    unfollow();
  }
  return watch.reported;
}
