/**
 * What the calls about calls answer.
 * @import { Static } from 'typebox'
 * @import { CallAnswer, CallsPage } from '../../../features/call-log/routes.ts'
 */

/** @typedef {Static<typeof CallsPage>} Calls */
/** @typedef {Calls['calls'][number]} Summary */
/** @typedef {Static<typeof CallAnswer>} WholeCall */
/** @typedef {NonNullable<WholeCall['request']>} Body */

export {};
