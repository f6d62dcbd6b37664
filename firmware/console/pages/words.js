/** Words that several sections of the page share. */

/** Begins as a sentence does and ends as one. @param {string} text */
export function sentence(text) {
  if (text === '') return '';
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** "4:05", or in hours and days where it is long. @param {number} ms */
export function countdown(ms) {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 1440)} days`;
}

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' };

/** The browser's own time; with the date where it is not today's. @param {Date} moment */
export function timeOf(moment) {
  const isToday = moment.toDateString() === new Date().toDateString();
  const time = moment.toLocaleTimeString('en-GB', CLOCK);
  return isToday ? time : `${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`;
}
