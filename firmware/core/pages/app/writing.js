/** Writes money, times and spans as people write them. */

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_MIN = 60;
const LONG_H = 48;

/**
 * Formats already made: making one takes longer than writing hundreds of numbers.
 * @type {Map<string, Intl.NumberFormat>}
 */
const formats = new Map();

/** @param {string} locale @param {Intl.NumberFormatOptions} [options] */
function numberFormat(locale, options) {
  const key = locale + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** 123456789 kopecks is "1 234 567,89 ₽" in Russian. @param {string} locale @param {number} kopecks */
export const roublesIn = (locale, kopecks) =>
  numberFormat(locale, { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' }).format(kopecks / 100);

/**
 * Zone of all times: the device's, as its days, papers and files have. Undefined (the browser's) until it is known.
 * @type {string | undefined}
 */
let deviceZone;

/** @param {string} zone as `Europe/Moscow` */
export function writeTimesIn(zone) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    deviceZone = zone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    deviceZone = undefined; // an old browser does not know it
  }
}

/** @param {string} locale @param {Intl.DateTimeFormatOptions} options */
export const momentFormat = (locale, options) => new Intl.DateTimeFormat(locale, { timeZone: deviceZone, ...options });

/** The day of a moment, as `2026-11-21`. @param {Date} moment */
export const dayOf = (moment) => momentFormat('sv', { dateStyle: 'short' }).format(moment);

/**
 * "Europe/Moscow (UTC+03:00)"; the name alone for UTC, and for a zone that this browser does not know.
 * @param {string} zone
 */
export function zoneWords(zone) {
  const name = zone.replaceAll('_', ' ');
  if (zone === 'UTC') return name;
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts();
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${name} (${offset.replace('GMT', 'UTC').replace('-', '−')})`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return name;
  }
}

/**
 * Functions that write numbers, sizes and times in a language.
 * @param {() => string} localeOf
 * @param {(key: 'hoursMinutes', parameters: {hours: number, minutes: number}) => string} t its words
 */
export function writerOf(localeOf, t) {
  /** @param {number} value @param {Intl.NumberFormatOptions} [options] */
  const number = (value, options) => numberFormat(localeOf(), options).format(value);

  /** @param {number} value @param {'day' | 'hour' | 'minute'} unit @param {'short' | 'long'} [unitDisplay] */
  const span = (value, unit, unitDisplay = 'short') => number(value, { style: 'unit', unit, unitDisplay });

  /** The sign between roubles and kopecks, for typing. */
  const decimalSign = () => number(0.5, { minimumFractionDigits: 1 }).charAt(1);

  /** @param {number} bytes */
  function size(bytes) {
    const units = /** @type {const} */ (['byte', 'kilobyte', 'megabyte', 'gigabyte']);
    const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
    const fraction = { maximumFractionDigits: step === 0 ? 0 : 1 };
    return number(bytes / 1000 ** step, { style: 'unit', unit: units[step], unitDisplay: 'short', ...fraction });
  }

  /** A time in the device's zone, with the date where it is not today. @param {Date | string} moment */
  function time(moment) {
    const at = new Date(moment);
    const clock = /** @type {const} */ ({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
    const day = /** @type {const} */ ({ day: 'numeric', month: 'short' });
    const isToday = dayOf(at) === dayOf(new Date());
    return momentFormat(localeOf(), isToday ? clock : { ...day, ...clock }).format(at);
  }

  /** "4:05"; a long time in hours or days. @param {number} ms */
  function countdown(ms) {
    const seconds = Math.ceil(ms / SECOND_MS);
    const minutes = Math.floor(seconds / MINUTE_S);
    if (minutes < HOUR_MIN) return `${minutes}:${String(seconds % MINUTE_S).padStart(2, '0')}`;
    const hours = Math.floor(minutes / HOUR_MIN);
    if (hours < LONG_H) return t('hoursMinutes', { hours, minutes: minutes % HOUR_MIN });
    return span(Math.floor(hours / 24), 'day', 'long');
  }

  /** A running time in its two largest units. @param {number} seconds */
  function uptime(seconds) {
    const minutes = Math.floor(seconds / MINUTE_S);
    const hours = Math.floor(minutes / HOUR_MIN);
    const days = Math.floor(hours / 24);
    if (days > 0) return `${span(days, 'day')} ${span(hours % 24, 'hour')}`;
    return hours > 0 ? `${span(hours, 'hour')} ${span(minutes % HOUR_MIN, 'minute')}` : span(minutes, 'minute');
  }

  const roubles = (/** @type {number} */ kopecks) => roublesIn(localeOf(), kopecks);
  return { roubles, number, decimalSign, size, time, countdown, uptime };
}

/** A text as a sentence, with a capital letter and a full stop. @param {string} text */
export function sentence(text) {
  if (text === '') return '';
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
