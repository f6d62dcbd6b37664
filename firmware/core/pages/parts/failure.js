/** Why a payment has failed. @import { Static } from 'typebox' @import { FailureAnswer } from '../../../payments/http/payment-schemas.ts' @import { Sayer } from '../app/language.js' */
import { html } from '/console/assets/preact.js';
import { CallError, isOfDisplay, wordsOf } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Folded } from './parts.js';

/** @typedef {Static<typeof FailureAnswer>} PaymentFailure */

/** What it means of a payment, where that is other than of a call. @param {Sayer} words @param {PaymentFailure} failure */
function whyOf(words, { code, detail }) {
  const own = isOfDisplay(code) ? 'failed.display' : `failed.${code}`;
  return words.has(own) ? words.t(own) : wordsOf(words, new CallError(code, { detail }));
}

/** Why nothing is known of one that is open. @param {{silence: PaymentFailure, isUnstored: boolean}} properties `isUnstored`: what is to be said of that stands above */
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
