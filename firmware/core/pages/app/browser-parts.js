/**
 * Parts of a browser that it may refuse: what it keeps between visits, and the way to its other windows. Cookies blocked
 * by a policy, a private window or a full disk take them away; the pages then do without. No other script uses them.
 */

/** @param {string} name @returns {string | null} null also where the browser refuses */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // refused: as if nothing had been kept
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // refused or full: it holds until this window is closed
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
