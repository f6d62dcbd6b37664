/** What the device says of a part, worded by its codes. @import { PartHealth } from '../../../host/health.ts' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Folded } from '../parts/parts.js';
import { Mending } from './mending.js';

/** Parameters that are moments. */
const DAYS = new Set(['today', 'at']);
const TIMES = new Set(['says', 'known']);

/** @typedef {PartHealth['reasons'][number]} Reason */

/** @param {import('../app/language.js').Sayer} words @param {Reason['about']} about */
function written(words, about) {
  const day = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long' });
  const write = (/** @type {string} */ name, /** @type {string | number} */ value) => {
    if (DAYS.has(name)) return day.format(new Date(value));
    if (TIMES.has(name)) return words.time(new Date(value));
    return name === 'role' ? words.t(value === 'till' ? 'device.role.till' : 'device.role.technician') : value;
  };
  return Object.fromEntries(Object.entries(about).map(([name, value]) => [name, write(name, value)]));
}

/** A code of a later release, or of a driver of one's own, has no words. @param {{reason: Reason, isMendable?: boolean}} properties `isMendable`: by who reads it */
export function Said({ reason: { code, about }, isMendable = true }) {
  const words = useWords();
  const { t, has } = words;
  const key = `reason.${code}`;
  const { detail = '' } = about;
  return html`<div class="reason">
    <p>${has(key) ? t(key, written(words, about)) : t('device.otherReason')}</p>
    ${isMendable ? html`<${Mending} code=${code} />` : html`<p>${t('lane.callTechnician')}</p>`}
    ${(detail !== '' || !has(key)) && html`<${Folded} code=${code} detail=${detail} />`}
  </div>`;
}

/** @param {{reasons: PartHealth['reasons']}} properties */
export const Reasons = ({ reasons }) => reasons.map((reason) => html`<${Said} key=${reason.code} reason=${reason} />`);
