/** Why a refund is refused here. It was not sent to the bank then, and no money has gone back by it. */
import { amountInWords } from '../../../drivers/lib/money.ts';
import { BankError } from '../banks/bank.ts';
import { TerminalError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import type { Refund } from './refund.ts';

export const isStatic = (): TerminalError =>
  TerminalError.of(
    'Payments',
    'NotRefundable',
    'the payment was asked for with a static code, on which no bank reports: refund it in the account at the bank',
  );

export const isDamaged = (): TerminalError =>
  TerminalError.of(
    'Payments',
    'NotRefundable',
    'the storage has changed this payment, so that its amount cannot be trusted: refund it in the account at the bank',
  );

export const cannotRefund = (bank: string): TerminalError =>
  TerminalError.of(
    'Payments',
    'NotRefundable',
    `${bank} gives no money back through its interface: refund it in the account at the bank`,
    { extra: { bank } },
  );

/** @param left kopecks that may go back without a supervisor */
export const refundLimit = (amount: number, reason: 'refund' | 'day', left: number): TerminalError =>
  TerminalError.of(
    'Payments',
    'RefundLimit',
    reason === 'refund'
      ? `${amountInWords(amount)} are more than one refund may be without a supervisor: ${amountInWords(left)}. Send it again with supervisorPin`
      : `${amountInWords(amount)} are more than may still go back today without a supervisor: ${amountInWords(left)}. Send it again with supervisorPin`,
    { extra: { reason, left } },
  );

export const wrongSupervisorPin = (): TerminalError =>
  TerminalError.of('Payments', 'WrongPin', 'this is not the PIN of a supervisor or technician', {
    field: 'supervisorPin',
  });

/** @param seconds for which no PIN is looked at */
export const tooManyPins = (seconds: number): TerminalError =>
  TerminalError.of(
    'Payments',
    'TooManyPins',
    `too many wrong PINs were sent: the next one is looked at in ${seconds} s`,
    { extra: { seconds } },
  );

/** @param kopecks that have gone back by no refund of the ledger */
export const refundsUnknown = (kopecks: number): TerminalError =>
  TerminalError.of(
    'Payments',
    'NotRefundable',
    `${amountInWords(kopecks)} of this payment have gone back of which this device has no refund: it was made elsewhere, or the ledger of refunds is lost; look in the account at the bank what has gone back, and refund the rest there`,
  );

export const exceedsPaid = (amount: number, left: number): TerminalError =>
  TerminalError.of(
    'Payments',
    'ExceedsPaid',
    left === 0
      ? 'all that was paid has gone back, or is on its way'
      : `${amountInWords(amount)} are more than what is left of the payment: ${amountInWords(left)}`,
    { extra: { left } },
  );

export const idConflict = ({ amount, orderId }: Refund): TerminalError =>
  TerminalError.of(
    'Payments',
    'IdConflict',
    `this id stands for another refund, of ${amountInWords(amount)} of the payment ${orderId}: use a new id for each refund`,
    { extra: { amount, payment: orderId } },
  );

export const refundNotFound = (tillId: string): TerminalError =>
  TerminalError.of('Payments', 'RefundNotFound', `this payment has no refund "${tillId}"`);

/** @param patienceMs after which a person may decide it */
export const refundFollowed = ({ tillId, createdAt }: Refund, patienceMs: number): TerminalError =>
  TerminalError.of(
    'Payments',
    'RefundFollowed',
    `the device is still asking the bank what became of the refund "${tillId}": a person may decide it from ${isoTime(createdAt + patienceMs)} on, if the bank has not reported it by then`,
    { extra: { from: isoTime(createdAt + patienceMs) } },
  );

/** Either the bank has reported an end, or a person has decided otherwise. */
export const refundDecided = ({ tillId, state, decision }: Refund): TerminalError =>
  TerminalError.of(
    'Payments',
    'RefundDecided',
    `the refund "${tillId}" is ${state}${decision === null ? ' by the word of the bank' : ', as a person has decided'}: nothing is to be decided about it`,
    { extra: { state } },
  );

/** The bank reports a refund as under way that a person decides, or has decided. */
export const refundUnderWay = ({ tillId, amount }: Refund): TerminalError =>
  TerminalError.of(
    'Payments',
    'RefundOpen',
    `the bank says that the refund "${tillId}" of ${amountInWords(amount)} of this payment is under way: it will report the outcome, ask again later`,
    { extra: { refund: tillId } },
  );

export const refundMade = ({ tillId, amount }: Refund): TerminalError =>
  TerminalError.of(
    'Payments',
    'RefundOpen',
    `the bank has made the refund "${tillId}" of ${amountInWords(amount)} of this payment, of which a person had decided that it was not: decide it again, and repeat this call if still more is to go back`,
    { extra: { refund: tillId } },
  );

/** Of a refund that a person has decided to be refused: the bank may have made it. */
export const bankSilent = ({ tillId, amount }: Refund): BankError =>
  new BankError(
    'unreachable',
    `the bank does not report now the state of the refund "${tillId}" of ${amountInWords(amount)} of this payment, which a person has decided: nothing more goes back before it does, ask again later`,
  );

export const refundOpen = ({ tillId, amount, reason }: Refund): TerminalError =>
  TerminalError.of(
    'Payments',
    'RefundOpen',
    `it is not decided yet what became of the refund "${tillId}" of ${amountInWords(amount)} of this payment${reason === null ? '' : ` (${reason})`}: ask again later`,
    { extra: { refund: tillId } },
  );
