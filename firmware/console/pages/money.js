/** Roubles as people write them, kopecks as the device counts them. Whole numbers only: no amount is ever rounded. */

const MIN_KOPECKS = 1;
const MAX_KOPECKS = 100_000_000;

/** @param {string} text @returns {{kopecks: number, problem?: undefined} | {kopecks?: undefined, problem: string}} */
export function parseRoubles(text) {
  const plain = text.replaceAll(/[\s\u00a0\u202f₽]/g, '');
  if (plain === '') return { problem: 'Type an amount in roubles, as 123,45.' };
  const [, roubles, kopecks = ''] = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  if (roubles === undefined) return { problem: 'Write the amount in roubles and kopecks, as 123,45.' };
  const total = Number(roubles) * 100 + Number(kopecks.padEnd(2, '0'));
  if (total < MIN_KOPECKS) return { problem: `The least amount is ${formatRoubles(MIN_KOPECKS)}.` };
  if (total > MAX_KOPECKS) return { problem: `The largest amount is ${formatRoubles(MAX_KOPECKS)}.` };
  return { kopecks: total };
}

/** 123456789 is "1 234 567,89 ₽", with spaces that do not break. @param {number} kopecks */
export function formatRoubles(kopecks) {
  const digits = String(kopecks).padStart(3, '0');
  const roubles = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0');
  return `${roubles},${digits.slice(-2)}\u00a0₽`;
}
