/** What pages of other modules show of payments. */

export { Payments } from './payments.js';
export { DayField, useDay, useSales } from './totals.js';
