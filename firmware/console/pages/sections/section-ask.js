/**
 * Asks for a payment by hand, and clears the display.
 * @import { ConsoleState } from '../../console-view.ts'
 */
import { call, request } from '../call.js';
import { part, tell } from '../dom.js';
import { parseRoubles } from '../money.js';
import { sentence } from '../words.js';

/**
 * The press is not offered everywhere: where it is not, the device says what to do instead.
 * @param {ConsoleState['settings']} settings
 */
const firstStep = ({ setupRefusal }) => (setupRefusal === null ? 'Set this device up first.' : sentence(setupRefusal));

const IF_SILENT = 'Look at the latest payment before you ask again.';

/** What the words about a deed speak of. @param {Pick<ConsoleState, 'display' | 'payment'>} state */
const subjectOf = ({ display: { kind, payload, status }, payment }) =>
  JSON.stringify([kind, payload, status, payment?.orderId, payment?.state]);

/**
 * Whether what was said of a deed may stand: it may not once its subject has changed.
 * @param {string | null} before the subject when the deed began; news of it may still be on their way when it is done
 * @param {string} after the subject when the deed was done
 * @returns {(subject: string | null) => boolean}
 */
function claimOf(before, after) {
  let isHeard = false;
  return (subject) => {
    isHeard ||= subject === after;
    return subject === after || (!isHeard && subject === before);
  };
}

/** @returns {Promise<ConsoleState>} */
async function stateNow() {
  return await (await request('/console/state')).json();
}

/** @param {HTMLElement} root */
export function mountAsk(root) {
  const form = part(root, 'form');
  const amount = part(form, '[name=amount]', HTMLInputElement);
  const purpose = part(form, '[name=purpose]', HTMLInputElement);
  const clear = part(form, '[name=clear]');
  const outcome = part(root, '.outcome');
  const buttons = [...root.querySelectorAll('button')];
  let isReady = false;
  /** @type {string | null} */
  let said = null;
  /** @type {string | null} */
  let subject = null;
  /** @type {ReturnType<typeof claimOf> | null} */
  let holds = null;

  /** Takes a good outcome back. */
  function takeBack() {
    holds = null;
    if (outcome.dataset.kind === 'good') tell(outcome, 'busy', '');
  }

  /** @param {string} done @param {string | null} before */
  async function tellDone(done, before) {
    tell(outcome, 'good', done);
    try {
      holds = claimOf(before, subjectOf(await stateNow()));
      if (!holds(subject)) takeBack();
    } catch {
      takeBack(); // that the device does not answer is told by the page itself
    }
  }

  /** @param {string} busy @param {string} done @param {string} path @param {unknown} [body] */
  async function run(busy, done, path, body) {
    for (const button of buttons) button.disabled = true;
    takeBack();
    tell(outcome, 'busy', busy);
    const before = subject;
    const problem = await call(path, body, IF_SILENT);
    if (problem === null) await tellDone(done, before);
    else tell(outcome, 'bad', problem);
    for (const button of buttons) button.disabled = !isReady;
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
    /** @param {ConsoleState} state */
    onState(state) {
      subject = subjectOf(state);
      if (holds?.(subject) === false) takeBack();
      const { settings } = state;
      const isSetUp = settings.bank !== null;
      const needed = isSetUp ? '' : firstStep(settings);
      if (isSetUp === isReady && needed === said) return;
      isReady = isSetUp;
      said = needed;
      for (const button of buttons) button.disabled = !isReady;
      tell(outcome, 'busy', needed);
    },
    onLost: takeBack,
  };
}
