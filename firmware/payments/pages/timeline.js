/** What has happened to a payment, in the order in which it did. @import { WholePayment } from './types.js' @import { WordKey } from '../../core/pages/app/language.js' */
import { html } from '/console/assets/preact.js';
import { roubles, t, time } from '../../core/pages/app/language.js';

/**
 * @typedef {object} Step
 * @property {string} at ISO 8601
 * @property {WordKey} key
 * @property {number} [amount] kopecks
 * @property {string | null} [more]
 */

/** @param {WholePayment} payment @returns {Step[]} */
function stepsOf(payment) {
  /** @type {Step[]} */
  const steps = [{ at: payment.createdAt, key: 'step.asked', amount: payment.amount }];
  if (payment.paidAt !== null) steps.push({ at: payment.paidAt, key: 'step.paid' });
  if (payment.endedAt !== null && payment.state !== 'STATIC')
    steps.push({ at: payment.endedAt, key: `step.${payment.state}` });
  if (payment.receipt !== null) steps.push({ at: payment.receipt.at, key: 'step.receipt' });
  if (payment.acknowledgedAt !== null)
    steps.push({ at: payment.acknowledgedAt, key: 'step.lookedInto', more: payment.note });
  for (const refund of payment.refunds) {
    steps.push({ at: refund.createdAt, key: 'step.refundAsked', amount: refund.amount, more: refund.why });
    if (refund.endedAt !== null)
      steps.push({
        at: refund.endedAt,
        key: refund.state === 'done' ? 'step.refundDone' : 'step.refundRefused',
        amount: refund.amount,
        more: refund.reason,
      });
    else steps.push({ at: refund.createdAt, key: 'step.refundOpen', more: refund.reason });
  }
  return steps.sort((one, other) => one.at.localeCompare(other.at));
}

/** @param {{payment: WholePayment}} properties */
export function Timeline({ payment }) {
  return html`<ol class="timeline" aria-label=${t('step.all')}>
    ${stepsOf(payment).map(
      ({ at, key, amount, more }, index) => html`<li key=${index}>
        <time datetime=${at}>${time(at)}</time>
        <span>${t(key, { amount: amount === undefined ? '' : roubles(amount) })}${(more ?? '') !== '' && html` <span class="soft">${more}</span>`}</span>
      </li>`,
    )}
  </ol>`;
}
