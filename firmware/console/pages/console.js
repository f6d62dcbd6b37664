/** The operator's console. Each section is a module that mounts itself and is told every state of the device. */

import { follow } from './live.js';
import { mountAsk } from './section-ask.js';
import { mountCalls } from './section-calls.js';
import { mountHealth } from './section-health.js';
import { mountMirror } from './section-mirror.js';
import { mountPayment } from './section-payment.js';
import { mountRecent } from './section-recent.js';
import { mountSetup } from './section-setup.js';
import { mountStore } from './section-store.js';

const byId = (id) => document.getElementById(id);

const sections = [
  mountSetup(byId('setup')),
  mountAsk(byId('ask')),
  mountPayment(byId('payment')),
  mountMirror(byId('mirror')),
  mountHealth(byId('health'), byId('overall'), byId('about')),
  mountStore(byId('store')),
  mountRecent(byId('recent')),
  mountCalls(byId('calls')),
];

follow('/console/events', {
  onState(state) {
    document.body.dataset.live = 'yes';
    byId('lost').hidden = true;
    for (const update of sections) update(state);
  },
  onLost() {
    document.body.dataset.live = 'no';
    byId('lost').hidden = false;
  },
});
