/** What pages of other modules show of payments. */

export { Payments } from './payments.js';
export { DayField, salesOf, useDay } from './totals.js';
