/** What was typed and is not saved: the page asks before it is left, and the browser before it is closed. */
import { useLayoutEffect } from '/console/assets/preact.js';

/** How many forms have something. */
let forms = 0;

/** @param {Event} event */
const hold = (event) => event.preventDefault();

/** @param {number} by */
function count(by) {
  forms += by;
  // only while there is something: a page with this listener is not kept for "Back"
  if (forms === 0) removeEventListener('beforeunload', hold);
  else addEventListener('beforeunload', hold);
}

export const isUnsaved = () => forms > 0;

/** @param {boolean} isTyped whether this form has something that is not saved */
export function useUnsaved(isTyped) {
  useLayoutEffect(() => {
    if (!isTyped) return;
    count(1);
    return () => count(-1);
  }, [isTyped]);
}
