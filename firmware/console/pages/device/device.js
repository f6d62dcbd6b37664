/**
 * The page of the device: what is wrong with it and what to do, its release, backups, clock, log and power, who may call it, who has done what.
 * @import { Machine } from '../../api/machine-view.ts'
 */
import { html } from '/console/assets/preact.js';
import { wordsOf } from '../app/api.js';
import { useDevice } from '../app/device.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { Access } from './access.js';
import { Audit } from './audit.js';
import { Clock, Modes } from './clock.js';
import { Health } from './health.js';
import { Log } from './log.js';
import { Making } from './making.js';
import { Pins } from './pins.js';
import { Power } from './power.js';
import { PuttingBack } from './putting-back.js';
import { Release } from './release.js';

export function Device() {
  const words = useWords();
  const { state } = useDevice();
  const parts = state?.health.parts ?? [];
  // the machine is read again after a restart, a step of the updater or a clock setting
  const relevant = parts.filter(({ part }) => part === 'update' || part === 'clock');
  const revision = JSON.stringify([state?.health.instance, relevant]);
  /** @type {import('../app/fetched.js').Fetched<Machine>} */
  const { data: machine, error, again } = useFetched('/console/api/device', revision);
  return html`<div class="columns">
    <div class="column">
      <${Health} />
      ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`}
      ${machine !== null && html`<${Release} machine=${machine} again=${again} /><${Clock} machine=${machine} /><${Modes} machine=${machine} />`}
      <${Making} /><${PuttingBack} />
    </div>
    <div class="column">
      <${Access} /><${Pins} /><${Log} /><${Audit} />
      ${machine !== null && html`<${Power} machine=${machine} />`}
    </div>
  </div>`;
}
