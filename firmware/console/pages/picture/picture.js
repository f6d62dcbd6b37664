/**
 * Draws the customer's picture in a node of any size: the customer's screen, and the console's small copy.
 * @import { DisplayEvent } from '../../display-view.ts'
 * @import { ScreenWords } from './picture-words.js'
 */
import { codeParts, fillWords, otherParts } from './picture-parts.js';
import { clock, languagesOf, roubles, WORDS } from './picture-words.js';

/** Modules of at least this many pixels are rounded down to whole pixels; smaller ones would lose too much size. */
const WHOLE_FROM_PIXELS = 2;
/** Width of a digit, as a share of the font size. */
const LETTER_WIDTH = 0.58;
/** Least font size of an amount beside a code: as a share of the picture's shorter side, and in pixels. */
const LEAST_AMOUNT = 0.052;
const LEAST_AMOUNT_PX = 13;
/** Margin at both ends of the column beside the code, as a share of the shorter side. */
const MARGIN = 0.05;
/**
 * Levels of brevity where room is short: all words, without the second language, without the purpose, the amount alone.
 */
const TERSENESS = /** @type {const} */ (['0', '1', '2', '3']);

/**
 * The side of a code whose modules are a whole number of device pixels each, as uneven modules scan badly.
 * @param {number} room @param {number} modules on a side, the quiet zone included
 */
function evenSide(room, modules) {
  const pixels = (room * devicePixelRatio) / modules;
  return ((pixels >= WHOLE_FROM_PIXELS ? Math.floor(pixels) : pixels) * modules) / devicePixelRatio;
}

/**
 * Places words and code side by side or one above the other, so that the code is as large as possible.
 * @param {HTMLElement} root node of a picture that shows a code
 * @param {{side: HTMLElement, modules: number, letters: number, isBare: boolean}} content
 */
function fit(root, { side, modules, letters, isBare }) {
  const { clientWidth: width, clientHeight: height } = root;
  if (width === 0 || height === 0) return;
  const shorter = Math.min(width, height);
  const leastLetter = Math.max(LEAST_AMOUNT_PX, LEAST_AMOUNT * shorter);
  const least = isBare ? 0 : letters * LETTER_WIDTH * leastLetter + 2 * MARGIN * shorter;

  const set = (/** @type {string} */ name, /** @type {number} */ px) => root.style.setProperty(name, `${px}px`);
  /**
   * @param {'beside' | 'below'} layout where the words are
   * @param {number} room side of the code
   * @param {number} column width of the words
   */
  const lay = (layout, room, column) => {
    root.dataset.layout = layout;
    set('--side', evenSide(room, modules));
    set('--letter', Math.min(0.17 * shorter, (column - 2 * MARGIN * shorter) / (letters * LETTER_WIDTH)));
  };
  /** Shows as many words as fit. @param {number} room height for the words @returns the height that they need */
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
  const layBeside = (/** @type {number} */ room) => {
    lay('beside', room, width - evenSide(room, modules));
    shorten(height);
  };
  layBeside(beside);
  const lacking = side.scrollWidth - side.clientWidth;
  // a word is longer than its column
  if (lacking > 0) layBeside(evenSide(beside, modules) - lacking - MARGIN * shorter);
}

/** @typedef {DisplayEvent['language']} Language */

/**
 * Words of a code: what it is, what to do with it, and its name for screen readers.
 * @param {DisplayEvent} state @returns {readonly [ScreenWords, ScreenWords, ScreenWords]}
 */
function wordsOf({ claim, receipt, amount }) {
  if (claim !== undefined) return [WORDS.claim, WORDS.claimNext, WORDS.code];
  if (receipt !== undefined) return [WORDS.receipt, WORDS.receiptNext, WORDS.receiptCode];
  return amount === undefined ? [WORDS.nothing, WORDS.nothing, WORDS.code] : [WORDS.toPay, WORDS.scan, WORDS.code];
}

const TICK_MS = 250;
/** The capitals of a claim's code are as wide as an amount with this many more characters. */
const WIDER_BY = 3;
/** The words of a receipt need as much room as an amount of this many characters. */
const RECEIPT_LETTERS = 9;

export class Picture {
  /** @type {HTMLElement} */
  #root;
  /** Language of this window; null: that of the device's setting. @type {Language | null} */
  #wanted;
  /** Language of the nodes in the page. @type {Language} */
  #language;
  #parts;
  #modules = 0;
  #shown = '';
  /** End of the payment by the browser's monotonic clock. @type {number | null} */
  #end = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #resizing;

