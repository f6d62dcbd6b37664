/** States of the payment system (NSPK) that banks pass on as they are. */
import type { BankVerdict } from './bank.ts';

export const NO_OPERATION = 'NTST';
/** NTST no operation yet, RCVD and ACTC in work, ACWP done, RJCT refused. */
const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  [NO_OPERATION, 'pending'],
  ['RCVD', 'processing'],
  ['ACTC', 'processing'],
  ['ACWP', 'accepted'],
  ['RJCT', 'rejected'],
]);
export const nspkVerdict = (state: string): BankVerdict => VERDICTS.get(state) ?? 'processing';
