/** Money, times and spans as people write them. @import { Sayer } from './language.js' */

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_MIN = 60;
const LONG_H = 48;

/** Making one takes longer than writing hundreds of numbers by it. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {string} locale @param {Intl.NumberFormatOptions} [options] */
function numberFormat(locale, options) {
  const key = locale + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** 123456789 kopecks is "1 234 567,89 ₽" in Russian. @param {{locale: string}} sayer @param {number} kopecks */
export function roubles({ locale }, kopecks) {
  return numberFormat(locale, { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' }).format(
    kopecks / 100,
  );
}

/** @param {Sayer} sayer @param {number} value @param {Intl.NumberFormatOptions} [options] */
export const number = ({ locale }, value, options) => numberFormat(locale, options).format(value);

/** What people call a bank. @param {Sayer} sayer @param {string} name as the device has it */
export function bankName({ t, has }, name) {
  const key = `bank.${name}`;
  return has(key) ? t(key) : name;
}

/** @param {Sayer} sayer @param {number} bytes */
export function size(sayer, bytes) {
  const units = /** @type {const} */ (['byte', 'kilobyte', 'megabyte', 'gigabyte']);
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return number(sayer, bytes / 1000 ** step, {
    style: 'unit',
    unit: units[step],
    unitDisplay: 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  });
}

/** @param {Date} one @param {Date} other */
const isSameDay = (one, other) => one.toDateString() === other.toDateString();

/** The browser's own time; with the date where it is not today's. @param {Sayer} sayer @param {Date | string} moment */
export function time({ locale }, moment) {
  const at = new Date(moment);
  const clock = /** @type {const} */ ({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const day = /** @type {const} */ ({ day: 'numeric', month: 'short' });
  return new Intl.DateTimeFormat(locale, isSameDay(at, new Date()) ? clock : { ...day, ...clock }).format(at);
}

/** "4:05", or in hours and days where it is long. @param {Sayer} sayer @param {number} ms */
export function countdown({ locale, t }, ms) {
  const seconds = Math.ceil(ms / SECOND_MS);
  const minutes = Math.floor(seconds / MINUTE_S);
  if (minutes < HOUR_MIN) return `${minutes}:${String(seconds % MINUTE_S).padStart(2, '0')}`;
  const hours = Math.floor(minutes / HOUR_MIN);
  if (hours < LONG_H) return t('hoursMinutes', { hours, minutes: minutes % HOUR_MIN });
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(
    Math.floor(hours / 24),
  );
}

/** How long something runs, in its two largest units. @param {Sayer} sayer @param {number} seconds */
export function uptime({ locale }, seconds) {
  const minutes = Math.floor(seconds / MINUTE_S);
  const hours = Math.floor(minutes / HOUR_MIN);
  const days = Math.floor(hours / 24);
  const unit = (/** @type {number} */ value, /** @type {'day' | 'hour' | 'minute'} */ name) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  if (days > 0) return `${unit(days, 'day')} ${unit(hours % 24, 'hour')}`;
  return hours > 0 ? `${unit(hours, 'hour')} ${unit(minutes % HOUR_MIN, 'minute')}` : unit(minutes, 'minute');
}

/** Begins as a sentence does and ends as one. @param {string} text */
export function sentence(text) {
  if (text === '') return '';
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
