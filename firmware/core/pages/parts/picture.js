/**
 * The customer's picture, drawn in a node of any size: the screen itself, and the console's small one.
 * @import { DisplayEvent } from '../../../console/display-view.ts'
 */
import { codeParts, otherParts, say } from './picture-parts.js';
import { clock, roubles, WORDS } from './picture-words.js';

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
function fit(root, { side, modules, letters, isBare }) {
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

/** @typedef {DisplayEvent['language']} Language */

const TICK_MS = 250;
/** Capitals are as wide as an amount of so many more characters. */
const WIDER_BY = 3;

export class Picture {
  /** @type {HTMLElement} */
  #root;
  /** In place of the device's own. @type {Language | null} */
  #language;
  #parts = codeParts();
  #modules = 0;
  #shown = '';
  /** By the browser's clock that no change of the time moves. @type {number | null} */
  #end = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #sized;

  /** @param {HTMLElement} root @param {Language | null} [language] */
  constructor(root, language = null) {
    this.#root = root;
    this.#language = language;
    root.classList.add('picture');
    root.dataset.language = language ?? 'both';
    root.replaceChildren(this.#parts.section, ...otherParts());
    this.#sized = new ResizeObserver(() => this.#fit());
    this.#sized.observe(root);
    this.#view('clear');
  }

  /** @param {DisplayEvent} state @throws {TypeError} where it cannot be drawn */
  show(state) {
    this.#root.dataset.language = this.#language ?? state.language;
    this.#root.dataset.test = state.test ? 'yes' : 'no';
    this.#until(state.kind === 'qr' ? state.leftMs : undefined);
    if (state.kind === 'qr') this.#showCode(state);
    else this.#forget();
    this.#view((state.kind === 'status' && state.status) || state.kind);
    this.#fit();
  }

  /** The device is lost: shows that in place of a state that may be outdated. */
  lose() {
    this.#forget();
    this.#until(undefined);
    this.#view('lost');
  }

  close() {
    this.#sized.disconnect();
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
    const content = JSON.stringify([state.payload, state.amount, state.purpose, state.claim, state.language]);
    if (content === this.#shown) return;
    this.#shown = content;
    this.#modules = state.qr.size;
    code.setAttribute('viewBox', `0 0 ${state.qr.size} ${state.qr.size}`);
    path.setAttribute('d', state.qr.path);
    const { claim } = state;
    const isPayment = state.amount !== undefined;
    say(hint, claim === undefined ? (isPayment ? WORDS.toPay : WORDS.nothing) : WORDS.claim);
    say(how, claim === undefined ? (isPayment ? WORDS.scan : WORDS.nothing) : WORDS.claimNext);
    amount.textContent =
      claim?.code ?? (state.amount === undefined ? '' : roubles(state.amount, this.#language ?? state.language));
    // a phone that leaves the scheme out is led there
    purpose.textContent = claim?.address.replace('https://', '') ?? state.purpose ?? '';
    section.classList.toggle('bare', amount.textContent === '');
    section.classList.toggle('claim', claim !== undefined);
  }

  /** Nothing of a code stays in the page once it is not shown. */
  #forget() {
    this.#shown = '';
    const { path, amount, purpose } = this.#parts;
    path.removeAttribute('d');
    amount.textContent = '';
    purpose.textContent = '';
  }

  /** @param {number | undefined} leftMs */
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
    const letters = Math.max(1, (amount.textContent ?? '').length + capitals);
    fit(this.#root, { side, modules: this.#modules, letters, isBare: section.classList.contains('bare') });
  }
}
