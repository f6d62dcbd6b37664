/**
 * Reasons of the device's parts in words, each with the one button or link that mends it.
 * @import { PartHealth } from '../../host/health.ts'
 * @import { Remedy, Step } from './remedies.js'
 */
import { html, useState } from '/console/assets/preact.js';
import { REMEDIES } from '/console/assets/remedies.js';
import { ask } from '../app/api.js';
import { has, t, time, useWords } from '../app/language.js';
import { hrefOf, isPage, routeOf } from '../app/route.js';
import { momentFormat } from '../app/writing.js';
import { Dialog } from './dialog.js';
import { Button, Folded, Outcome, useAction } from './parts.js';
import { LEADING } from './remedies.js';

const STEPS_OF_ONE = /** @type {const} */ ([1, 2, 3]);
const MICRO = 1000;
const SECOND_MS = 1000;

/** @template {object} Named @param {Named} named @param {PropertyKey} name @returns {name is keyof Named} */
const isOf = (named, name) => Object.hasOwn(named, name);

const setClock = () => {
  const now = Date.now();
  const json = { sec: Math.floor(now / SECOND_MS), usec: (now % SECOND_MS) * MICRO };
  return ask('/console/api/device/clock', { method: 'PUT', json });
};
const ACTIONS = {
  clock: setClock,
  sync: () => ask('/console/api/store/rounds', { method: 'POST' }),
  tryFile: () => ask('/console/api/device/configuration', { method: 'POST' }),
};

/** @param {{of: keyof typeof ACTIONS}} properties */
export function DoIt({ of }) {
  const { action, isBusy, run } = useAction();
  return html`<${Button} disabled=${isBusy} onClick=${() => run(ACTIONS[of], 'device.done')}>${t(`remedy.${of}`)}</${Button}>
    <${Outcome} action=${action} />`;
}

/** @param {{of: Step}} properties */
function ByHand({ of }) {
  const [isOpen, setOpen] = useState(false);
  return html`<button type="button" onClick=${() => setOpen(true)}>${t(`steps.${of}`)}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${t(`steps.${of}`)} onClose=${() => setOpen(false)}>
        <ol class="steps">${STEPS_OF_ONE.map((step) => html`<li>${t(`steps.${of}.${step}`)}</li>`)}</ol>
        <div class="buttons"><button type="button" class="primary" onClick=${() => setOpen(false)}>${t('device.understood')}</button></div>
      </${Dialog}>`
    }`;
}

/** @param {{remedy: Remedy}} properties */
function ByRemedy({ remedy }) {
  if (isOf(ACTIONS, remedy)) return html`<${DoIt} of=${remedy} />`;
  if (!isOf(LEADING, remedy)) return html`<${ByHand} of=${remedy} />`;
  const [page, ...path] = LEADING[remedy];
  const here = routeOf(location.hash);
  if (!isPage(page) || hrefOf(page, path) === hrefOf(here.page, here.path)) return null;
  return html`<a class="button" href=${hrefOf(page, path)}>${t(`remedy.${remedy}`)}</a>`;
}

/** Remedies that a cashier can do by hand. @type {readonly Remedy[]} */
const OF_CASHIERS = ['cable', 'network', 'supply', 'wait'];

/** @param {string} code */
export const isOfCashiers = (code) => OF_CASHIERS.some((remedy) => remedy === REMEDIES[code]);

/** The remedy of a reason; nothing where there is none. @param {{code: string}} properties */
function Mending({ code }) {
  const remedy = isOf(REMEDIES, code) ? REMEDIES[code] : undefined;
  return remedy === undefined ? null : html`<${ByRemedy} remedy=${remedy} />`;
}

/** Parameters that are days; `TIMES`: those that are times. */
const DAYS = new Set(['today', 'at']);
const TIMES = new Set(['says', 'known']);

/** @typedef {PartHealth['reasons'][number]} Reason */

/** @param {string} locale @param {Reason['about']} about */
function written(locale, about) {
  const day = momentFormat(locale, { dateStyle: 'long' });
  const write = (/** @type {string} */ name, /** @type {string | number} */ value) => {
    if (DAYS.has(name)) return day.format(new Date(value));
    if (TIMES.has(name)) return time(new Date(value));
    return name === 'role' ? t(value === 'till' ? 'device.role.till' : 'device.role.technician') : value;
  };
  return Object.fromEntries(Object.entries(about).map(([name, value]) => [name, write(name, value)]));
}

/**
 * A reason in words; a code of a later release or of a foreign driver has none.
 * @param {{reason: Reason, isMendable?: boolean}} properties `isMendable`: by the reader
 */
export function Said({ reason: { code, about }, isMendable = true }) {
  const { locale } = useWords();
  const key = `reason.${code}`;
  const { detail = '' } = about;
  return html`<div class="reason">
    <p>${has(key) ? t(key, written(locale, about)) : t('device.otherReason')}</p>
    ${isMendable ? html`<${Mending} code=${code} />` : html`<p>${t('lane.callTechnician')}</p>`}
    ${(detail !== '' || !has(key)) && html`<${Folded} code=${code} detail=${detail} />`}
  </div>`;
}

/** @param {{reasons: PartHealth['reasons']}} properties */
export const Reasons = ({ reasons }) => reasons.map((reason) => html`<${Said} key=${reason.code} reason=${reason} />`);
