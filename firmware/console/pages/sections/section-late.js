/**
 * Payments that somebody must look into, each with the button that says that it was done.
 * @import { ConsoleState, PaymentView } from '../../console-view.ts'
 */
import { call } from '../call.js';
import { element, fill, part, setText, tell } from '../dom.js';
import { formatRoubles } from '../money.js';
import { timeOf } from '../words.js';

/** @param {HTMLElement} root */
export function mountLate(root) {
  const list = part(root, 'ul');
  const more = part(root, '.more');
  const outcome = part(root, '.outcome');

  /** @param {HTMLButtonElement} button @param {string} orderId @param {string} note */
  async function acknowledge(button, orderId, note) {
    button.disabled = true;
    const problem = await call('/console/acknowledge', { orderId, note });
    if (problem === null) tell(outcome, 'good', '');
    else tell(outcome, 'bad', problem);
    button.disabled = problem === null;
  }

  /** @param {ReturnType<typeof lineOf>} line */
  function entry({ orderId, amount, detail }) {
    const button = element('button', { type: 'button' }, 'I have looked into it');
    const note = element('input', { type: 'text', maxLength: 500, placeholder: 'Who, and what came of it' });
    note.setAttribute('aria-label', `Note about ${amount}`);
    button.addEventListener('click', () => acknowledge(button, orderId, note.value));
    return element(
      'li',
      {},
      element('strong', {}, amount),
      note,
      button,
      element('span', { className: 'detail soft' }, detail),
    );
  }

  /** @param {PaymentView} payment */
  const lineOf = ({ orderId, amount, refunded, purpose, createdAt }) => {
    // who does not see it may give the money back a second time, in cash
    const back = refunded === 0 ? null : `${formatRoubles(refunded)} given back already`;
    const detail = [timeOf(new Date(createdAt)), purpose, back].filter(Boolean).join(' · ');
    return { orderId, amount: formatRoubles(amount), detail };
  };

  return {
    /** @param {ConsoleState} state */
    onState({ late, lateCount }) {
      root.hidden = late.length === 0;
      fill(list, late.map(lineOf), entry);
      setText(more, lateCount > late.length ? `And ${lateCount - late.length} more, which the export names.` : '');
    },
  };
}
