/** What pages of other modules show of payments. */

export { Failure, stateOf } from './payment-state.js';
export { Payments } from './payments.js';
export { DayField, useDay, useSales } from './totals.js';
