/** What the terminal's codes mean to a till: `docs/errors.md` is written from it. */
import type { Advice, OwnAdvice } from '../../../http/problem-advice.ts';
import { isErrorCode } from '../../errors.ts';
import { type Code, STATUS_OF_CODE } from './problem.ts';

export const TERMINAL_ADVICE: Readonly<Record<Exclude<Code, 'RequestParams.TooMany'>, Advice>> = Object.freeze({
  'Payments.NotFound': {
    meaning: 'no payment that this caller reaches is known by that id',
    again: 'no',
    todo: 'look for it by `GET /v1/payments`',
  },
  'Payments.NotAccepted': {
    meaning: 'only a payment that is `ACCEPTED` can be refunded; `state` says what it is',
    again: 'no',
    todo: 'cancel an open one',
  },
  'Payments.NotRefundable': {
    meaning: 'the bank gives nothing back through its interface, the code is static, or the row is damaged',
    again: 'no',
    todo: 'refund it in the account at the bank',
  },
  'Payments.ExceedsPaid': {
    meaning: 'more than what is left, `left`',
    again: 'no',
    todo: 'refund `left` at most, with a new key',
  },
  'Payments.IdConflict': {
    meaning: 'the `Idempotency-Key` stands for another sale or refund',
    again: 'no',
    todo: 'take a new key for each; `payment` and `differs` say what it stands for',
  },
  'Payments.SameSaleOpen': {
    meaning: 'a payment of another key for the same amount, purpose and profile is open: `payment`',
    again: 'later',
    todo: 'go on with that one, or cancel it first',
  },
  'Payments.Damaged': {
    meaning: 'the storage has damaged the `payment` that the key stands for',
    again: 'no',
    todo: 'look in the account at the bank before a new key is taken',
  },
  'Payments.RefundOpen': {
    meaning: 'another refund of the payment is not decided yet, or this one is under way',
    again: 'later',
    todo: 'wait for that one: `GET …/refunds/{refund}?wait=25`',
  },
  'Payments.NotLate': { meaning: 'nothing is to be looked into about the payment', again: 'no', todo: 'nothing' },
  'Payments.RefundNotFound': {
    meaning: 'the payment has no refund of that id',
    again: 'no',
    todo: 'look at `GET /v1/payments/{id}/refunds`',
  },
  'Payments.RefundFollowed': {
    meaning: 'the device still asks the bank about the refund',
    again: 'later',
    todo: 'decide it from `from` on',
  },
  'Payments.RefundDecided': {
    meaning: 'the bank, or a person, has said what became of the refund; `state`',
    again: 'no',
    todo: 'nothing',
  },
  'Webhooks.DeliveryNotFound': { meaning: 'no delivery has that id', again: 'no', todo: 'list the deliveries' },
  'Webhooks.AddressNotFound': {
    meaning: 'no address of the configuration is meant',
    again: 'no',
    todo: 'list the webhooks',
  },
  'Webhooks.EventGone': { meaning: 'the event is kept no more', again: 'no', todo: 'read the payment itself' },
  'Webhooks.NotConfigured': {
    meaning: 'the address is not in the configuration any more',
    again: 'mended',
    todo: 'put it back into `terminal.webhooks`',
  },
  'Calls.NotFound': {
    meaning: 'no call of that number is kept: only the last ones are, until the device starts again',
    again: 'no',
    todo: 'list the calls',
  },
  'DriverSettings.IsNotConfigured': {
    meaning: 'the device has no settings yet; nothing was begun',
    again: 'mended',
    todo: 'a technician sends `updateDriverSettings`',
  },
  'Bank.NoCashLinks': { meaning: 'the bank in use makes no codes to print', again: 'no', todo: 'nothing' },
  'Bank.PreviousPaid': {
    meaning: '`payments` before this one were paid, and no till knew; told once',
    again: 'later',
    todo: 'first look whether it was this customer',
  },
  'Bank.PreviousOpen': {
    meaning: 'the code of `payment`, for the same, may still be paid',
    again: 'later',
    todo: 'wait as long as `detail` says',
  },
  'Bank.PreviousUnknown': {
    meaning: 'the bank does not tell whether `payment`, for the same, was paid',
    again: 'later',
    todo: 'wait until the bank answers, or cancel `payment` (`POST /v1/payments/{id}/cancel`) and send the same again: if that one turns out paid it is late',
  },
  'Bank.Unreachable': {
    meaning: 'the bank does not answer',
    again: 'unless-used-up',
    todo: 'after `repeat: false` with a new key, if it is still wanted',
  },
  'Bank.Refused': {
    meaning: 'the bank has said no; `detail` has its words',
    again: 'no',
    todo: 'settings, or the bank; then with a new key',
  },
  'Bank.Contradiction': {
    meaning: 'the bank has answered what cannot be true',
    again: 'no',
    todo: 'look in the account at the bank whether it was paid, before a new key is taken',
  },
});

/** All of it, for the pages that `type` leads to. */
export const TERMINAL_PROBLEMS: OwnAdvice = Object.freeze({
  advices: TERMINAL_ADVICE,
  statuses: STATUS_OF_CODE,
  isOther: isErrorCode,
});
