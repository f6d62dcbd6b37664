/**
 * Fetches what the camera sees, repeatedly: a failure is shown until the next fetch succeeds.
 * @import { CameraAnswer } from '../../http/v1/camera-routes.ts'
 * @import { Now } from '../../http/v1/tray-schemas.ts'
 */
import { useEffect, useState } from '/console/assets/preact.js';
import { ask, CallError, request } from '../../../core/pages/app/api.js';
import { useDevice } from '../../../core/pages/app/device.js';

/**
 * @typedef {object} Seen
 * @property {ImageBitmap} image closed by the part that draws it
 * @property {CameraAnswer} sight
 * @property {Now | null} tray null where it was not asked for, or is unknown
 */

/** How often picture and description are fetched until both are of one size: a frame may come between them. */
const MOST_TRIES = 3;

/** @param {string} path @returns {Promise<ImageBitmap>} @throws {CallError} */
export async function pictureOf(path) {
  const response = await request(path);
  try {
    return await createImageBitmap(await response.blob());
  } catch (cause) {
    throw new CallError('unreadable', {}, cause);
  }
}

/** @returns {Promise<Pick<Seen, 'image' | 'sight'>>} @throws {CallError} */
async function frameNow() {
  for (let tries = 1; ; tries++) {
    /** @type {Promise<CameraAnswer>} */
    const camera = ask('/console/api/camera');
    const [image, sight] = await Promise.all([pictureOf('/console/api/camera/frame'), camera]);
    const fits = image.width === sight.frame.width && image.height === sight.frame.height;
    if (fits) return { image, sight };
    image.close();
    if (tries === MOST_TRIES) throw new CallError('Camera.NoPicture');
  }
}

/**
 * What lies on the tray; null where the device does not know, for a reason that the page shows elsewhere.
 * @returns {Promise<Now | null>}
 */
export async function trayNow() {
  try {
    return await ask('/v1/recognition?wait=1');
  } catch (error) {
    if (error instanceof CallError) return null;
    throw error;
  }
}

/** @returns {Promise<Seen>} @throws {CallError} */
export async function seenNow() {
  const [seen, tray] = await Promise.all([frameNow(), trayNow()]);
  return { ...seen, tray };
}

/**
 * Calls `look` repeatedly while the page is visible and the device answers.
 * @template Data
 * @param {() => Promise<Data>} look
 * @param {number} everyMs
 * @returns {{seen: Data | null, error: unknown}} nothing while the device does not answer
 */
export function useLooking(look, everyMs) {
  const { isLive } = useDevice();
  const [shown, setShown] = useState(/** @type {{seen: Data | null, error: unknown}} */ ({ seen: null, error: null }));
  useEffect(() => {
    if (!isLive) {
      setShown({ seen: null, error: null });
      return;
    }
    let hasEnded = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const again = async () => {
      try {
        // a hidden page asks for nothing
        const seen = document.hidden ? null : await look();
        if (!hasEnded && seen !== null) setShown({ seen, error: null });
      } catch (error) {
        if (!hasEnded) setShown({ seen: null, error });
      }
      if (!hasEnded) timer = setTimeout(again, everyMs);
    };
    void again();
    return () => {
      hasEnded = true;
      clearTimeout(timer);
    };
  }, [isLive, look, everyMs]);
  return shown;
}
