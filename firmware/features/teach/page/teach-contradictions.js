/**
 * Where the answer was certain and a person took another item: for the person who looks after the items, not for the one who picked.
 * @import { ContradictionList } from '../../../recognition/http/contradiction-routes.ts'
 */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { roubles, t, time } from '../../../core/pages/app/language.js';
import { useSees } from '../../../core/pages/app/session.js';
import { Card } from '../../../core/pages/parts/parts.js';

/** @typedef {ContradictionList['contradictions'][number]} Contradiction */

/** @param {Contradiction['certain']} item */
const soldAs = ({ id, name, price }) =>
  html`<strong>${name ?? id}</strong> ${price !== null && html`<span class="price">${roubles(price)}</span>`}`;

/** @param {{one: Contradiction}} properties */
const Row = ({ one: { at, certain, taken, picture } }) =>
  html`<li class="line contradiction">
    ${picture !== null && html`<img src=${picture} alt="" decoding="async" />`}
    <span>
      <span class="line">${t('contradictions.certain')} ${soldAs(certain)}</span>
      <span class="line">${t('contradictions.taken')} ${soldAs(taken)}</span>
      <time class="soft" datetime=${at}>${time(at)}</time>
    </span>
  </li>`;

/** Nothing where there are none, or the person here does not look after the goods. */
export function Contradictions() {
  const { state } = useDevice();
  const maySee = useSees('items');
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<ContradictionList>} */
  const { data, error } = useFetched(maySee ? '/v1/contradictions' : null, state?.uncertain);
  const all = data?.contradictions ?? [];
  if (all.length === 0 && error === null) return null;
  return html`<${Card} id="contradictions" title=${t('contradictions.title')} error=${error}>
    <p class="soft">${t('contradictions.words')}</p>
    <ul class="rows">${all.map((one) => html`<${Row} key=${one.id} one=${one} />`)}</ul>
  </${Card}>`;
}
