/**
 * The operator's console. Each section is a module that mounts itself and answers `onState`, to be told every state of the
 * device, and where it shows what may change, `onLost`: it then takes back what nobody can vouch for any more.
 * @import { ConsoleState } from '../console-view.ts'
 * @import { DisplayStateView } from '../display-view.ts'
 */
import { call } from './call.js';
import { part, setText, tell } from './dom.js';
import { follow } from './live.js';
import { formatRoubles } from './money.js';
import { mountAsk } from './sections/section-ask.js';
import { mountAudit } from './sections/section-audit.js';
import { mountCalls } from './sections/section-calls.js';
import { mountCamera } from './sections/section-camera.js';
import { mountHealth } from './sections/section-health.js';
import { mountLate } from './sections/section-late.js';
import { mountPayment } from './sections/section-payment.js';
import { mountRecent } from './sections/section-recent.js';
import { mountStore } from './sections/section-store.js';
import { timeOf } from './words.js';

/** @param {string} id */
const byId = (id) => part(document, `#${id}`);

/** The one press that sets a fresh device up. @param {HTMLElement} root */
function mountSetup(root) {
  const button = part(root, 'button', HTMLButtonElement);
  const outcome = part(root, '.outcome');
  button.addEventListener('click', async () => {
    button.disabled = true;
    tell(outcome, 'busy', 'Setting up…');
    const problem = await call('/console/setup');
    button.disabled = false;
    if (problem === null) tell(outcome, 'good', 'Set up.');
    else tell(outcome, 'bad', problem);
  });
  return {
    /** @param {ConsoleState} state */
    onState({ settings }) {
      const offered = settings.setupRefusal === null;
      const hadFocus = root.contains(document.activeElement);
      root.hidden = !offered;
      if (!offered && hadFocus) part(document, '#ask input').focus();
    },
  };
}

/** @param {DisplayStateView} display */
function captionOf({ kind, status, amount }) {
  if (kind === 'clear') return 'A blank screen';
  if (kind === 'status') return status === 'success' ? 'The success symbol' : 'The failure symbol';
  return amount === undefined ? 'A code without an amount' : `A code to pay ${formatRoubles(amount)}`;
}

/** The customer's screen in small, and in words: a calm black frame must not look like a broken one. @param {HTMLElement} root */
function mountMirror(root) {
  const caption = part(root, '.caption');
  const advice = part(root, '.advice');
  return {
    /** @param {ConsoleState} state */
    onState({ display, settings }) {
      setText(caption, captionOf(display));
      const isOut = settings.display !== null && display.display.state !== 'ready';
      setText(advice, isOut ? 'The display itself is not connected now: see Health.' : '');
    },
    onLost() {
      setText(caption, '');
      setText(advice, '');
    },
  };
}

/** @type {readonly {onState(state: ConsoleState): void, onLost?: () => void}[]} */
const sections = [
  mountSetup(byId('setup')),
  mountAsk(byId('ask')),
  mountPayment(byId('payment')),
  mountMirror(byId('mirror')),
  mountHealth(byId('health'), byId('overall'), byId('about')),
  mountCamera(byId('camera')),
  mountStore(byId('store')),
  mountLate(byId('late')),
  mountRecent(byId('recent')),
  mountAudit(byId('audit')),
  mountCalls(byId('calls')),
];

const banner = byId('lost');
/** @type {string | null} */
let lostAt = null;

follow('/console/events', {
  /** @param {ConsoleState} state */
  onState(state) {
    document.body.dataset.live = 'yes';
    banner.hidden = true;
    lostAt = null;
    for (const section of sections) section.onState(state);
  },
  onLost() {
    document.body.dataset.live = 'no';
    lostAt ??= timeOf(new Date());
    setText(banner, `The device does not answer, since ${lostAt}. This page goes on by itself as soon as it does.`);
    banner.hidden = false;
    for (const section of sections) section.onLost?.();
  },
});
