/** What pages of other modules show of payments. */
export { DayField, useDay } from './day.js';
export { Payments } from './payments.js';
