/**
 * The list of thousands of items, of which only those on the screen are drawn. A row's place follows from its number
 * alone, so the window scrolls as if all were there; the row with the focus is always drawn.
 * @import { Good } from './shelf.js'
 * @import { Known } from './search.js'
 */
import { html, useEffect, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Chip } from '../../../core/pages/parts/parts.js';
import { Look, rateOf } from './hits.js';
import { isToReview } from './search.js';

/** How many rows beyond the screen are drawn, above and below. */
const BEYOND = 6;
/** How many rows are drawn before they are measured. */
const FIRST_ROWS = 20;

/** @typedef {{good: Good, known: Known, at: number, count: number, isGoing: boolean}} RowProperties */
const NAMES = /** @type {const} */ (['good', 'known', 'at', 'count', 'isGoing']);

/** @param {RowProperties} properties */
function Row({ good, known, at, count, isGoing }) {
  // the list caches this row, which therefore follows the language itself
  const { t, roubles, number } = useWords();
  const element = useRef(/** @type {HTMLLIElement | null} */ (null));
  useLayoutEffect(() => element.current?.style.setProperty('--at', String(at)), [at]);
  const rate = rateOf(known.hits.get(good.id));
  return html`<li ref=${element} aria-setsize=${count} aria-posinset=${at + 1}>
    <a href=${hrefOf('items', [good.id])} data-at=${at}>
      <${Look} good=${good} />
      <span class="what"><strong>${good.name ?? t('items.unnamed')}</strong><span class="soft">${good.plu} · ${t('finding.pictures', { n: good.templates })}</span></span>
      <span class="price">${good.price === null ? '' : roubles(good.price)}</span>
      <span class="rate">${rate === null ? '' : t('items.rate', { rate: number(rate, { style: 'percent' }) })}</span>
      <span class="marks">
        ${isGoing && html`<${Chip} look="bad">${t('items.going')}</${Chip}>`}
        ${!isGoing && isToReview(good.id, known.findings) && html`<${Chip} look="open">${t('items.toReview')}</${Chip}>`}
        ${!isGoing && good.templates === 0 && html`<${Chip} look="rest">${t('items.untaught')}</${Chip}>`}
      </span>
    </a>
  </li>`;
}

/** @param {HTMLElement} list @param {number} count @returns {[number, number]} the first row on the screen, and the one after the last */
function rowsOnScreen(list, count) {
  const { top, height } = list.getBoundingClientRect();
  const row = height / count;
  const first = Math.floor(-top / row);
  const last = Math.ceil((innerHeight - top) / row);
  return [Math.max(0, first - BEYOND), Math.min(count, Math.max(0, last) + BEYOND)];
}

/** @param {HTMLElement | null} list @param {number} count @returns {number} how many rows a screen holds, at least one */
function rowsOfPage(list, count) {
  const height = list?.getBoundingClientRect().height ?? 0;
  return height > 0 ? Math.max(1, Math.floor((innerHeight * count) / height)) : 1;
}

/** @param {{current: HTMLElement | null}} list @param {number} count @returns {[number, number]} */
function useRowsOnScreen(list, count) {
  const [rows, setRows] = useState(/** @type {[number, number]} */ ([0, FIRST_ROWS]));
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (list.current === null || count === 0) return;
      const next = rowsOnScreen(list.current, count);
      setRows((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
    };
    const follow = () => {
      frame ||= requestAnimationFrame(look);
    };
    follow();
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
    };
  }, [count]);
  return rows;
}

/** @type {Readonly<Record<string, (at: number, count: number, page: number) => number>>} */
const STEPS = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, _count, page) => at + page,
  PageUp: (at, _count, page) => at - page,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** @param {EventTarget | null} target @returns {number | null} */
const placeOf = (target) => {
  const row = target instanceof Element ? target.closest('[data-at]') : null;
  return row instanceof HTMLElement ? Number(row.dataset.at) : null;
};

/**
 * Caches the drawn rows: Preact does not draw a row again that is the same object.
 * @returns {(row: RowProperties) => unknown}
 */
function useDrawn() {
  /** @type {{current: Map<string, {row: RowProperties, drawn: unknown}>}} */
  const cache = useRef(new Map());
  /** @type {Map<string, {row: RowProperties, drawn: unknown}>} */
  const next = new Map();
  useLayoutEffect(() => {
    cache.current = next;
  });
  return (row) => {
    const { id } = row.good;
    const before = cache.current.get(id);
    const isSame = before !== undefined && NAMES.every((name) => before.row[name] === row[name]);
    const one = isSame ? before : { row, drawn: html`<${Row} key=${id} ...${row} />` };
    next.set(id, one);
    return one.drawn;
  };
}

/** @param {{goods: readonly Good[], known: Known, going: ReadonlySet<string>}} properties `going`: items that are deleted soon */
export function List({ goods, known, going }) {
  const element = useRef(/** @type {HTMLUListElement | null} */ (null));
  const count = goods.length;
  const [first, last] = useRowsOnScreen(element, count);
  const [focus, setFocus] = useState(/** @type {number | null} */ (null));
  const isAsked = useRef(false);
  const draw = useDrawn();
  useLayoutEffect(() => element.current?.style.setProperty('--count', String(count)), [count]);
  useLayoutEffect(() => {
    if (!isAsked.current || focus === null) return;
    isAsked.current = false;
    const row = element.current?.querySelector(`[data-at="${focus}"]`);
    if (row instanceof HTMLElement) row.focus();
  }, [focus]);
  /** @param {KeyboardEvent} event */
  const step = (event) => {
    const at = placeOf(event.target);
    const to = STEPS[event.key];
    if (at === null || to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    isAsked.current = true;
    setFocus(Math.min(count - 1, Math.max(0, to(at, count, rowsOfPage(element.current, count)))));
  };
  const shown = goods.slice(first, last).map((good, place) => ({ good, at: first + place }));
  const focused = focus === null ? undefined : goods[focus];
  if (focused !== undefined && focus !== null && (focus < first || focus >= last))
    shown.push({ good: focused, at: focus });
  return html`<ul
    ref=${element}
    class="shelf"
    aria-label=${t('items.list')}
    onKeyDown=${step}
    onFocusIn=${(/** @type {FocusEvent} */ { target }) => setFocus(placeOf(target))}
    onFocusOut=${() => setFocus(null)}
  >
    ${shown.map(({ good, at }) => draw({ good, known, at, count, isGoing: going.has(good.id) }))}
  </ul>`;
}
