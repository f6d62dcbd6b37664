/** Payments that somebody must look into, each with the button that says that it was done. */
import { call } from '../call.js';
import { element, fill, setText, tell } from '../dom.js';
import { formatRoubles } from '../money.js';
import { timeOf } from '../words.js';

export function mountLate(root) {
  const list = root.querySelector('ul');
  const [more, outcome] = ['.more', '.outcome'].map((name) => root.querySelector(name));

  async function acknowledge(button, orderId) {
    button.disabled = true;
    const problem = await call('/console/acknowledge', { orderId });
    if (problem === null) tell(outcome, 'good', '');
    else tell(outcome, 'bad', problem);
    button.disabled = problem === null;
  }

  function entry({ orderId, amount, detail }) {
    const button = element('button', { type: 'button' }, 'I have looked into it');
    button.addEventListener('click', () => acknowledge(button, orderId));
    return element(
      'li',
      {},
      element('strong', {}, amount),
      button,
      element('span', { className: 'detail soft' }, detail),
    );
  }

  const lineOf = ({ orderId, amount, purpose, createdAt }) => ({
    orderId,
    amount: formatRoubles(amount),
    detail: [timeOf(new Date(createdAt)), purpose].filter(Boolean).join(' · '),
  });

  return {
    onState({ late, lateCount }) {
      root.hidden = late.length === 0;
      fill(list, late.map(lineOf), entry);
      setText(more, lateCount > late.length ? `And ${lateCount - late.length} more, which the export names.` : '');
    },
  };
}
