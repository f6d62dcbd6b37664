/** The state of the tray for one who asks: as it is now, or once it is another. */
import { setTimeout as pause } from 'node:timers/promises';
import { RecognitionError } from '../codes.ts';
import type { Recognition } from '../recognition.ts';
import { type Catalogue, EMPTY, lost, recognised, type TrayState } from './tray-state.ts';
import type { ReportedState, TrayWatch } from './tray-watch.ts';

/** Looks at the tray for once. @param weight grams of all that lies there; null without a scale @throws {RecognitionError} */
export async function lookNow(
  recognition: Recognition,
  catalogue: Catalogue,
  weight: number | null,
): Promise<TrayState> {
  return { ...(await stateNow(recognition, catalogue, weight)), weight };
}

async function stateNow(recognition: Recognition, catalogue: Catalogue, weight: number | null): Promise<TrayState> {
  try {
    if ((await recognition.recogniser.look(null))?.isEmpty) return EMPTY;
    return await recogniseNow(recognition, catalogue, weight);
  } catch (error) {
    if (error instanceof RecognitionError && error.codeName === 'cameraLost') return lost(error.message);
    throw error;
  }
}

/** After a look at the tray, which may be emptied before the picture that is recognised. @throws {RecognitionError} */
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

/** Waits for a state that the caller does not know, of the gallery of now. @returns the present one when the time is over; null where none is known */
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
