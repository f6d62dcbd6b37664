/** How large the code of a picture can be. */

/** Below that a whole number would cost too much of the code's size: then it is scaled freely. */
const WHOLE_FROM_PIXELS = 2;
/** A figure is about so much wider than its letter's size. */
const LETTER_WIDTH = 0.58;
/** The least size of an amount beside a code, of the panel's shorter side, and in pixels. */
const LEAST_AMOUNT = 0.052;
const LEAST_AMOUNT_PX = 13;
/** What a column beside the code has at both its ends. */
const MARGIN = 0.05;
/** Less and less is said where there is no room: without the second language, without the purpose, the amount alone. */
const TERSENESS = /** @type {const} */ (['0', '1', '2', '3']);

/**
 * Uneven modules scan badly: a whole number of device pixels each.
 * @param {number} room @param {number} modules on a side, the quiet zone included
 */
function evenSide(room, modules) {
  const pixels = (room * devicePixelRatio) / modules;
  return ((pixels >= WHOLE_FROM_PIXELS ? Math.floor(pixels) : pixels) * modules) / devicePixelRatio;
}

/**
 * Lays words and code beside or above each other, so that the code is as large as possible.
 * @param {HTMLElement} root a picture of a size of its own, with a code
 * @param {{side: HTMLElement, modules: number, letters: number, isBare: boolean}} content
 */
export function fit(root, { side, modules, letters, isBare }) {
  const { clientWidth: width, clientHeight: height } = root;
  if (width === 0 || height === 0) return;
  const shorter = Math.min(width, height);
  const leastLetter = Math.max(LEAST_AMOUNT_PX, LEAST_AMOUNT * shorter);
  const least = isBare ? 0 : letters * LETTER_WIDTH * leastLetter + 2 * MARGIN * shorter;

  const set = (/** @type {string} */ name, /** @type {number} */ px) => root.style.setProperty(name, `${px}px`);
  /** @param {'beside' | 'below'} layout @param {number} room of the code @param {number} column width of the words */
  const lay = (layout, room, column) => {
    root.dataset.layout = layout;
    set('--side', evenSide(room, modules));
    set('--letter', Math.min(0.17 * shorter, (column - 2 * MARGIN * shorter) / (letters * LETTER_WIDTH)));
  };
  /** Says as much as there is room for. @param {number} room height of it @returns the height that is taken */
  const shorten = (room) => {
    for (const terse of TERSENESS) {
      root.dataset.terse = terse;
      if (side.offsetHeight <= room) break;
    }
    return side.offsetHeight;
  };

  lay('below', 0, width);
  const below = Math.min(width, height - shorten(Math.max(height - width, 0.3 * height)));
  const beside = Math.min(height, width - least);
  if (below >= beside) return lay('below', below, width);
  lay('beside', beside, width - evenSide(beside, modules));
  shorten(height);
}
