/**
 * The page of the device: a list of settings, each with its own page, as `#/device/updates`. On a wide screen the list
 * stands beside the open page. Also the pages of its clock, its restart and its reset.
 * @import { Machine } from '../api/machine-routes.ts'
 * @import { Route } from '../../core/pages/app/route.js'
 */
import { html, useLayoutEffect, useRef } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { useDevice } from '../../core/pages/app/device.js';
import { featurePage } from '../../core/pages/app/feature-pages.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { nameOf, t, useWords } from '../../core/pages/app/language.js';
import { hrefOf } from '../../core/pages/app/route.js';
import { momentFormat, sentence, zoneWords } from '../../core/pages/app/writing.js';
import { SureButton } from '../../core/pages/parts/dialog.js';
import { Card, Chip, Outcome, Problem, useAction } from '../../core/pages/parts/parts.js';
import { DoIt } from '../../core/pages/parts/reasons.js';
import { Access, Network, Pins, Sessions } from './device/access.js';
import { Making, PuttingBack } from './device/backup.js';
import { Health, Sight } from './device/health.js';
import { Audit, Log } from './device/log.js';
import { Release } from './device/release.js';
import { isSection, Settings } from './device/settings.js';
import { ShopForm } from './device/shop.js';
import { BankStep } from './welcome/bank-step.js';
import { BackToTest, readSetUp } from './welcome/settings.js';

// Restart, deletion of everything learned, and reset.

/** @typedef {'reboot' | 'forget' | 'reset'} Action */

/** @type {Readonly<Record<Action, (name: string) => Promise<unknown>>>} */
const ACTIONS = {
  reboot: () => ask('/console/api/device/reboot', { method: 'POST' }),
  forget: () => ask('/v1/templates', { method: 'DELETE' }),
  reset: (name) => ask('/console/api/device/reset', { method: 'POST', json: { name } }),
};

/** @param {{of: readonly Action[], kind: 'plain' | 'danger', machine: Machine}} properties */
function Actions({ of, kind, machine: { name } }) {
  const { action, isBusy, run } = useAction();
  const typed = kind === 'danger' ? { label: t('power.type', { name }), name } : undefined;
  return html`<div class="buttons">
      ${of.map(
        (
          each,
        ) => html`<${SureButton} key=${each} kind=${kind} disabled=${isBusy} go=${t(`power.${each}`)} title=${t(`power.${each}Sure`)}
          words=${t(`power.${each}Words`)} typed=${typed} onYes=${() => run(() => ACTIONS[each](name), `power.${each}Begun`)} />`,
      )}
    </div>
    <${Outcome} action=${action} />`;
}

/** The machine's watchdog and root file system, and its restart. @param {{machine: Machine}} properties */
function Restart({ machine }) {
  const { watchdog, writableRoot } = machine.guards;
  return html`<${Card} id="power" title=${t('power.title')}>
    <dl class="facts">
      ${watchdog !== null && html`<dt>${t('power.watchdog')}</dt><dd>${t(watchdog ? 'modes.on' : 'modes.off')}</dd>`}
      ${writableRoot !== null && html`<dt>${t('power.root')}</dt><dd>${t(writableRoot ? 'power.writable' : 'power.readOnly')}</dd>`}
    </dl>
    ${machine.managed ? html`<${Actions} of=${['reboot']} kind="plain" machine=${machine} />` : html`<p class="soft">${t('power.byHand')}</p>`}
  </${Card}>`;
}

/** @param {{machine: Machine}} properties */
function Reset({ machine }) {
  const { managed } = machine;
  return html`<${Card} id="reset" title=${t('power.lost')}>
    ${!managed && html`<p class="soft">${t('power.resetByHand')}</p>`}
    <${Actions} of=${managed ? ['forget', 'reset'] : ['forget']} kind="danger" machine=${machine} />
  </${Card}>`;
}

// The device's clock, the source of its time, and its zone.

/** Largest normal difference between the clocks of a browser and its device. */
const APART_MS = 60_000;

/** @param {{machine: Machine}} properties */
function Clock({ machine: { clock } }) {
  const { locale } = useWords();
  const { now, zone, behindSeconds, source } = clock;
  const isBelieved = behindSeconds === 0 && source !== 'none';
  const isApart = Math.abs(Date.now() - Date.parse(now)) > APART_MS;
  const format = momentFormat(locale, { dateStyle: 'long', timeStyle: 'medium' });
  return html`<${Card} id="clock" title=${t('clock.title')}>
    <p class="line"><time datetime=${now}>${format.format(new Date(now))}</time>
      <${Chip} look=${isBelieved ? 'good' : 'open'}>${t(isBelieved ? 'clock.believed' : 'clock.doubted')}</${Chip}></p>
    <dl class="facts">
      <dt>${t('clock.source')}</dt><dd>${t(`clock.source.${source}`)}</dd>
      <dt>${t('clock.zone')}</dt><dd>${zoneWords(zone)} <a href=${hrefOf('device', ['shop'])}>${t('clock.toZone')}</a></dd>
    </dl>
    ${isApart && html`<p class="problem">${t('clock.apart')}</p><${DoIt} of="clock" />`}
  </${Card}>`;
}

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

/**
 * Moves the focus: into the page that was opened, and back to its row when it is closed.
 * @param {string | null} open
 */
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
  // the machine is fetched again after a restart, a step of the updater or a change of the clock
  const relevant = parts.filter(({ part }) => part === 'update' || part === 'clock');
  const revision = JSON.stringify([state?.health.instance, relevant]);
  /** @type {import('../../core/pages/app/fetched.js').Fetched<Machine>} */
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

/** The bank's settings of a device that is set up: password, certificates, another bank. */
function Bank() {
  const settings = useDevice().state?.settings;
  const { data, error, again } = useFetched('set-up', settings?.bank, readSetUp);
  const saving = useAction();
  const isReal = settings != null && settings.bank !== null && settings.bank !== 'Sandbox';
  return html`<${Card} id="bank" title=${t('settings.bank')} error=${error}>
    ${settings?.bank === 'Sandbox' && html`<p>${sentence(t('test.bank'))}</p>`}
    ${data !== null && html`<${BankStep} key=${data.settings.bankProfile} forms=${data.forms} settings=${data.settings} saving=${saving} onSaved=${again} />`}
    ${isReal && settings.sandbox && html`<${BackToTest} onDone=${again} />`}
  </${Card}>`;
}
