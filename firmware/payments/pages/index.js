/** The parts of payments' pages that pages of other modules use. */

export { Failure, stateOf } from './payment-state.js';
export { Payments } from './payments.js';
export { DayField, useDay, useSales } from './totals.js';
