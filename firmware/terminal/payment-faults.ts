/** Why a payment is given up, in the terminal's words. */
import { bankFailure } from './bank-calls.ts';
import { displayFailure } from './display-errors.ts';
import { ERROR_TABLE, TerminalError } from './errors.ts';
import type { PaymentRow } from './ledger.ts';
import type { PaymentFault } from './payment.ts';
import { storageFailure } from './storage-errors.ts';

/** Whatever a step of a payment failed with, in the terminal's words; an error that nobody foresaw comes back as it is. */
export const paymentFailure = (error: unknown): unknown =>
  displayFailure(bankFailure(storageFailure(error)), 'the code');

const unexpected = (message: string): TerminalError => TerminalError.of(500, 'Internal', 'UnexpectedError', message);

/** What the ledger and the till are told of a failure. */
export function faultOf(error: unknown): PaymentFault {
  const known = error instanceof TerminalError ? error : unexpected('the device failed; the reason stands in its log');
  return { category: known.category, code: known.errorCode, message: known.message };
}

export const RESTARTED: PaymentFault = faultOf(unexpected('the device restarted before the code was shown'));

export const cleared = (): TerminalError =>
  TerminalError.of(
    400,
    'RequestParams',
    'InvalidRequest',
    'the display was cleared before the code was shown; the payment was given up',
  );

export const previousPaid = (previous: PaymentRow): TerminalError =>
  TerminalError.of(
    400,
    'Bank',
    'PreviousPaid',
    `the payment of ${previous.amount} kopecks before this one has been paid (getDynamicQRStatus says ACCEPTED); ask again if another payment is wanted`,
  );

/** Whether a payment was given up because the one before it turned out paid: that one is then what the till must see. */
export const gaveWay = (fault: PaymentFault | null): boolean =>
  fault?.category === 'Bank' && fault.code === ERROR_TABLE.Bank.members.indexOf('PreviousPaid');

export const isPreviousPaid = (error: unknown): boolean => error instanceof TerminalError && gaveWay(faultOf(error));
