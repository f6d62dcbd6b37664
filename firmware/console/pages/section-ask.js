/** Asks for a payment by hand, and clears the display. */
import { call } from './call.js';
import { tell } from './dom.js';
import { parseRoubles } from './money.js';
import { sentence } from './words.js';

/** The press is not offered everywhere: where it is not, the device says what to do instead. */
const firstStep = ({ setupRefusal }) => (setupRefusal === null ? 'Set this device up first.' : sentence(setupRefusal));

export function mountAsk(root) {
  const form = root.querySelector('form');
  const { amount, purpose, clear } = form.elements;
  const outcome = root.querySelector('.outcome');
  const buttons = [...root.querySelectorAll('button')];
  let isReady = false;
  let said = null;

  async function run(busy, done, path, body) {
    for (const button of buttons) button.disabled = true;
    tell(outcome, 'busy', busy);
    const problem = await call(path, body);
    for (const button of buttons) button.disabled = !isReady;
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
      const isSetUp = settings.bank !== null;
      const needed = isSetUp ? '' : firstStep(settings);
      if (isSetUp === isReady && needed === said) return;
      isReady = isSetUp;
      said = needed;
      for (const button of buttons) button.disabled = !isReady;
      tell(outcome, 'busy', needed);
    },
    onLost() {
      if (outcome.dataset.kind === 'good') tell(outcome, 'busy', '');
    },
  };
}
