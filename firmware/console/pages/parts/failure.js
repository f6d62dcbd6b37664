/** Why a payment has failed. @import { Static } from 'typebox' @import { FailureAnswer } from '../../../terminal/http/v1/payment-schemas.ts' @import { Sayer } from '../app/language.js' */
import { html } from '/console/assets/preact.js';
import { CallError, wordsOf } from '../app/api.js';
import { useWords } from '../app/language.js';

/** @typedef {Static<typeof FailureAnswer>} PaymentFailure */

/** Of displays, each wire has codes of its own; at a payment they come to the same. */
const DISPLAYS = ['SerialPort', 'BLEController', 'BLEInit', 'BLEService', 'Screen'];

/** What it means of a payment, where that is other than of a call. @param {Sayer} words @param {PaymentFailure} failure */
function whyOf(words, { code, detail }) {
  const [category = ''] = code.split('.');
  const own = DISPLAYS.includes(category) ? 'failed.display' : `failed.${code}`;
  return words.has(own) ? words.t(own) : wordsOf(words, new CallError(code, { detail }));
}

/** Why nothing is known of one that is open. @param {{silence: PaymentFailure}} properties */
export function Silence({ silence: { code, detail } }) {
  const words = useWords();
  return html`<p>${wordsOf(words, new CallError(code, { detail }))}</p>
    <p class="soft" lang="en">${detail}</p>`;
}

/** @param {{failure: PaymentFailure, isWhole?: boolean}} properties `isWhole`: the device's own sentence, too, for a person who looks for the cause */
export function Failure({ failure, isWhole = false }) {
  const words = useWords();
  return html`<div class="advice">
    <p>${whyOf(words, failure)}</p>
    ${isWhole && html`<p class="soft" lang="en">${failure.detail}</p>`}
  </div>`;
}
