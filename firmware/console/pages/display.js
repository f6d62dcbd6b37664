/** The customer's screen: draws what the device says is shown now, and blanks itself when it can no longer know. */
import { follow } from './live.js';
import { formatRoubles } from './money.js';

/** Smaller whole modules would cost too much of the code's size: then it is scaled freely. */
const WHOLE_FROM_PIXELS = 4;

const section = document.querySelector('.qr');
const code = section.querySelector('.code');
const drawing = code.querySelector('path');
const words = section.querySelector('.words');
const amount = section.querySelector('.amount');
const purpose = section.querySelector('.purpose');
let modules = 0;

/** The room that the words leave, in whole device pixels a module where the code is not too fine for that. */
function fit() {
  if (document.body.dataset.view !== 'qr') return;
  const lying = innerWidth > innerHeight;
  const short = Math.min(innerWidth, innerHeight);
  const margins = 0.06 * short;
  const isBare = section.classList.contains('bare');
  const beside = isBare ? 0 : lying ? 0.42 * innerWidth : words.offsetHeight + 0.03 * short;
  const room = Math.min(innerWidth - margins - (lying ? beside : 0), innerHeight - margins - (lying ? 0 : beside));
  const pixels = (room * devicePixelRatio) / modules;
  const whole = pixels >= WHOLE_FROM_PIXELS ? Math.floor(pixels) : pixels;
  section.style.setProperty('--side', `${(whole * modules) / devicePixelRatio}px`);
}

function showCode(state) {
  modules = state.qr.size;
  code.setAttribute('viewBox', `0 0 ${modules} ${modules}`);
  drawing.setAttribute('d', state.qr.path);
  section.classList.toggle('bare', state.amount === undefined);
  amount.textContent = state.amount === undefined ? '' : formatRoubles(state.amount);
  section.style.setProperty('--letters', String(amount.textContent.length));
  purpose.textContent = state.purpose ?? '';
}

/** Nothing of a code stays in the page once it is not shown. */
function forgetCode() {
  drawing.removeAttribute('d');
  amount.textContent = '';
  purpose.textContent = '';
}

function show(view) {
  document.body.dataset.view = view;
}

follow('/display/events', {
  onState(state) {
    if (state.kind === 'qr') showCode(state);
    else forgetCode();
    show(state.kind === 'status' ? state.status : state.kind);
    fit();
  },
  onLost() {
    forgetCode();
    show('lost');
  },
});
addEventListener('resize', fit);
