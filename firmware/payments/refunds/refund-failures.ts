/** Refusals of refunds by this device: the bank was not asked, and no money has gone back by the refund. */

import { isoTime } from '../../../drivers/lib/iso-time.ts';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { BankError } from '../../banks/index.ts';
import type { Refund } from '../model/refund.ts';
import { type ErrorDetails, type ErrorMember, TerminalError } from '../model/terminal-error.ts';

const refused = (member: ErrorMember<'Payments'>, message: string, details?: ErrorDetails): TerminalError =>
  TerminalError.of('Payments', member, message, details);

export const isStatic = (): TerminalError =>
  refused(
    'NotRefundable',
    'the payment was asked for with a static code, on which no bank reports: refund it in the account at the bank',
  );

export const isDamaged = (): TerminalError =>
  refused(
    'NotRefundable',
    'the storage has changed this payment, so that its amount cannot be trusted: refund it in the account at the bank',
  );

export const cannotRefund = (bank: string): TerminalError =>
  refused('NotRefundable', `${bank} gives no money back through its interface: refund it in the account at the bank`, {
    extra: { bank },
  });

/** @param left kopecks that may go back without a supervisor */
export const refundLimit = (amount: number, reason: 'refund' | 'day', left: number): TerminalError =>
  refused(
    'RefundLimit',
    reason === 'refund'
      ? `${amountInWords(amount)} are more than one refund may be without a supervisor: ${amountInWords(left)}. Send it again with supervisorPin`
      : `${amountInWords(amount)} are more than may still go back today without a supervisor: ${amountInWords(left)}. Send it again with supervisorPin`,
    { extra: { reason, left } },
  );

export const wrongSupervisorPin = (): TerminalError =>
  refused('WrongPin', 'this is not the PIN of a supervisor or technician', {
    field: 'supervisorPin',
  });

/** @param seconds until another PIN is accepted */
export const tooManyPins = (seconds: number): TerminalError =>
  refused('TooManyPins', `too many wrong PINs were sent: the next one is checked in ${seconds} s`, {
    extra: { seconds },
  });

/** @param kopecks that went back by no refund of the ledger */
export const refundsUnknown = (kopecks: number): TerminalError =>
  refused(
    'NotRefundable',
    `${amountInWords(kopecks)} of this payment have gone back of which this device has no refund: it was made elsewhere, or the ledger of refunds is lost, and this refund may be it; look in the account at the bank what has gone back, and refund the rest there`,
  );

export const exceedsPaid = (amount: number, left: number): TerminalError =>
  refused(
    'ExceedsPaid',
    left === 0
      ? 'all that was paid has gone back, or is on its way'
      : `${amountInWords(amount)} are more than what is left of the payment: ${amountInWords(left)}`,
    { extra: { left } },
  );

export const idConflict = ({ amount, orderId }: Refund): TerminalError =>
  refused(
    'IdConflict',
    `this id stands for another refund, of ${amountInWords(amount)} of the payment ${orderId}: use a new id for each refund`,
    { extra: { amount, payment: orderId } },
  );

export const refundNotFound = (tillId: string): TerminalError =>
  refused('RefundNotFound', `this payment has no refund "${tillId}"`);

/** @param from the time from which a person may decide it: wall clock, ms */
export const refundFollowed = ({ tillId }: Refund, from: number): TerminalError =>
  refused(
    'RefundFollowed',
    `the device is still asking the bank what became of the refund "${tillId}": a person may decide it from ${isoTime(from)} on, if the bank has not reported it by then`,
    { extra: { from: isoTime(from) } },
  );

/** The refund has its end: reported by the bank, or decided otherwise by a person. */
export const refundDecided = ({ tillId, state, decision }: Refund): TerminalError =>
  refused(
    'RefundDecided',
    `the refund "${tillId}" is ${state}${decision === null ? ' by the word of the bank' : ', as a person has decided'}: nothing is to be decided about it`,
    { extra: { state } },
  );

/** A person decides, or has decided, a refund that the bank reports as under way. */
export const refundUnderWay = ({ tillId, amount }: Refund): TerminalError =>
  refused(
    'RefundOpen',
    `the bank says that the refund "${tillId}" of ${amountInWords(amount)} of this payment is under way: it will report the outcome, ask again later`,
    { extra: { refund: tillId } },
  );

export const refundMade = ({ tillId, amount }: Refund): TerminalError =>
  refused(
    'RefundOpen',
    `the bank has made the refund "${tillId}" of ${amountInWords(amount)} of this payment, of which a person had decided that it was not: decide it again, and repeat this call if still more is to go back`,
    { extra: { refund: tillId } },
  );

/** The bank is silent about a refund that a person has decided to be refused: it may have made it. */
export const bankSilent = ({ tillId, amount }: Refund): BankError =>
  new BankError(
    'unreachable',
    `the bank does not report now the state of the refund "${tillId}" of ${amountInWords(amount)} of this payment, which a person has decided: nothing more goes back before it does, ask again later`,
  );

export const refundOpen = ({ tillId, amount, reason }: Refund): TerminalError =>
  refused(
    'RefundOpen',
    `it is not decided yet what became of the refund "${tillId}" of ${amountInWords(amount)} of this payment${reason === null ? '' : ` (${reason})`}: ask again later`,
    { extra: { refund: tillId } },
  );
