/**
 * What a browser may refuse to a page: its storage between visits, and messages to its other windows. Cookies blocked by
 * a policy, a private window or a full disk take them away; the pages then work without. No other script uses them.
 */

/** @param {string} name @returns {string | null} null also where the browser refuses */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // refused: as if nothing had been stored
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // refused or full: the value lasts until this window is closed
  }
}

/** @param {string} name @returns {BroadcastChannel | null} null where the browser refuses */
export function otherWindows(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null; // each window asks the device for itself
  }
}
