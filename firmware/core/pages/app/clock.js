/** Draws a part again and again. */
import { useEffect, useState } from '/console/assets/preact.js';

/** @param {number} everyMs @param {boolean} [isWanted] @returns {number} how often so far */
export function useTick(everyMs, isWanted = true) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => setCount((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isWanted]);
  return count;
}
