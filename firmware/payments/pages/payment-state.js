/**
 * The state of a payment in plain words, with the look of its chip, and the reason why a payment has failed.
 * @import { Static } from 'typebox'
 * @import { FailureAnswer } from '../http/v1/payment-schemas.ts'
 * @import { Payment } from './types.js'
 * @import { Look } from '../../core/pages/parts/parts.js'
 * @import { Translator, WordKey } from '../../core/pages/app/language.js'
 */
import { html } from '/console/assets/preact.js';
import { CallError, isOfDisplay, wordsOf } from '../../core/pages/app/api.js';
import { useWords } from '../../core/pages/app/language.js';
import { Folded } from '../../core/pages/parts/parts.js';

/** @typedef {Pick<Payment, 'state' | 'amount' | 'refunded' | 'late'>} Held */
/**
 * @typedef {object} Waited what is known of a payment while somebody waits for it
 * @property {boolean} seen whether a customer may have seen its code
 * @property {boolean} awaited whether a till waits for its outcome
 * @property {boolean} onDisplay whether its code is on the display
 * @property {number | null} leftMs how long it can still be paid
 */

/** @type {Readonly<Partial<Record<Payment['state'], Look>>>} */
const LOOKS = { PENDING: 'open', ACCEPTED: 'good', REJECTED: 'bad', CANCELED: 'rest', ERROR: 'bad', STATIC: 'rest' };

/** @param {Held} payment @returns {[WordKey, Look]} */
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

/** @param {Waited} payment @returns {[WordKey, Look]} */
function openWords({ seen, awaited, onDisplay, leftMs }) {
  if (leftMs === null) return ['payment.unknown', 'rest'];
  if (!seen) return ['payment.asking', 'open'];
  if (leftMs === 0) return ['payment.timeUp', 'open'];
  if (onDisplay) return awaited ? ['payment.PENDING', 'open'] : ['payment.hungUp', 'open'];
  return ['payment.notShown', 'open'];
}

/**
 * @param {Held & Waited} payment as of the last call
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
 * @param {Translator} words
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
