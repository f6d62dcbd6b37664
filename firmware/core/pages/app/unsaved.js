/** Typed text that is not saved: the page asks before a person leaves it, and the browser before it is closed. */
import { useLayoutEffect } from '/console/assets/preact.js';

/** How many forms have unsaved text. */
let forms = 0;

/** @param {Event} event */
const hold = (event) => event.preventDefault();

/** @param {number} by */
function count(by) {
  forms += by;
  // only while there is unsaved text: the browser does not keep a page with this listener for "Back"
  if (forms === 0) removeEventListener('beforeunload', hold);
  else addEventListener('beforeunload', hold);
}

export const isUnsaved = () => forms > 0;

/** @param {boolean} isTyped whether this form has unsaved text */
export function useUnsaved(isTyped) {
  useLayoutEffect(() => {
    if (!isTyped) return;
    count(1);
    return () => count(-1);
  }, [isTyped]);
}
