/** The picture of an item: the one that the shop has put, else its oldest learned one. @import { Good } from './shelf.js' */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';

/** How long a row must stay before its picture is fetched: a scroll would ask for hundreds. */
const REST_MS = 150;

/** Found pictures by the item and its number of templates. @type {Map<string, Promise<string | null>>} */
const known = new Map();

/** @typedef {Pick<Good, 'id' | 'picture' | 'templates'>} Looked */

/** @param {Looked} good @returns {Promise<string | null>} a path on the device */
function lookOf({ id, picture, templates }) {
  if (picture !== null || templates === 0) return Promise.resolve(picture);
  const key = `${templates} ${id}`;
  const found =
    known.get(key) ??
    ask(`/v1/items/${encodeURIComponent(id)}/templates`).then(
      (/** @type {{templates: readonly {picture: string}[]}} */ { templates: [first] }) => first?.picture ?? null,
    );
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

/** @param {{good: Looked, restMs?: number}} properties */
export function Look({ good, restMs = REST_MS }) {
  const [path, setPath] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      lookOf(good).then(
        (found) => isOver || setPath(found),
        () => undefined, // the item is shown without one
      );
    }, restMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [good.id, good.picture, good.templates]);
  return html`<span class="look">${path !== null && html`<img src=${path} alt="" decoding="async" />`}</span>`;
}
