/** How sure recognition was of pictures before they were learned, and is after. @import { Static } from 'typebox' @import { SurenessSchema } from '../../../recognition/http/uncertain-schemas.ts' */
import { html } from '/console/assets/preact.js';
import { number, t } from '../../../core/pages/app/language.js';

/** @typedef {Static<typeof SurenessSchema>} Sureness */
/** @typedef {{before: Sureness, after: Sureness}} Judged */

/** Of what is like nothing of the item, nothing. @param {readonly Sureness[]} all */
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
