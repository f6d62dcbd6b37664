/** Fetches data while a page shows it, and again when the device reports that its items have changed. */
import { useEffect } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useSignal } from '../../../core/pages/app/signal.js';

/**
 * @template Value
 * @param {import('../../../core/pages/app/signal.js').Signal<Value>} observed
 * @param {number} restMs between two fetches, ms
 * @param {() => Promise<void>} bring sets the observed value, also where the fetch fails
 * @returns {() => Value} the hook that returns the value
 */
export function byRevision(observed, restMs, bring) {
  let isBringing = false;
  /** The revision of the latest fetch. @type {unknown} */
  let broughtFor;
  /** @type {unknown} */
  let wanted;
  const bringAll = async () => {
    if (isBringing) return;
    isBringing = true;
    while (wanted !== broughtFor) {
      broughtFor = wanted;
      await bring();
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    isBringing = false;
  };
  return () => {
    const { state, isLive } = useDevice();
    const revision = state?.itemsRevision;
    useEffect(() => {
      if (!isLive) {
        broughtFor = undefined; // a restarted device counts revisions from the beginning
        return;
      }
      wanted = `${revision}`;
      void bringAll();
    }, [revision, isLive]);
    return useSignal(observed);
  };
}
