/** Finds an item by its name or its code. @import { Static } from 'typebox' @import { ItemAnswer, ItemsPage } from '../../../recognition/http/v1/schemas.ts' */
import { html, useState } from '/console/assets/preact.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { Field } from '../parts/parts.js';

/** Items that a phone has room for. */
const MOST_SHOWN = 8;

/** @typedef {Static<typeof ItemAnswer>} Item */
/** @typedef {{currentTarget: HTMLInputElement}} Typed */

/**
 * @param {{id: string, help: string, row: (item: Item) => unknown, fresh: (code: string, found: number) => unknown, none?: unknown}} properties
 *   `row` draws an item, `fresh` what is sought and is no item's code, beside so many that were found, `none` stands where there are no items at all
 */
export function Finding({ id, help, row, fresh, none }) {
  const { t } = useWords();
  const [text, setText] = useState('');
  const sought = text.trim();
  const query = new URLSearchParams({ limit: String(MOST_SHOWN), ...(sought === '' ? {} : { search: sought }) });
  /** @type {import('../app/fetched.js').Fetched<Static<typeof ItemsPage>>} */
  const { data } = useFetched(`/v1/items?${query}`);
  const items = data?.items ?? [];
  const isKnown = items.some(({ id: known, plu }) => known === sought || plu === sought);
  return html`<${Field} id=${id} label=${t('teach.sought')} help=${help}>
      ${(/** @type {object} */ wires) => html`<input ...${wires} type="search" autocomplete="off" maxlength="64" value=${text} onInput=${(/** @type {Typed} */ { currentTarget }) => setText(currentTarget.value)} />`}
    </${Field}>
    <ul class="rows">${items.map((item) => html`<li key=${item.id}>${row(item)}</li>`)}</ul>
    ${data !== null && items.length === 0 && sought === '' && none}
    ${data !== null && sought !== '' && !isKnown && fresh(sought, items.length)}`;
}

/** An item in a row. @param {{item: Item}} properties */
export function ItemLine({ item }) {
  const { t } = useWords();
  return html`<strong>${item.name ?? item.id}</strong><span class="soft">${item.plu}</span>
    <span class="soft count">${t('teach.pictures', { n: item.templates })}</span>`;
}
