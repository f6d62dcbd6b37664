/**
 * The customer's picture, drawn in a node of any size: the screen itself, and the console's small one.
 * @import { DisplayEvent } from '../../../console/display-view.ts'
 */
import { fit } from './picture-fit.js';
import { codeParts, otherParts, say } from './picture-parts.js';
import { clock, roubles, WORDS } from './picture-words.js';

/** @typedef {DisplayEvent['language']} Language */

const TICK_MS = 250;
/** Capitals are as wide as an amount of so many more characters. */
const WIDER_BY = 3;
const EMPTY = { ru: '', en: '' };

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
    say(hint, claim === undefined ? (isPayment ? WORDS.toPay : EMPTY) : WORDS.claim);
    say(how, claim === undefined ? (isPayment ? WORDS.scan : EMPTY) : WORDS.claimNext);
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
