/** What a till gets about a payment, in words: why it failed, why a call is refused, and the warnings beside a success. */

import { amountInWords } from '../../../drivers/lib/money.ts';
import { BankError } from '../../banks/index.ts';
import { terminalFailure } from './failures.ts';
import { isAbandoned, isPayable, type PaymentFailure, type PaymentState, type PaymentStatus } from './payment.ts';
import type { PaymentRow } from './payment-row.ts';
import { type ErrorMember, TerminalError } from './terminal-error.ts';

/** Amounts of payments, separated by commas. */
const amounts = (payments: readonly PaymentRow[]): string =>
  payments.map(({ amount }) => amountInWords(amount)).join(', ');

/** Payments that were paid without the till knowing, the newest first: the till's call for another one is refused. */
export class PaidBefore extends Error {
  readonly payments: readonly PaymentRow[];

  constructor(payments: readonly PaymentRow[]) {
    super('a payment before this one turned out paid');
    this.name = 'PaidBefore';
    this.payments = payments;
  }
}

/** A call gets no code because of a payment for the same sale: the status is then about that payment. */
export class BlockedByEarlier extends Error {
  readonly payment: PaymentRow;
  readonly refusal: TerminalError;

  constructor(payment: PaymentRow, refusal: TerminalError) {
    super(refusal.message);
    this.name = 'BlockedByEarlier';
    this.payment = payment;
    this.refusal = refusal;
  }
}

function ownFailure(error: unknown): unknown {
  if (error instanceof BlockedByEarlier) return error.refusal;
  return error instanceof PaidBefore ? previousPaid(error) : error;
}

/**
 * The failure of a call for a code as an error of the terminal. An unexpected error is returned unchanged.
 * @param therefore the consequence where the ledger cannot be written; the default says that nothing was entered
 */
export const paymentFailure = (error: unknown, therefore = 'no code is shown: ask again for the same'): unknown =>
  terminalFailure(ownFailure(error), { therefore });

/** The consequence for a payment that was entered and has failed. */
export const GIVEN_UP = 'the payment was given up and its code is not shown';
/** The consequence for the payment of a key that the call has not changed. */
export const NOT_STORED =
  'the code is not shown, and what became of the payment may not be stored yet: ask again with the same key';

/** Why a payment stays open: the failure of its bank, or of storing the bank's report. */
export const stillOpen = (error: unknown): unknown =>
  terminalFailure(error, {
    therefore: 'what the bank has reported about the payment is not stored yet, and it may be paid: ask again',
  });

const unexpected = (message: string): TerminalError => TerminalError.of('Internal', 'UnexpectedError', message);

/** A failure, as the ledger and the till get it. */
export function failureOf(error: unknown): PaymentFailure {
  const known = error instanceof TerminalError ? error : unexpected('the device failed; the reason stands in its log');
  return { category: known.category, code: known.errorCode, message: known.message };
}

export const RESTARTED: PaymentFailure = failureOf(unexpected('the device restarted before the code was shown'));

/** The failure after a power cut, at a bank that cannot be asked: the storage may have lost that the code was shown. */
export const RESTARTED_UNASKED: PaymentFailure = failureOf(
  unexpected(
    'the device restarted before the code was shown, as its ledger has it, and the bank cannot be asked for an order: where the customer has paid, its account shows it',
  ),
);

/**
 * The failure of an abandoned payment: it is open, and may be paid, until its bank has reported its order
 * (`isAbandoned`).
 */
export const ABANDONED: PaymentFailure = failureOf(
  unexpected('the device restarted while it was registered, and its bank has not reported yet whether it was paid'),
);

/** The failure of a payment that was paid, and refunded before a till knew: to the till it is not paid. */
export const GIVEN_BACK: PaymentFailure = failureOf(
  TerminalError.of(
    'Bank',
    'GivenBack',
    'the payment was paid, and the bank gives all of it back, or has done so: nothing is paid',
  ),
);

