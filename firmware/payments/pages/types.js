/**
 * Types of the answers of payments' calls.
 * @import { Static } from 'typebox'
 * @import { PaymentAnswer, PaymentWithRefunds, PaymentsPage } from '../http/v1/payment-schemas.ts'
 * @import { ShiftAnswer, ShiftsPage as ShiftsPageAnswer } from '../http/v1/shift-answer.ts'
 * @import { DayAnswer } from '../http/v1/report-routes.ts'
 */

/** @typedef {Static<typeof PaymentAnswer>} Payment */
/** @typedef {Static<typeof PaymentWithRefunds>} WholePayment */
/** @typedef {WholePayment['refunds'][number]} Refund */
/** @typedef {Static<typeof PaymentsPage>} Page */
/** @typedef {Static<typeof DayAnswer>} Day */
/** @typedef {Static<typeof ShiftAnswer>} Shift */
/** @typedef {Shift['earlier'][number]} ShiftPayment */
/** @typedef {Static<typeof ShiftsPageAnswer>} ShiftsPage */
/** @typedef {ShiftsPage['shifts'][number]} ShiftHead */

export {};
