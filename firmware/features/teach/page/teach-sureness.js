/**
 * Shows how sure recognition was of pictures before they were learned and is after, and its present answer on the tray.
 * @import { Static } from 'typebox'
 * @import { Look } from '../../../core/pages/parts/parts.js'
 * @import { Now } from '../../../recognition/http/tray-schemas.ts'
 * @import { SurenessSchema } from '../../../recognition/http/uncertain-routes.ts'
 */
import { html } from '/console/assets/preact.js';
import { number, t } from '../../../core/pages/app/language.js';
import { Chip } from '../../../core/pages/parts/parts.js';
import { likelyOf, trayNow, useLooking } from '../../../recognition/pages/index.js';

/** @typedef {Static<typeof SurenessSchema>} Sureness */
/** @typedef {{before: Sureness, after: Sureness}} Judged */

/** Mean similarity; a picture unlike the item counts as 0. @param {readonly Sureness[]} all */
const meanOf = (all) => all.reduce((sum, { similarity }) => sum + Math.max(0, similarity ?? 0), 0) / all.length;
/** @param {readonly Sureness[]} all */
const certainOf = (all) => all.filter(({ certain }) => certain).length;

/** @param {{before: readonly Sureness[], after: readonly Sureness[]}} properties none of them empty */
export function Score({ before, after }) {
  const percent = (/** @type {readonly Sureness[]} */ all) =>
    number(meanOf(all), { style: 'percent', maximumFractionDigits: 0 });
  const line = (/** @type {readonly Sureness[]} */ all) =>
    html`<strong>${t('teach.sureOf', { n: certainOf(all), most: all.length })}</strong> <span class="soft">${t('teach.like', { percent: percent(all) })}</span>`;
  return html`<dl class="score">
    <div><dt>${t('teach.before')}</dt><dd>${line(before)}</dd></div>
    <div><dt>${t('teach.after')}</dt><dd>${line(after)}</dd></div>
  </dl>`;
}

const LOOK_EVERY_MS = 700;

const look = async () => ({ tray: await trayNow() });

/** @param {Now | null} tray @param {string} item that was taught @returns {[key: 'empty' | 'this' | 'other' | 'unsure' | 'unknown', look: Look, name: string] | null} null where the device does not say it */
function verdictOf(tray, item) {
  if (tray === null || tray.state === 'lost') return null;
  if (tray.state === 'empty') return ['empty', 'rest', ''];
  const [first] = likelyOf(tray);
  if (first === undefined) return ['unknown', 'bad', ''];
  const name = first.name ?? first.id;
  if (!tray.certain) return ['unsure', 'open', name];
  return first.id === item ? ['this', 'good', name] : ['other', 'bad', name];
}

/** @param {{item: string}} properties that was taught */
export function Verdict({ item }) {
  const { seen } = useLooking(look, LOOK_EVERY_MS);
  const verdict = verdictOf(seen?.tray ?? null, item);
  if (verdict === null) return null;
  const [key, colour, name] = verdict;
  return html`<p class="line" id="verdict" role="status"><span>${t('teach.verdict')}</span>
    <${Chip} look=${colour}>${t(`teach.verdict.${key}`, { name })}</${Chip}></p>`;
}
