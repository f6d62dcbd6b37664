/**
 * The day that a page is about, as its address says: the field that chooses it, its totals, its hours as bars, and both
 * as files.
 * @import { DeviceState } from '../../core/pages/app/device-state.d.ts'
 * @import { Day } from './types.js'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { useDevice } from '../../core/pages/app/device.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { number, roubles, t, useWords } from '../../core/pages/app/language.js';
import { hrefOf, routeOf } from '../../core/pages/app/route.js';
import { zoneWords } from '../../core/pages/app/writing.js';
import { Card, TextField } from '../../core/pages/parts/parts.js';

/** Changes of one sale come close together: sums of sales are fetched once for all of them, after the code is shown. */
const SALE_MS = 500;

/** @param {DeviceState | null} state */
const salesOf = (state) =>
  JSON.stringify([
    state?.recent.map(({ orderId, state, refunded, late }) => [orderId, state, refunded, late]),
    state?.lateCount,
  ]);

/**
 * A text that changes a moment after one of the last payments has changed its state, or money of it has gone back. It does
 * not change with the display, nor with each second of a code's life.
 */
export function useSales() {
  const { state } = useDevice();
  const now = salesOf(state);
  const latest = useRef(now);
  latest.current = now;
  const [settled, setSettled] = useState(state === null ? null : now);
  const isBehind = settled !== null && settled !== now;
  useEffect(() => {
    if (settled === null && state !== null) setSettled(now);
    if (!isBehind) return;
    const timer = setTimeout(() => setSettled(latest.current), SALE_MS);
    return () => clearTimeout(timer);
  }, [isBehind, state === null]);
  return settled ?? now;
}

/**
 * @param {URLSearchParams} query @param {unknown} revision
 * @returns {{day: string, today: string, totals: Day | null, error: unknown}} `day`: the chosen one, else today;
 * empty until the device has answered, as `today` is
 */
export function useDay(query, revision) {
  const chosen = query.get('day') ?? '';
  /** @type {import('../../core/pages/app/fetched.js').Fetched<Day>} */
  const { data, error } = useFetched(`/v1/reports/day${chosen === '' ? '' : `?day=${chosen}`}`, revision);
  return { day: chosen === '' ? (data?.day ?? '') : chosen, today: data?.today ?? '', totals: data, error };
}

/**
 * Changes parameters in the address of the page. The others are read from the address, as what is drawn may be behind it.
 * @param {Readonly<Record<string, string>>} changed
 */
export function seek(changed) {
  const { path, query } = routeOf(location.hash);
  location.hash = hrefOf('payments', path, { ...Object.fromEntries(query), ...changed });
}

/** Of this century or a later one: a year that is typed goes through 0002, 0020 and 0202. */
const WHOLE_DAY = /^2\d{3}-\d\d-\d\d$/;

/** @param {{day: string, today: string, label?: string, onDay?: (day: string) => void}} properties */
export function DayField({ day, today, label = t('find.day'), onDay = (day) => seek({ day }) }) {
  /** The text while the field has the focus: a day set from outside would replace digits that are being typed. */
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const type = (/** @type {string} */ text) => {
    setTyped(text);
    if (text === '' || WHOLE_DAY.test(text)) onDay(text);
  };
  const zone = useDevice().state?.timeZone ?? '';
  return html`<${TextField} id="day" label=${label} help=${zone === '' ? '' : t('find.dayHelp', { zone: zoneWords(zone) })}
    type="date" max=${today === '' ? undefined : today} value=${typed ?? day} onText=${type} onBlur=${() => setTyped(null)} />`;
}

const SHOWN = /** @type {const} */ ([
  'accepted',
  'refunds',
  'open',
  'openBefore',
  'openRefunds',
  'notFollowed',
  'withoutReceipt',
]);

/**
 * @param {{name: string, of: {count: number, sum: number}, counted?: 'totals.count' | 'totals.refundCount'}} properties
 */
export function Sum({ name, of: { count, sum }, counted = 'totals.count' }) {
  return html`<div class="sum-of">
    <dt>${name}</dt>
    <dd><strong class="sum">${roubles(sum)}</strong> <span class="soft">${t(counted, { n: count, count: number(count) })}</span></dd>
  </div>`;
}

