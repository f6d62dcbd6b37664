/** Asks for a payment by hand, and clears the display. */
import { call } from './call.js';
import { tell } from './dom.js';
import { parseRoubles } from './money.js';

const NOT_SET_UP = 'Set this device up first.';

export function mountAsk(root) {
  const form = root.querySelector('form');
  const { amount, purpose, clear } = form.elements;
  const outcome = root.querySelector('.outcome');
  const buttons = [...root.querySelectorAll('button')];
  let configured = false;

  async function run(busy, done, path, body) {
    for (const button of buttons) button.disabled = true;
    tell(outcome, 'busy', busy);
    const problem = await call(path, body);
    for (const button of buttons) button.disabled = !configured;
    if (problem === null) tell(outcome, 'good', done);
    else tell(outcome, 'bad', problem);
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { kopecks, problem } = parseRoubles(amount.value);
    amount.setAttribute('aria-invalid', String(problem !== undefined));
    if (problem !== undefined) {
      tell(outcome, 'bad', problem);
      amount.focus();
      return;
    }
    const text = purpose.value.trim();
    const body = { amount: kopecks, ...(text === '' ? {} : { purpose: text }) };
    await run('Asking the bank…', 'The customer sees the QR code.', '/console/payment', body);
  });
  clear.addEventListener('click', () => run('Clearing…', 'The display is clear.', '/console/clear'));

  return {
    onState({ settings }) {
      const now = settings.bank !== null;
      if (now === configured && outcome.textContent !== '') return;
      configured = now;
      for (const button of buttons) button.disabled = !configured;
      if (!configured) tell(outcome, 'busy', NOT_SET_UP);
      else if (outcome.textContent === NOT_SET_UP) tell(outcome, 'busy', '');
    },
    onLost() {
      if (outcome.dataset.kind === 'good') tell(outcome, 'busy', '');
    },
  };
}
