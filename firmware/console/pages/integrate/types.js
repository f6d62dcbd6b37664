/**
 * What the calls about calls answer.
 * @import { Static } from 'typebox'
 * @import { CallAnswer, CallsPage, SentAnswer } from '../../../terminal/http/v1/calls/call-schemas.ts'
 */

/** @typedef {Static<typeof CallsPage>} Calls */
/** @typedef {Calls['calls'][number]} Summary */
/** @typedef {Static<typeof CallAnswer>} WholeCall */
/** @typedef {NonNullable<WholeCall['request']>} Body */
/** @typedef {Static<typeof SentAnswer>} Sent */

export {};
