/**
 * Hides a page until its parts have their data. Parts that appear one by one would move a button away from the finger.
 */
import { useEffect, useLayoutEffect, useState } from '/console/assets/preact.js';
import { Signal, useSignal } from './signal.js';

/** Longest time that a page is hidden; after it the page is shown with what a slow device has sent. */
const LONGEST_MS = 2000;

/** How many parts of the page still wait for their first answer. */
const waiting = new Signal(0);

/** @param {boolean} isWaiting whether this part still waits for its first answer */
export function useBusy(isWaiting) {
  useLayoutEffect(() => {
    if (!isWaiting) return;
    waiting.set(waiting.value + 1);
    return () => waiting.set(waiting.value - 1);
  }, [isWaiting]);
}

/** A person does not notice a shorter wait. */
const SHOWN_AFTER_MS = 300;

/** Whether a part of the page has waited noticeably long for its first answer. */
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

/** Whether the page is shown, and no longer hidden. */
const shown = new Signal(false);

/** Whether the page is shown: a hidden part takes no focus. */
export const useIsShown = () => useSignal(shown);

/**
 * Whether the page may be shown.
 * @param {string | null} page null while no person is signed in: the PIN field is then shown and focused at once
 * @returns {boolean} stays true while this page is open: later calls hide nothing
 */
export function useIsSettled(page) {
  const [settled, setSettled] = useState(/** @type {string | null} */ (null));
  useSignal(waiting);
  // runs after the effects of the parts: by then each has said whether it waits
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
