/** States of a payment in plain words, with the look of their chip. @import { PaymentView } from '../console-view.ts' */

/** @type {Readonly<Partial<Record<PaymentView['state'], [string, string]>>>} */
const WORDS = {
  PENDING: ['Waiting for payment', 'open'],
  ACCEPTED: ['Paid', 'good'],
  REJECTED: ['Declined', 'bad'],
  CANCELED: ['Canceled', 'rest'],
  ERROR: ['Failed', 'bad'],
  STATIC: ['Shown, not followed', 'rest'],
};

/**
 * What is left of a payment when the device no longer answers: an open one may have ended meanwhile.
 * @param {PaymentView} payment
 */
export const unheard = (payment) => ({ ...payment, leftMs: null, link: null });

/** Money that has gone back, looked into or not. @param {boolean} isPart @param {boolean} late @returns {[string, string]} */
function backWords(isPart, late) {
  if (isPart) return late ? ['Paid late, a part given back', 'open'] : ['Paid, a part given back', 'good'];
  return ['Given back', late ? 'open' : 'rest'];
}

/** @param {PaymentView} payment @returns {[string, string]} */
export function paymentWords({ state, amount, refunded, late, seen, awaited, onDisplay, leftMs }) {
  if (state === 'ACCEPTED' && refunded > 0) return backWords(refunded < amount, late);
  if (state === 'ACCEPTED' && late) return ['Paid late', 'open'];
  if (state === 'PENDING' && leftMs === null) return ['Not known now', 'rest'];
  if (state === 'PENDING' && !seen) return ['Asking the bank', 'open'];
  if (state === 'PENDING' && leftMs === 0) return ['Time is up, asking the bank', 'open'];
  if (state === 'PENDING' && onDisplay && !awaited) return ['Open, the till has hung up', 'open'];
  if (state === 'PENDING' && !onDisplay) return ['Open, not on the display', 'open'];
  return WORDS[state] ?? [state, 'rest'];
}

/** @param {string} bank */
export const bankWords = (bank) => (bank === 'Static' ? 'Static code' : `${bank} bank`);
