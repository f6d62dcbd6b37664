/**
 * The last payments, newest first.
 * @import { ConsoleState, PaymentView } from '../../console-view.ts'
 */
import { element, fill, part } from '../dom.js';
import { formatRoubles } from '../money.js';
import { paymentWords, unheard } from '../payment-words.js';
import { timeOf } from '../words.js';

/** @param {ReturnType<typeof lineOf>} line */
function entry({ amount, words, look, detail }) {
  return element(
    'li',
    {},
    element('strong', {}, amount),
    element('span', { className: `chip ${look}` }, words),
    element('span', { className: 'detail soft' }, detail),
  );
}

/** @param {PaymentView} payment */
function lineOf(payment) {
  const [words, look] = paymentWords(payment);
  const detail = [timeOf(new Date(payment.createdAt)), payment.purpose, payment.message].filter(Boolean).join(' · ');
  return { amount: formatRoubles(payment.amount), words, look, detail };
}

/** @param {HTMLElement} root */
export function mountRecent(root) {
  const list = part(root, 'ol');
  /** @type {readonly PaymentView[]} */
  let shown = [];

  /** @param {Pick<ConsoleState, 'recent'>} state */
  function onState({ recent }) {
    shown = recent;
    root.hidden = recent.length === 0;
    fill(list, recent.map(lineOf), entry);
  }

  return { onState, onLost: () => onState({ recent: shown.map(unheard) }) };
}
