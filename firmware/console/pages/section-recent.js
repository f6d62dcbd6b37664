/** The last payments, newest first. */
import { element, fill } from './dom.js';
import { formatRoubles } from './money.js';
import { paymentWords, timeOf } from './payment-words.js';

function entry({ amount, words, look, detail }) {
  return element(
    'li',
    {},
    element('strong', {}, amount),
    element('span', { className: `chip ${look}` }, words),
    element('span', { className: 'detail soft', title: detail }, detail),
  );
}

function lineOf(payment) {
  const [words, look] = paymentWords(payment);
  const detail = [timeOf(payment.createdAt), payment.purpose, payment.message].filter(Boolean).join(' · ');
  return { amount: formatRoubles(payment.amount), words, look, detail };
}

export function mountRecent(root) {
  const list = root.querySelector('ol');
  return ({ recent }) => {
    root.hidden = recent.length === 0;
    fill(list, recent.map(lineOf), entry);
  };
}
