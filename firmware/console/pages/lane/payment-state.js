/** The state of a payment in plain words, with the look of its chip. @import { PaymentView } from '../../console-view.ts' @import { WordKey } from '../app/language.js' @import { Look } from '../parts/parts.js' */

/** @type {Readonly<Partial<Record<PaymentView['state'], Look>>>} */
const LOOKS = { PENDING: 'open', ACCEPTED: 'good', REJECTED: 'bad', CANCELED: 'rest', ERROR: 'bad', STATIC: 'rest' };

/** Money that has gone back, looked into or not. @param {boolean} isPart @param {boolean} late @returns {[WordKey, Look]} */
function backWords(isPart, late) {
  if (isPart) return late ? ['payment.latePartBack', 'open'] : ['payment.partBack', 'good'];
  return ['payment.back', late ? 'open' : 'rest'];
}

/** @param {PaymentView} payment @returns {[WordKey, Look]} */
function openWords({ seen, awaited, onDisplay, leftMs }) {
  if (leftMs === null) return ['payment.unknown', 'rest'];
  if (!seen) return ['payment.asking', 'open'];
  if (leftMs === 0) return ['payment.timeUp', 'open'];
  if (onDisplay) return awaited ? ['payment.PENDING', 'open'] : ['payment.hungUp', 'open'];
  return ['payment.notShown', 'open'];
}

/** @param {PaymentView} payment @param {boolean} isLive an open one may have ended meanwhile where the device does not answer @returns {[WordKey, Look]} */
export function stateOf(payment, isLive) {
  const { state, amount, refunded, late } = payment;
  if (state === 'ACCEPTED' && refunded > 0) return backWords(refunded < amount, late);
  if (state === 'ACCEPTED' && late) return ['payment.late', 'open'];
  if (state === 'PENDING') return isLive ? openWords(payment) : ['payment.unknown', 'rest'];
  return [`payment.${state}`, LOOKS[state] ?? 'rest'];
}
