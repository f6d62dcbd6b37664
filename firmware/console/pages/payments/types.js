/**
 * What the calls of payments answer.
 * @import { Static } from 'typebox'
 * @import { PaymentAnswer, PaymentWithRefunds, PaymentsPage } from '../../../terminal/http/v1/payment-schemas.ts'
 * @import { RefundAnswer } from '../../../terminal/http/v1/refund-schemas.ts'
 * @import { DayAnswer } from '../../../terminal/http/v1/report-routes.ts'
 */

/** @typedef {Static<typeof PaymentAnswer>} Payment */
/** @typedef {Static<typeof PaymentWithRefunds>} WholePayment */
/** @typedef {Static<typeof PaymentsPage>} Page */
/** @typedef {Static<typeof RefundAnswer>} Refund */
/** @typedef {Static<typeof DayAnswer>} Day */

export {};
