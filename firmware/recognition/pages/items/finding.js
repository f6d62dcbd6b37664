/** Finds an item by its name or code, also one without a name. @import { Static } from 'typebox' @import { ItemAnswer, ItemsPage } from '../../http/v1/item-schemas.ts' */
import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { TextField } from '../../../core/pages/parts/parts.js';

/** The most items that are shown: a phone has room for no more. */
const MOST_SHOWN = 8;

/** @typedef {Pick<Static<typeof ItemAnswer>, 'id' | 'name' | 'plu' | 'templates'>} Item */
/** @typedef {{id: string, templates: number, named: boolean}} Learned */
/**
 * @param {{id: string, help: string, row: (item: Item) => unknown, fresh: (text: string, found: number) => unknown,
 * none?: unknown}} properties `row` draws an item; `fresh` offers the typed text, which is no item's code or name,
 * beside `found` items; `none` is shown where there are no items at all
 */
export function Finding({ id, help, row, fresh, none }) {
  const { state } = useDevice();
  const [text, setText] = useState('');
  const sought = text.trim();
  const query = new URLSearchParams({ limit: String(MOST_SHOWN), ...(sought === '' ? {} : { search: sought }) });
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Static<typeof ItemsPage>>} */
  const { data } = useFetched(`/v1/items?${query}`);
  const whole = new URLSearchParams({ code: sought, limit: String(MOST_SHOWN) });
  /**
   * Finds the item with exactly this code, which may be lost among longer codes.
   * @type {import('../../../core/pages/app/fetched.js').Fetched<Static<typeof ItemsPage>>}
   */
  const { data: exact } = useFetched(sought === '' ? null : `/v1/items?${whole}`);
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{items: readonly Learned[]}>} */
  const { data: learned } = useFetched('/v1/templates', state?.itemsRevision);
  // before the named items, because nobody finds them by a name
  const unnamed = (learned?.items ?? [])
    .filter(({ id, named }) => !named && id.includes(sought))
    .map(({ id, templates }) => ({ id, name: null, plu: id, templates }));
  const found = [...(exact?.items ?? []), ...unnamed, ...(data?.items ?? [])];
  const all = [...new Map(found.map((item) => [item.id, item])).values()];
  const isExact = (/** @type {Item} */ { id, plu, name }) =>
    [id, plu, name].some((known) => known?.toLowerCase() === sought.toLowerCase());
  const items = [...all.filter(isExact), ...all.filter((item) => !isExact(item))].slice(0, MOST_SHOWN);
  return html`<${TextField} id=${id} label=${t('finding.sought')} help=${help}
    type="search" maxlength=${LIMITS.itemId} value=${text} onText=${setText} />
    <ul class="rows">${items.map((item) => html`<li key=${item.id}>${row(item)}</li>`)}</ul>
    ${data !== null && learned !== null && items.length === 0 && sought === '' && none}
    ${data !== null && learned !== null && exact !== null && !all.some(isExact) && fresh(sought, items.length)}`;
}

/** An item in a row. @param {{item: Item}} properties */
export function ItemLine({ item }) {
  return html`<strong>${item.name ?? t('finding.noName')}</strong><span class="soft">${item.plu}</span>
    <span class="soft count">${t('finding.pictures', { n: item.templates })}</span>`;
}
