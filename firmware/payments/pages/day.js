/** The day that a page is about: its totals, and the field that chooses it. @import { Day } from './types.js' */
import { html, useState } from '/console/assets/preact.js';
import { useDevice } from '../../core/pages/app/device.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { t } from '../../core/pages/app/language.js';
import { hrefOf, routeOf } from '../../core/pages/app/route.js';
import { zoneWords } from '../../core/pages/app/writing.js';
import { TextField } from '../../core/pages/parts/parts.js';

/**
 * @param {URLSearchParams} query @param {unknown} revision
 * @returns {{day: string, today: string, totals: Day | null, error: unknown}} today's where none is chosen; days are empty until the device has said which it is
 */
export function useDay(query, revision) {
  const chosen = query.get('day') ?? '';
  /** @type {import('../../core/pages/app/fetched.js').Fetched<Day>} */
  const { data, error } = useFetched(`/v1/reports/day${chosen === '' ? '' : `?day=${chosen}`}`, revision);
  return { day: chosen === '' ? (data?.day ?? '') : chosen, today: data?.today ?? '', totals: data, error };
}

/** Changes what the page is about, in its address: that is ahead of what is drawn. @param {Readonly<Record<string, string>>} changed */
export function seek(changed) {
  const { path, query } = routeOf(location.hash);
  location.hash = hrefOf('payments', path, { ...Object.fromEntries(query), ...changed });
}

/** Of this century or a later one: a year that is typed goes through 0002, 0020 and 0202. */
const WHOLE_DAY = /^2\d{3}-\d\d-\d\d$/;

/** @param {{day: string, today: string, label?: string, onDay?: (day: string) => void}} properties */
export function DayField({ day, today, label = t('find.day'), onDay = (day) => seek({ day }) }) {
  /** While the field has the focus: a day that comes meanwhile would take the digits of the next one. */
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const type = (/** @type {string} */ text) => {
    setTyped(text);
    if (text === '' || WHOLE_DAY.test(text)) onDay(text);
  };
  const zone = useDevice().state?.timeZone ?? '';
  return html`<${TextField} id="day" label=${label} help=${zone === '' ? '' : t('find.dayHelp', { zone: zoneWords(zone) })}
    type="date" max=${today === '' ? undefined : today} value=${typed ?? day} onText=${type} onBlur=${() => setTyped(null)} />`;
}
