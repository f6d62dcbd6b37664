/**
 * The page of the device: a list of settings, each with a page of its own, as `#/device/updates`. On a wide screen the list stands beside it.
 * @import { Machine } from '../../api/machine-view.ts'
 * @import { Route } from '../../../core/pages/app/route.js'
 */
import { html, useLayoutEffect, useRef } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { featurePage } from '../../../core/pages/app/feature-pages.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { nameOf, t } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Card, Problem } from '../../../core/pages/parts/parts.js';
import { Access, Network } from './access.js';
import { Audit } from './audit.js';
import { Bank } from './bank.js';
import { Clock } from './clock.js';
import { Health, Sight } from './health.js';
import { Log } from './log.js';
import { Making } from './making.js';
import { Pins } from './pins.js';
import { Reset, Restart } from './power.js';
import { PuttingBack } from './putting-back.js';
import { Release } from './release.js';
import { Sessions } from './sessions.js';
import { isSection, Settings } from './settings.js';
import { ShopForm } from './shop.js';

/** @typedef {{machine: Machine, again: () => void}} Known */

/** @type {Readonly<Record<string, (known: Known) => unknown>>} */
const VIEWS = {
  bank: () => html`<${Bank} />`,
  shop: ({ again }) => html`<${Card} id="shop" title=${t('settings.shop')}><${ShopForm} onSaved=${again} /></${Card}>`,
  health: ({ machine }) => html`<div class="column"><${Health} /></div>
    <div class="column"><${Clock} machine=${machine} /><${Sight} /><${Restart} machine=${machine} /></div>`,
  updates: ({ machine, again }) => html`<${Release} machine=${machine} again=${again} />`,
  access: ({
    machine,
  }) => html`<div class="column"><${Network} machine=${machine} /><${Access} machine=${machine} /></div>
    <div class="column"><${Pins} /><${Sessions} /><${Audit} /></div>`,
  backup: () => html`<${Making} /><${PuttingBack} />`,
  log: () => html`<${Log} />`,
  advanced: ({ machine }) => html`<${Reset} machine=${machine} />`,
};

/** The keyboard goes along: into what was opened, and back to where it was opened. @param {string | null} open */
function useFocusOf(open) {
  const before = useRef(open);
  useLayoutEffect(() => {
    const left = before.current;
    before.current = open;
    if (left === open) return;
    const row = document.querySelector(`.settings a[href="${hrefOf('device', [left ?? ''])}"]`);
    const target = open === null ? row : document.getElementById('section');
    if (target instanceof HTMLElement) target.focus();
  }, [open]);
}

/** @param {{route: Route}} properties */
export function Device({ route }) {
  const { path } = route;
  const { state } = useDevice();
  const [name = ''] = path;
  const open = isSection(name) ? name : null;
  const parts = state?.health.parts ?? [];
  // the machine is read again after a restart, a step of the updater or a clock setting
  const relevant = parts.filter(({ part }) => part === 'update' || part === 'clock');
  const revision = JSON.stringify([state?.health.instance, relevant]);
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Machine>} */
  const { data: machine, error, again } = useFetched('/console/api/device', revision);
  useFocusOf(open);
  const problem = html`<${Problem} error=${error} />`;
  if (open === null) return html`${problem}<${Settings} machine=${machine} open=${null} />`;
  const Own = featurePage(open)?.View;
  return html`<div class="column opened">
    <${Settings} machine=${machine} open=${open} />
    <div id="section" class="column" tabindex="-1" role="group" aria-label=${nameOf('settings', open)}>
      <a class="back" href=${hrefOf('device')}><span aria-hidden="true">‹</span> ${t('settings.all')}</a>
      ${problem}
      ${machine !== null && html`<div class="columns">${Own === undefined ? VIEWS[open]?.({ machine, again }) : html`<${Own} route=${route} />`}</div>`}
    </div>
  </div>`;
}
