/**
 * The state of a payment in plain words, with the look of its chip, and the reason why a payment has failed.
 * @import { Static } from 'typebox'
 * @import { PaymentView } from '../../console/console-view.ts'
 * @import { FailureAnswer } from '../http/v1/payment-schemas.ts'
 * @import { Payment } from './types.js'
 * @import { Look } from '../../core/pages/parts/parts.js'
 * @import { Sayer, WordKey } from '../../core/pages/app/language.js'
 */
import { html } from '/console/assets/preact.js';
import { CallError, isOfDisplay, wordsOf } from '../../core/pages/app/api.js';
import { useWords } from '../../core/pages/app/language.js';
import { Folded } from '../../core/pages/parts/parts.js';

/** @type {Readonly<Partial<Record<PaymentView['state'], Look>>>} */
const LOOKS = { PENDING: 'open', ACCEPTED: 'good', REJECTED: 'bad', CANCELED: 'rest', ERROR: 'bad', STATIC: 'rest' };

/** @param {Pick<PaymentView, 'state' | 'amount' | 'refunded' | 'late'>} payment @returns {[WordKey, Look]} */
function words({ state, amount, refunded, late }) {
  if (state === 'ACCEPTED' && refunded >= amount) return ['payment.back', late ? 'open' : 'rest'];
  if (state === 'ACCEPTED' && refunded > 0)
    return late ? ['payment.latePartBack', 'open'] : ['payment.partBack', 'good'];
  if (state === 'ACCEPTED' && late) return ['payment.late', 'open'];
  return [`payment.${state}`, LOOKS[state] ?? 'rest'];
}

/**
 * Whether the bank has reported a state that the device cannot store: the payment may be paid.
 * @param {Pick<Payment, 'silence'>} payment
 */
export const isUnstored = ({ silence }) => silence?.code.startsWith('Internal.') === true;

/** @param {Payment} payment a payment of the ledger @returns {[WordKey, Look]} */
export function ledgerState(payment) {
  if (payment.state !== 'PENDING' || payment.silence === null) return words(payment);
  return [isUnstored(payment) ? 'payment.unstored' : 'payment.silent', 'open'];
}

/** @param {PaymentView} payment @returns {[WordKey, Look]} */
function openWords({ seen, awaited, onDisplay, leftMs }) {
  if (leftMs === null) return ['payment.unknown', 'rest'];
  if (!seen) return ['payment.asking', 'open'];
  if (leftMs === 0) return ['payment.timeUp', 'open'];
  if (onDisplay) return awaited ? ['payment.PENDING', 'open'] : ['payment.hungUp', 'open'];
  return ['payment.notShown', 'open'];
}

/**
 * @param {PaymentView} payment as of the last call
 * @param {boolean} isLive where false, an open payment may have ended meanwhile
 * @returns {[WordKey, Look]}
 */
export function stateOf(payment, isLive) {
  if (payment.state !== 'PENDING') return words(payment);
  return isLive ? openWords(payment) : ['payment.unknown', 'rest'];
}

// Why a payment has failed.

/** @typedef {Static<typeof FailureAnswer>} PaymentFailure */

/**
 * Words for a failed payment; those for a failed call where they mean the same.
 * @param {Sayer} words
 * @param {PaymentFailure} failure
 */
function whyOf(words, { code, detail }) {
  const own = isOfDisplay(code) ? 'failed.display' : `failed.${code}`;
  return words.has(own) ? words.t(own) : wordsOf(words, new CallError(code, { detail }));
}

/**
 * Why the state of an open payment is unknown.
 * @param {{silence: PaymentFailure, isUnstored: boolean}} properties `isUnstored`: the words already stand above
 */
export function Silence({ silence: { code, detail }, isUnstored }) {
  const words = useWords();
  return html`${!isUnstored && html`<p>${wordsOf(words, new CallError(code, { detail }))}</p>`}
    <${Folded} code=${code} detail=${detail} />`;
}

/** @param {{failure: PaymentFailure}} properties */
export function Failure({ failure }) {
  const words = useWords();
  return html`<div class="advice">
    <p>${whyOf(words, failure)}</p>
    <${Folded} code=${failure.code} detail=${failure.detail} />
  </div>`;
}
