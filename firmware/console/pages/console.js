/**
 * The operator's console. Each section is a module that mounts itself and answers `onState`, to be told every state of the
 * device, and where it shows what may change, `onLost`: it then takes back what nobody can vouch for any more.
 * @import { ConsoleState } from '../console-view.ts'
 */

import { part, setText } from './dom.js';
import { follow } from './live.js';
import { mountAsk } from './sections/section-ask.js';
import { mountAudit } from './sections/section-audit.js';
import { mountCalls } from './sections/section-calls.js';
import { mountCamera } from './sections/section-camera.js';
import { mountHealth } from './sections/section-health.js';
import { mountLate } from './sections/section-late.js';
import { mountMirror } from './sections/section-mirror.js';
import { mountPayment } from './sections/section-payment.js';
import { mountRecent } from './sections/section-recent.js';
import { mountSetup } from './sections/section-setup.js';
import { mountStore } from './sections/section-store.js';
import { timeOf } from './words.js';

/** @param {string} id */
const byId = (id) => part(document, `#${id}`);

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
