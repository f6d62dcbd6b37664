/**
 * The customer's screen: draws what the device says is shown now, and blanks itself when it can no longer know.
 * @import { DisplayEvent } from '../display-view.ts'
 */
import { part } from './dom.js';
import { follow } from './live.js';
import { formatRoubles } from './money.js';

/** Below that a whole number would cost too much of the code's size: then it is scaled freely. */
const WHOLE_FROM_PIXELS = 2;
/** Of the width of a lying panel, for the words beside the code; as in the style sheet. */
const WORDS_SHARE = 0.44;
const FILLED_SHARE = 0.98;
/** A code of capitals is as wide as an amount of so many more characters. */
const WIDER_BY = 3;

const section = part(document, '.qr');
const code = part(section, '.code', SVGElement);
const drawing = part(code, 'path', SVGElement);
const words = part(section, '.words');
const hint = part(section, '.hint');
const how = part(section, '.how');
const amount = part(section, '.amount');
const purpose = part(section, '.purpose');
let modules = 0;

/** The largest square that the words leave, in whole device pixels a module: uneven modules scan badly. */
function fit() {
  if (document.body.dataset.view !== 'qr') return;
  const isLying = innerWidth > innerHeight;
  const beside = section.classList.contains('bare') ? 0 : isLying ? WORDS_SHARE * innerWidth : words.offsetHeight;
  const room = Math.min(innerWidth - (isLying ? beside : 0), innerHeight - (isLying ? 0 : beside)) * FILLED_SHARE;
  const pixels = (room * devicePixelRatio) / modules;
  const even = pixels >= WHOLE_FROM_PIXELS ? Math.floor(pixels) : pixels;
  section.style.setProperty('--side', `${(even * modules) / devicePixelRatio}px`);
}

/** What is said beside a code. @param {DisplayEvent} state */
function wordsOf({ amount: kopecks, purpose: what = '', claim }) {
  if (claim !== undefined)
    return {
      before: 'Код для техника',
      large: claim.code,
      below: claim.address.replace('https://', ''), // a phone that leaves it out is led there
      after: 'Откройте адрес на телефоне',
    };
  const large = kopecks === undefined ? '' : formatRoubles(kopecks);
  return { before: 'К оплате', large, below: what, after: 'Наведите камеру телефона на код' };
}

/** @param {DisplayEvent} state */
function showCode(state) {
  if (state.qr === undefined) throw new TypeError('a code without its drawing');
  modules = state.qr.size;
  code.setAttribute('viewBox', `0 0 ${modules} ${modules}`);
  drawing.setAttribute('d', state.qr.path);
  const { before, large, below, after } = wordsOf(state);
  section.classList.toggle('bare', large === '');
  hint.textContent = before;
  amount.textContent = large;
  const capitals = state.claim === undefined ? 0 : WIDER_BY;
  section.style.setProperty('--letters', String(large.length + capitals));
  purpose.textContent = below;
  how.textContent = after;
}

/** Nothing of a code stays in the page once it is not shown. */
function forgetCode() {
  drawing.removeAttribute('d');
  amount.textContent = '';
  purpose.textContent = '';
}

/** @param {string} view */
function show(view) {
  document.body.dataset.view = view;
}

follow('/display/events', {
  /** @param {DisplayEvent} state */
  onState(state) {
    if (state.kind === 'qr') showCode(state);
    else forgetCode();
    show((state.kind === 'status' && state.status) || state.kind);
    fit();
  },
  onLost() {
    forgetCode();
    show('lost');
  },
});
addEventListener('resize', fit);
