/** Which item is taught: one that is known, or a new one. @import { Static } from 'typebox' @import { ItemAnswer, ItemsPage } from '../../../recognition/http/v1/schemas.ts' */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { Button, Outcome, useDeed } from '../parts/deed.js';
import { Card, Field, Nothing } from '../parts/parts.js';

/** Items that a phone has room for. */
const MOST_SHOWN = 8;

/** @typedef {Static<typeof ItemAnswer>} Item */
/** @typedef {{currentTarget: HTMLInputElement}} Typed */

/** @param {{plu: string}} properties what was sought, and is no item's */
function New({ plu }) {
  const { t } = useWords();
  const [name, setName] = useState('');
  const { deed, run } = useDeed();
  /** @param {Event} event */
  const make = async (event) => {
    event.preventDefault();
    const json = name.trim() === '' ? {} : { name: name.trim() };
    const isMade = await run(() => ask(`/v1/items/${encodeURIComponent(plu)}`, { method: 'PUT', json }));
    if (isMade) location.hash = hrefOf('teach', [plu]);
  };
  return html`<form onSubmit=${make}>
    <p>${t('teach.newWords', { plu })}</p>
    <${Field} id="new-name" label=${t('teach.name')}>
      ${(/** @type {object} */ wires) => html`<input ...${wires} autocomplete="off" value=${name} onInput=${(/** @type {Typed} */ { currentTarget }) => setName(currentTarget.value)} />`}
    </${Field}>
    <${Button} type="submit" disabled=${deed.stage === 'busy'}>${t('teach.new', { plu })}</${Button}>
    <${Outcome} deed=${deed} />
  </form>`;
}

/** @param {{item: Item}} properties */
function Row({ item }) {
  const { t } = useWords();
  return html`<li><a href=${hrefOf('teach', [item.id])}>
    <strong>${item.name ?? item.id}</strong><span class="soft">${item.plu}</span>
    <span class="soft count">${t('teach.pictures', { n: item.templates })}</span>
  </a></li>`;
}

export function Choosing() {
  const { t } = useWords();
  const [text, setText] = useState('');
  const sought = text.trim();
  const query = new URLSearchParams({ limit: String(MOST_SHOWN), ...(sought === '' ? {} : { search: sought }) });
  /** @type {import('../app/fetched.js').Fetched<Static<typeof ItemsPage>>} */
  const { data } = useFetched(`/v1/items?${query}`);
  const items = data?.items ?? [];
  const isKnown = items.some(({ id, plu }) => id === sought || plu === sought);
  return html`<${Card} id="choosing" title=${t('teach.which')}>
    <${Field} id="sought" label=${t('teach.sought')} help=${t('teach.soughtHelp')}>
      ${(/** @type {object} */ wires) => html`<input ...${wires} type="search" autocomplete="off" maxlength="64" value=${text} onInput=${(/** @type {Typed} */ { currentTarget }) => setText(currentTarget.value)} />`}
    </${Field}>
    <ul class="rows">${items.map((item) => html`<${Row} key=${item.id} item=${item} />`)}</ul>
    ${data !== null && items.length === 0 && sought === '' && html`<${Nothing}>${t('teach.noItems')}</${Nothing}>`}
    ${data !== null && sought !== '' && !isKnown && html`<${New} key=${sought} plu=${sought} />`}
  </${Card}>`;
}
