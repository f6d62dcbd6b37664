/**
 * What a page needs before it is shown. Parts that come one after the other would move a button away from the finger.
 */
import { useEffect, useLayoutEffect, useState } from '/console/assets/preact.js';
import { Signal, useSignal } from './signal.js';

/** A device that answers slowly: the page is shown with what has come. */
const LONGEST_MS = 2000;

/** How many parts of the page have not got their first answer. */
const waiting = new Signal(0);

/** @param {boolean} isWaiting whether this part has not got its first answer yet */
export function useBusy(isWaiting) {
  useLayoutEffect(() => {
    if (!isWaiting) return;
    waiting.set(waiting.value + 1);
    return () => waiting.set(waiting.value - 1);
  }, [isWaiting]);
}

/** Less is no wait to a person. */
const SHOWN_AFTER_MS = 300;

/** Whether some part of the page has waited so long for its first answer that a person wonders. */
export function useIsLoading() {
  const isWaiting = useSignal(waiting) > 0;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLong(true), SHOWN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isWaiting]);
  return isWaiting && isLong;
}

/** Whether the page stands there, and is no longer hidden. */
const shown = new Signal(false);

/** Whether the page is shown: what is hidden takes no focus. */
export const useIsShown = () => useSignal(shown);

/**
 * @param {string | null} page null while no person is signed in: the field of the PIN is shown, and has the focus, at once
 * @returns {boolean} stays true while this page is open: later questions hide nothing
 */
export function useIsSettled(page) {
  const [settled, setSettled] = useState(/** @type {string | null} */ (null));
  useSignal(waiting);
  // after those of the parts: each has said by then whether it waits
  useLayoutEffect(() => {
    if (waiting.value === 0) setSettled(page);
  });
  useEffect(() => {
    const timer = setTimeout(() => setSettled(page), LONGEST_MS);
    return () => clearTimeout(timer);
  }, [page]);
  const isSettled = page === null || settled === page;
  useLayoutEffect(() => shown.set(isSettled), [isSettled, page]);
  return isSettled;
}
