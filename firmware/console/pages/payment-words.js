/** States of a payment in plain words, with the look of their chip. */

const WORDS = {
  PENDING: ['Waiting for payment', 'open'],
  ACCEPTED: ['Paid', 'good'],
  REJECTED: ['Declined', 'bad'],
  CANCELED: ['Canceled', 'rest'],
  ERROR: ['Failed', 'bad'],
  STATIC: ['Shown, not followed', 'rest'],
};

/** @returns {[string, string]} */
export function paymentWords({ state, late, seen, onDisplay, leftMs }) {
  if (state === 'ACCEPTED' && late) return ['Paid late', 'open'];
  if (state === 'PENDING' && !seen) return ['Asking the bank', 'open'];
  if (state === 'PENDING' && leftMs === 0) return ['Time is up, asking the bank', 'open'];
  if (state === 'PENDING' && !onDisplay) return ['Open, not on the display', 'open'];
  return WORDS[state] ?? [state, 'rest'];
}

export const bankWords = (bank) => (bank === 'Static' ? 'Static code' : `${bank} bank`);

const SAME_DAY = { hour: '2-digit', minute: '2-digit', second: '2-digit' };

/** The browser's own time; with the date where it is not today's. */
export function timeOf(iso) {
  const moment = new Date(iso);
  const isToday = moment.toDateString() === new Date().toDateString();
  const time = moment.toLocaleTimeString('en-GB', SAME_DAY);
  return isToday ? time : `${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`;
}
