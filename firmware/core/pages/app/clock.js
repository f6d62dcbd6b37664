/** Redraws a part of a page at a fixed interval. */
import { useEffect, useState } from '/console/assets/preact.js';

/** @param {number} everyMs @param {boolean} [isWanted] @returns {number} number of redraws so far */
export function useTick(everyMs, isWanted = true) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => setCount((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isWanted]);
  return count;
}
