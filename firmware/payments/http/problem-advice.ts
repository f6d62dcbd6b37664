/** What the terminal's codes mean to a till: `docs/errors.md` is written from it. */
import { isErrorCode } from '../../banks/index.ts';
import type { Advice, OwnAdvice } from '../../core/http/index.ts';

import { type Code, STATUS_OF_CODE } from './problem.ts';

/** Codes of calls that only the console sends: its pages have the words for them, in both languages. */
type OfConsole = Extract<Code, `BankTest.${string}` | `Bluetooth.${string}` | `Calls.${string}`>;

type Own = Exclude<Code, OfConsole | 'RequestParams.TooMany' | `Internal.${string}`>;

export const TERMINAL_ADVICE: Readonly<Record<Own, Advice>> = Object.freeze({
  'Payments.NotFound': {
    meaning: 'this caller has no payment with this id',
    again: 'no',
    todo: 'find it: `GET /v1/payments`',
  },
  'Payments.NotAccepted': {
    meaning: 'the payment is not `ACCEPTED`: see `state`',
    again: 'no',
    todo: 'cancel an open one',
  },
  'Payments.NotRefundable': {
    meaning: 'the bank does not refund through its interface, the code is static, or the record is damaged',
    again: 'no',
    todo: 'refund it in your account at the bank',
  },
  'Payments.ExceedsPaid': {
    meaning: 'more than is left of the payment: `left`',
    again: 'no',
    todo: 'refund at most `left`, with a new key',
  },
  'Payments.IdConflict': {
    meaning: 'the `Idempotency-Key` belongs to another sale or refund',
    again: 'no',
    todo: 'use a new key for each; `payment` and `differs` say whose it is',
  },
  'Payments.Damaged': {
    meaning: 'the record of the `payment` that the key belongs to is damaged',
    again: 'no',
    todo: 'check in your account at the bank before using a new key',
  },
  'Payments.RefundOpen': {
    meaning: 'another refund of the payment, or this one, is in progress',
    again: 'later',
    todo: 'wait for it: `GET …/refunds/{refund}?wait=25`',
  },
  'Payments.NotLate': { meaning: 'this payment needs no review', again: 'no', todo: 'nothing' },
  'Payments.RefundNotFound': {
    meaning: 'the payment has no refund with this id',
    again: 'no',
    todo: 'see `GET /v1/payments/{id}/refunds`',
  },
  'Payments.ShiftNotFound': {
    meaning: 'the device has no shift of that number',
    again: 'no',
    todo: 'look at `GET /v1/shifts`',
  },
  'Payments.ShiftNotOpen': {
    meaning: 'another shift is open than `number`; nothing was closed',
    again: 'no',
    todo: 'look at `GET /v1/shifts/current`',
  },
  'Payments.RefundFollowed': {
    meaning: 'the device is still checking this refund with the bank',
    again: 'later',
    todo: 'mark its outcome after `from`',
  },
  'Payments.RefundDecided': {
    meaning: 'the outcome of this refund is known: `state`',
    again: 'no',
    todo: 'nothing',
  },
  'Payments.RefundLimit': {
    meaning:
      'more than this till or cashier may refund without a supervisor (`terminal.refundLimits`); nothing was refunded; `left`',
    again: 'no',
    todo: 'send the same with `supervisorPin`, or refund at most `left`',
  },
  'Payments.WrongPin': {
    meaning: '`supervisorPin` is not a supervisor’s PIN; nothing was refunded',
    again: 'no',
    todo: 'ask for the PIN again',
  },
  'Payments.TooManyPins': {
    meaning: 'too many wrong PINs from this address; nothing was refunded',
    again: 'later',
    todo: 'wait `seconds` seconds',
  },
  'Webhooks.DeliveryNotFound': { meaning: 'there is no such delivery', again: 'no', todo: 'list the deliveries' },
  'Webhooks.AddressNotFound': {
    meaning: 'the configuration has no such address',
    again: 'no',
    todo: 'list the webhooks',
  },
  'Webhooks.EventGone': { meaning: 'the event is no longer kept', again: 'no', todo: 'read the payment itself' },
  'Webhooks.NotConfigured': {
    meaning: 'the address is no longer in the configuration',
    again: 'mended',
    todo: 'add it to `terminal.webhooks` again',
  },
  'DriverSettings.IsNotConfigured': {
    meaning: 'the device is not set up, or its settings were damaged and may be outdated; nothing was started',
    again: 'mended',
    todo: 'a technician sends `updateDriverSettings`',
  },
  'Bank.NoCashLinks': { meaning: 'this bank offers no printable codes', again: 'no', todo: 'nothing' },
  'Bank.PreviousPaid': {
    meaning: 'earlier `payments` were paid without the till knowing; reported once',
    again: 'later',
    todo: 'check first whether it was this customer',
  },
  'Bank.PreviousOpen': {
    meaning: 'the code of `payment`, for the same sale, can still be paid',
    again: 'later',
    todo: 'wait as long as `detail` says',
  },
  'Bank.Unreachable': {
    meaning: 'the bank is not answering',
    again: 'unless-used-up',
    todo: 'after `repeat: false` with a new key, if it is still wanted',
  },
  'Bank.Refused': {
    meaning: 'the bank refused; `detail` has its words',
    again: 'no',
    todo: 'check the settings, or ask the bank; then use a new key',
  },
  'Bank.Contradiction': {
    meaning: 'the bank’s answer is contradictory',
    again: 'no',
    todo: 'check in your account at the bank whether it was paid before using a new key',
  },
});

/** All of it, for the pages that `type` leads to. */
export const TERMINAL_PROBLEMS: OwnAdvice = Object.freeze({
  advices: TERMINAL_ADVICE,
  statuses: STATUS_OF_CODE,
  isOther: isErrorCode,
});