/** @param {{day: Day}} properties */
function Hours({ day: { hours, timeZone } }) {
  const most = Math.max(1, ...hours.map(({ sum }) => sum));
  return html`<h3 id="hours">${t('totals.hours')} <span class="soft">${timeZone}</span></h3>
  <ol class="hours" aria-labelledby="hours">
    ${hours.map(({ hour, count, sum }) => {
      const caption = t('totals.hour', { hour, n: count, count, sum: roubles(sum) });
      return html`<li key=${hour} title=${caption}>
        <svg viewBox="0 0 10 100" preserveAspectRatio="none" role="img" aria-label=${caption}>
          <rect x="1" width="8" y=${100 - (sum / most) * 100} height=${(sum / most) * 100} />
        </svg>
        <span aria-hidden="true">${hour % 3 === 0 ? hour : ''}</span>
      </li>`;
    })}
  </ol>`;
}

/** Formats of the files that most people do not need. */
const OTHER_FILES = /** @type {const} */ (['xlsx', 'csv-ru', 'csv', 'payments-csv-ru', 'payments']);

/**
 * A day or a shift on paper, and its payments for the accountant; its other files folded away.
 * @param {{file: (format: string) => string, to?: string}} properties `to`: the last day of the files of payments;
 * empty for none
 */
export function Papers({ file, to = '' }) {
  const { language } = useWords();
  const until = to === '' ? '' : `&to=${to}`;
  return html`<div class="buttons">
      <a class="button" href="${file('html')}&lang=${language}">${t('totals.print')}</a>
      <a class="button" href="${file('payments-xlsx')}&lang=${language}${until}" download>${t('totals.accountant')}</a>
    </div>
    <details id="other-files">
      <summary>${t('totals.moreFiles')}</summary>
      <ul class="rows">${OTHER_FILES.map((format) => html`<li key=${format}><a href="${file(format)}${format === 'xlsx' ? `&lang=${language}` : ''}${format.startsWith('payments') ? until : ''}" download>${t(`totals.file.${format}`)}</a></li>`)}</ul>
    </details>`;
}

/** Draws nothing where no bank has reported how a payment was made. @param {{methods: Day['methods']}} properties */
export function Methods({ methods }) {
  if (methods.every(({ method }) => method === 'unknown')) return null;
  return html`<h3 id="methods">${t('totals.methods')}</h3>
    <dl class="sums" aria-labelledby="methods">
      ${methods.map(({ method, ...of }) => html`<${Sum} key=${method} name=${t(`method.${method}`)} of=${of} />`)}
    </dl>`;
}

const DAY_MS = 24 * 3_600_000;
/** @param {string} first @param {string} last */
const daysFrom = (first, last) => (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;

/** @param {{day: Day}} properties */
function Figures({ day }) {
  const [to, setTo] = useState('');
  const file = (/** @type {string} */ format) => `/v1/reports/day?day=${day.day}&format=${format}`;
  const isPeriod = to === '' || (to >= day.day && daysFrom(day.day, to) <= LIMITS.reportDays);
  const more = SHOWN.filter((figure) => figure === 'accepted' || figure === 'refunds' || day.totals[figure].count > 0);
  return html`<dl class="sums">
      ${more.map((figure) => html`<${Sum} key=${figure} name=${t(`totals.${figure}`)} of=${day.totals[figure]} counted=${/refunds$/i.test(figure) ? 'totals.refundCount' : 'totals.count'} />`)}
      <div class="sum-of"><dt>${t('totals.net')}</dt><dd><strong class="sum net">${roubles(day.totals.net)}</strong></dd></div>
    </dl>
    <${Methods} methods=${day.methods} />
    <${Hours} day=${day} />
    <${TextField} id="to" label=${t('totals.to')} help=${t('totals.toHelp')} type="date" min=${day.day} max=${day.today} value=${to} problem=${isPeriod ? '' : t('totals.toWrong', { n: LIMITS.reportDays })} onText=${setTo} />
    ${isPeriod && html`<${Papers} file=${file} to=${to} />`}`;
}

/** @param {{query: URLSearchParams, revision: unknown, back: unknown}} properties */
export function Totals({ query, revision, back }) {
  const { day, today, totals, error } = useDay(query, revision);
  return html`<${Card} id="totals" title=${t('totals.title')} aside=${back} error=${error}>
    <${DayField} day=${day} today=${today} />
    ${totals !== null && totals.shifts.length > 0 && html`<p class="line links"><span>${t('totals.shifts')}</span>${totals.shifts.map((shift) => html`<a key=${shift} href=${hrefOf('payments', ['shifts', String(shift)])}>№ ${shift}</a>`)}</p>`}
    ${totals !== null && html`<${Figures} day=${totals} />`}
  </${Card}>`;
}
