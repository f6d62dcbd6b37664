/**
 * What the calls of payments answer.
 * @import { Static } from 'typebox'
 * @import { PaymentAnswer, PaymentWithRefunds, PaymentsPage } from '../../../payments/http/payment-schemas.ts'
 * @import { ShiftAnswer, ShiftsPage as ShiftsPageAnswer } from '../../../payments/http/shift-routes.ts'
 * @import { ReconciliationAnswer } from '../../../payments/http/reconciliation-routes.ts'
 * @import { DayAnswer } from '../../../payments/http/report-routes.ts'
 */

/** @typedef {Static<typeof PaymentAnswer>} Payment */
/** @typedef {Static<typeof PaymentWithRefunds>} WholePayment */
/** @typedef {Static<typeof PaymentsPage>} Page */
/** @typedef {Static<typeof DayAnswer>} Day */
/** @typedef {Static<typeof ReconciliationAnswer>} Reconciliation */
/** @typedef {Reconciliation['differences'][number]} Difference */
/** @typedef {Reconciliation['lanes'][number]} LaneTotals */
/** @typedef {NonNullable<Reconciliation['days'][number]['arrival']>} Arrival */
/** @typedef {Static<typeof ShiftAnswer>} Shift */
/** @typedef {Shift['earlier'][number]} ShiftPayment */
/** @typedef {Static<typeof ShiftsPageAnswer>} ShiftsPage */
/** @typedef {ShiftsPage['shifts'][number]} ShiftHead */

export {};
