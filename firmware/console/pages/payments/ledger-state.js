/** The state of a payment of the ledger in plain words. @import { Payment } from './types.js' @import { WordKey } from '../app/language.js' @import { Look } from '../parts/parts.js' */

/** @type {Readonly<Partial<Record<Payment['state'], Look>>>} */
const LOOKS = { PENDING: 'open', ACCEPTED: 'good', REJECTED: 'bad', CANCELED: 'rest', ERROR: 'bad', STATIC: 'rest' };

/** @param {Payment} payment @returns {[WordKey, Look]} */
export function ledgerState({ state, amount, refunded, late, silence }) {
  if (state === 'ACCEPTED' && refunded >= amount) return ['payment.back', late ? 'open' : 'rest'];
  if (state === 'ACCEPTED' && refunded > 0)
    return late ? ['payment.latePartBack', 'open'] : ['payment.partBack', 'good'];
  if (state === 'ACCEPTED' && late) return ['payment.late', 'open'];
  if (state === 'PENDING' && silence !== null) return ['payment.silent', 'open'];
  return [`payment.${state}`, LOOKS[state] ?? 'rest'];
}
