/**
 * The operator's console. Each section is a module that mounts itself and answers `onState`, to be told every state of the
 * device, and where it shows what may change, `onLost`: it then takes back what nobody can vouch for any more.
 */

import { setText } from './dom.js';
import { follow } from './live.js';
import { mountAsk } from './section-ask.js';
import { mountAudit } from './section-audit.js';
import { mountCalls } from './section-calls.js';
import { mountCamera } from './section-camera.js';
import { mountHealth } from './section-health.js';
import { mountLate } from './section-late.js';
import { mountMirror } from './section-mirror.js';
import { mountPayment } from './section-payment.js';
import { mountRecent } from './section-recent.js';
import { mountSetup } from './section-setup.js';
import { mountStore } from './section-store.js';
import { timeOf } from './words.js';

const byId = (id) => document.getElementById(id);

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
let lostAt = null;

follow('/console/events', {
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
