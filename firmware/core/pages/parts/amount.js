/** Turns roubles that people type into the device's kopecks. Whole numbers only: no amount is ever rounded. */
import { LIMITS } from '/console/assets/limits.js';

export const LEAST_KOPECKS = 1;
export const MOST_KOPECKS = LIMITS.kopecks;

/** @param {string} text @returns {{kopecks: number} | {problem: 'empty' | 'shape' | 'least' | 'most'}} */
export function parseRoubles(text) {
  const plain = text.replaceAll(/[\s\u00a0\u202f₽]/g, '');
  if (plain === '') return { problem: 'empty' };
  const [, whole, part = ''] = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  if (whole === undefined) return { problem: 'shape' };
  const total = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  if (total < LEAST_KOPECKS) return { problem: 'least' };
  if (total > MOST_KOPECKS) return { problem: 'most' };
  return { kopecks: total };
}

/**
 * The field's text after a key of the keypad.
 * @param {string} text
 * @param {string} key a digit, a comma or point, or `back`
 */
export function typed(text, key) {
  if (key === 'back') return text.slice(0, -1);
  if (key === ',' || key === '.') return /[.,]/.test(text) ? text : `${text === '' ? '0' : text}${key}`;
  return /[.,]\d\d$/.test(text) ? text : `${text === '0' ? '' : text}${key}`;
}