  /** @param {HTMLElement} root @param {Language | null} [language] */
  constructor(root, language = null) {
    this.#root = root;
    this.#wanted = language;
    this.#language = language ?? 'both';
    this.#parts = codeParts(this.#language);
    root.classList.add('picture');
    root.replaceChildren(this.#parts.section, ...otherParts(this.#language));
    this.#resizing = new ResizeObserver(() => this.#fit());
    this.#resizing.observe(root);
    this.#view('clear');
  }

  /** Draws a state. @param {DisplayEvent} state @throws {TypeError} where it has a code without its drawing */
  show(state) {
    this.#speak(this.#wanted ?? state.language);
    this.#root.dataset.test = state.test ? 'yes' : 'no';
    this.#until(state.kind === 'qr' ? state.leftMs : undefined);
    if (state.kind === 'qr') this.#showCode(state);
    else this.#forget();
    this.#view((state.kind === 'status' && state.status) || state.kind);
    this.#fit();
  }

  /** Replaces the nodes where the language has changed. @param {Language} language */
  #speak(language) {
    if (this.#language === language) return;
    this.#language = language;
    this.#parts = codeParts(language);
    this.#shown = '';
    this.#root.replaceChildren(this.#parts.section, ...otherParts(language));
  }

  /** Shows that the device does not answer, in place of a state that may be outdated. */
  lose() {
    this.#forget();
    this.#until(undefined);
    this.#view('lost');
  }

  close() {
    this.#resizing.disconnect();
    clearInterval(this.#ticking);
  }

  /** @param {string} name */
  #view(name) {
    if (this.#root.dataset.view !== name) this.#root.dataset.view = name;
  }

  /** @param {DisplayEvent} state */
  #showCode(state) {
    if (state.qr === undefined) throw new TypeError('a code without its drawing');
    const { code, path, hint, amount, purpose, how, section } = this.#parts;
    const content = JSON.stringify([state.payload, state.amount, state.purpose, state.claim, state.receipt]);
    if (content === this.#shown) return;
    this.#shown = content;
    this.#modules = state.qr.size;
    code.setAttribute('viewBox', `0 0 ${state.qr.size} ${state.qr.size}`);
    path.setAttribute('d', state.qr.path);
    const { claim, receipt } = state;
    const [what, next, label] = wordsOf(state);
    fillWords(hint, what, this.#language);
    fillWords(how, next, this.#language);
    code.setAttribute('aria-label', label[languagesOf(this.#language)[0]]);
    amount.textContent = claim?.code ?? (state.amount === undefined ? '' : roubles(state.amount, this.#language));
    // the address is shown without its scheme: the device redirects a phone that uses http
    purpose.textContent = claim?.address.replace('https://', '') ?? receipt?.words ?? state.purpose ?? '';
    const isBare = receipt === undefined && amount.textContent === '' && purpose.textContent === '';
    section.classList.toggle('bare', isBare);
    section.classList.toggle('claim', claim !== undefined);
    section.classList.toggle('receipt', receipt !== undefined);
  }

  /** Removes the code from the page once it is not shown. */
  #forget() {
    this.#shown = '';
    const { path, amount, purpose } = this.#parts;
    path.removeAttribute('d');
    amount.textContent = '';
    purpose.textContent = '';
  }

  /** Starts the countdown. @param {number | undefined} leftMs undefined: there is none */
  #until(leftMs) {
    clearInterval(this.#ticking);
    this.#end = leftMs === undefined ? null : performance.now() + leftMs;
    this.#parts.left.classList.toggle('none', this.#end === null);
    this.#tick();
    if (this.#end !== null) this.#ticking = setInterval(() => this.#tick(), TICK_MS);
  }

  #tick() {
    const text = this.#end === null ? '' : clock(Math.max(0, this.#end - performance.now()));
    if (this.#parts.time.textContent !== text) this.#parts.time.textContent = text;
  }

  #fit() {
    if (this.#root.dataset.view !== 'qr') return;
    const { side, amount, section } = this.#parts;
    const capitals = section.classList.contains('claim') ? WIDER_BY : 0;
    const least = section.classList.contains('receipt') ? RECEIPT_LETTERS : 1;
    const letters = Math.max(least, (amount.textContent ?? '').length + capitals);
    fit(this.#root, { side, modules: this.#modules, letters, isBare: section.classList.contains('bare') });
  }
}