export const isGivenBack = ({ state, failure }: Pick<PaymentStatus, 'state' | 'failure'>): boolean =>
  state === 'ACCEPTED' && failure?.category === GIVEN_BACK.category && failure.code === GIVEN_BACK.code;

/** The state that is reported to a till: ERROR for money that has gone back, as no goods may be handed out for it. */
export const reportedState = (status: PaymentStatus): PaymentState => (isGivenBack(status) ? 'ERROR' : status.state);

export const cleared = (): TerminalError =>
  TerminalError.of(
    'RequestParams',
    'InvalidRequest',
    'the display was cleared before the code was shown; the payment was given up',
  );

export const notFound = (id: string): TerminalError =>
  TerminalError.of('Payments', 'NotFound', `no payment of this device is known by "${id}"`);

/** @param address of the lane in the shop's network; null where it is not known */
export const ofOtherLane = (id: string, lane: string, address: string | null): TerminalError =>
  TerminalError.of(
    'Payments',
    'OfOtherLane',
    `the payment "${id}" was taken by device ${lane} of this store${address === null ? '' : ` at ${address}`}: ask that device, as money goes back where it was taken`,
    { extra: { lane, address: address ?? '' } },
  );

/** @param what the act or thing for which a payment must be paid */
export const notAccepted = ({ status }: PaymentRow, what: string): TerminalError =>
  TerminalError.of('Payments', 'NotAccepted', `the payment is ${status.state}: only one that is ACCEPTED ${what}`, {
    extra: { state: status.state },
  });

export const waitedTooLong = (): TerminalError =>
  TerminalError.of(
    'RequestParams',
    'TooMany',
    'calls before this one are still being answered, since the bank or the display takes long: nothing was registered; ask again',
  );

export const cancelWaitedTooLong = (): TerminalError =>
  TerminalError.of(
    'RequestParams',
    'TooMany',
    'calls before this one are still being answered, since the bank or the display takes long: nothing was cancelled; cancel it again',
  );

export const hungUp = (): TerminalError =>
  TerminalError.of(
    'RequestParams',
    'InvalidRequest',
    'the till hung up while its call waited for others: nothing was registered',
  );

export const codeOfAnother = (): BankError =>
  new BankError('contradiction', 'the bank answered with the id or the code of another payment');

export const justEnded = (): BankError =>
  new BankError(
    'refused',
    'the bank has ended the payment whose code was to be shown again: ask again for another code',
  );

/** The paid payments of a failure, or of its cause. */
export const paidBefore = (error: unknown): readonly PaymentRow[] => {
  const { cause } = error as { readonly cause?: unknown };
  return [error, cause].find((candidate) => candidate instanceof PaidBefore)?.payments ?? [];
};

function previousPaid(cause: PaidBefore): TerminalError {
  const [first, ...more] = cause.payments;
  const subject =
    more.length === 0
      ? `the payment of ${amountInWords(first?.amount ?? 0)} before this one has been paid`
      : `${cause.payments.length} payments before this one have been paid, of ${amounts(cause.payments)}`;
  const message = `${subject} (getDynamicQRStatus says ACCEPTED); ask again if another payment is wanted`;
  const parameters = { payments: cause.payments.map(({ orderId }) => orderId) };
  return TerminalError.of('Bank', 'PreviousPaid', message, { cause, parameters });
}

/** Names an earlier payment, in the fields of `/v1`. */
const about = ({ orderId }: PaymentRow) => ({ parameters: { payment: orderId } });

const OTHERWISE = 'or ask with another purpose, which makes it another sale';

/** @param waitSeconds until the code of `payment` can be paid no more */
export function previousOpen(payment: PaymentRow, waitSeconds: number): BlockedByEarlier {
  const message = `the code of the payment of ${amountInWords(payment.amount)} before this one may still be paid, so that no other code is shown for the same: ask again in ${waitSeconds} s, ${OTHERWISE}`;
  return new BlockedByEarlier(payment, TerminalError.of('Bank', 'PreviousOpen', message, about(payment)));
}

/** @param silence why the bank reported nothing */
export function previousUnknown(payment: PaymentRow, silence: string): BlockedByEarlier {
  const message = `it is not known whether the payment of ${amountInWords(payment.amount)} before this one was paid (${silence}), so that no other code is shown for the same: ask again when the bank answers, ${OTHERWISE}`;
  return new BlockedByEarlier(payment, TerminalError.of('Bank', 'Unreachable', message, about(payment)));
}

/** A warning in a successful answer. */
export interface PaymentWarning {
  readonly member: ErrorMember<'Bank'>;
  readonly message: string;
}

export const sameCode = (leftMs: number): PaymentWarning => ({
  member: 'SameCode',
  message: `the code of an earlier call for the same is shown again, for ${Math.ceil(leftMs / 1000)} s more: it is paid once`,
});

export const SHARED_CODE: PaymentWarning = {
  member: 'SameCode',
  message: 'two calls for the same came at once and share one code: it is paid once',
};

export const unknownBefore = (payments: readonly PaymentRow[]): PaymentWarning => ({
  member: 'Unreachable',
  message: `it is not known whether what was asked for before was paid, as the bank does not report it: ${amounts(payments)}`,
});

/** @param payments on the same printed code that the till may see; of others only their existence is mentioned */
export const openOnPrinted = (payments: readonly PaymentRow[]): PaymentWarning => ({
  member: 'PreviousOpen',
  message: `what was asked for before could not be taken off the printed code, and may be paid in place of this: ${payments.length === 0 ? 'it is of another till' : amounts(payments)}`,
});

/** @param payments for the same sale that no till waits for any more */
export const openBefore = (payments: readonly PaymentRow[]): PaymentWarning => ({
  member: 'PreviousOpen',
  message: `what was asked for before for the same, and given up, could not be taken out of use, and may still be paid: ${amounts(payments)}`,
});

function whyNotShown({ orderId, status }: PaymentRow): string {
  if (status.cancelled)
    return `the payment ${orderId} has been cancelled: its code is shown no more, and as its bank could not take it back it may still be paid; for another payment take a new Idempotency-Key`;
  if (isAbandoned(status))
    return `the device restarted while the payment ${orderId} was registered, and its bank has not reported its state yet: it may be paid; wait for its end, or cancel it`;
  return `the code of the payment ${orderId} is not shown, for its time is over, its profile is another one now or its bank does not give it again; it may still be paid: wait for its end, or cancel it`;
}

/** The warning for a payment of a key that is open and not on the display; none for an ended payment. */
export const notShownAgain = (payment: PaymentRow): PaymentWarning[] =>
  isPayable(payment.status) ? [{ member: 'NotShown', message: whyNotShown(payment) }] : [];

/** The failure of a `showQR` by key whose code is not on the display: it must not be reported as shown. */
export function notShown(payment: PaymentRow): TerminalError {
  const { orderId, status } = payment;
  const options = { payment: orderId };
  if (isGivenBack(status)) return TerminalError.of('Bank', 'GivenBack', GIVEN_BACK.message, options);
  if (status.state === 'ACCEPTED') {
    const message = `the payment ${orderId} of this Idempotency-Key has been paid (getDynamicQRStatus says ACCEPTED): no code is shown; take a new key for another payment`;
    return TerminalError.of('Bank', 'PreviousPaid', message, options);
  }
  const [open] = notShownAgain(payment);
  const ended = `the payment ${orderId} of this Idempotency-Key has ended, ${status.state}: no code is shown; take a new key for another payment`;
  return TerminalError.of('Bank', 'NotShown', open?.message ?? ended, options);
}

export const unreadBefore = (payments: readonly PaymentRow[], count: number): PaymentWarning => ({
  member: 'PreviousPaid',
  message: `${amounts(payments)}${count > payments.length ? ` and ${count - payments.length} payments more` : ''} were accepted late, and no till has read so: /health says what to do`,
});
