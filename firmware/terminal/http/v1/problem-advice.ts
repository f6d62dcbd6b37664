/** What the terminal's codes mean to a till: `docs/errors.md` is written from it. */
import type { Advice, OwnAdvice } from '../../../http/index.ts';
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
  'Payments.RefundLimit': {
    meaning:
      'more than this till or cashier may give back without a supervisor (`terminal.refundLimits`); nothing has gone back; `left`',
    again: 'no',
    todo: 'send the same with `supervisorPin`, or refund `left` at most',
  },
  'Payments.WrongPin': {
    meaning: '`supervisorPin` is no supervisor’s; nothing has gone back',
    again: 'no',
    todo: 'ask for the PIN again',
  },
  'Payments.TooManyPins': {
    meaning: 'too many wrong PINs came from this address; nothing has gone back',
    again: 'later',
    todo: 'wait so many `seconds`',
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
  'BankTest.NameNotFound': {
    meaning: 'no bank is found by the name in `baseUrl`',
    again: 'mended',
    todo: 'look at the address; where it is right, at the network of the device and its name server',
  },
  'BankTest.NoConnection': {
    meaning: 'nothing takes a connection at the address of the bank',
    again: 'mended',
    todo: 'look at the network, at what filters it, and at host and port of `baseUrl`',
  },
  'BankTest.TimedOut': {
    meaning: 'the bank took the call, or something on the way did, and has not answered in time',
    again: 'later',
    todo: 'look at the network; ask the bank whether the address of the shop is let in',
  },
  'BankTest.Interrupted': {
    meaning: 'the connection broke before the answer was whole',
    again: 'later',
    todo: 'look at the network; ask the bank whether the address of the shop is let in',
  },
  'BankTest.Unavailable': {
    meaning: 'the bank answers that it cannot now; `said` has its words',
    again: 'later',
    todo: 'wait a few minutes',
  },
  'BankTest.TooOften': {
    meaning: 'banks were tried out six times within a minute, and may lock the login',
    again: 'later',
    todo: 'wait for `seconds`, as `Retry-After` says; nothing was asked',
  },
  'BankTest.NoEncryption': {
    meaning: 'no TLS came about with what answers there',
    again: 'mended',
    todo: 'look at host and port of `baseUrl`',
  },
  'BankTest.Untrusted': {
    meaning: 'the certificate of the bank is of no authority that is trusted',
    again: 'mended',
    todo: 'name the authority of the bank by `caPath`, or by `banks.caPath` for all banks',
  },
  'BankTest.WrongName': {
    meaning: 'what answers there has the certificate of another name',
    again: 'mended',
    todo: 'write the address as the bank gave it, with its name',
  },
  'BankTest.Expired': {
    meaning: 'the certificate of the bank has expired by the clock of this device, `clock`',
    again: 'mended',
    todo: 'set the clock; where it is right, inform the bank',
  },
  'BankTest.NotYetValid': {
    meaning: 'the certificate of the bank is not valid yet by the clock of this device, `clock`',
    again: 'mended',
    todo: 'set the clock',
  },
  'BankTest.WrongCredentials': {
    meaning: 'the bank does not take what it was asked with; `field` is where to look first',
    again: 'mended',
    todo: 'write `field` anew, as the bank gave it',
  },
  'BankTest.Refused': {
    meaning: 'the bank answers, and refuses for a reason of its own; `said` has its words',
    again: 'no',
    todo: 'ask the bank with its words',
  },
  'BankTest.NotABank': {
    meaning: 'what answers there is no such bank: a page, a redirect, or nothing by that path',
    again: 'mended',
    todo: 'compare `baseUrl`, its path too, with what the bank wrote',
  },
  'Bluetooth.NoService': {
    meaning: 'the service of Bluetooth (BlueZ) does not run on this machine',
    again: 'mended',
    todo: 'install the package `bluez` of the system, and start its service `bluetooth`',
  },
  'Bluetooth.NoAdapter': {
    meaning: 'this machine has no Bluetooth',
    again: 'mended',
    todo: 'plug an adapter in; on a Raspberry Pi take `dtoverlay=disable-bt` out of `config.txt`',
  },
  'Bluetooth.SwitchedOff': {
    meaning: 'the Bluetooth of this machine is switched off',
    again: 'mended',
    todo: 'switch it on: `rfkill unblock bluetooth`, `bluetoothctl power on`',
  },
  'Bluetooth.NotPermitted': {
    meaning: 'the service of Bluetooth refuses this process',
    again: 'mended',
    todo: 'take its user into the group `bluetooth`, and start it again',
  },
  'Bluetooth.Failed': {
    meaning: 'the search went wrong, or the service of Bluetooth does not answer',
    again: 'later',
    todo: 'try again; then restart the service `bluetooth` of the system',
  },
  'DriverSettings.IsNotConfigured': {
    meaning: 'the device has no settings yet, or what is left of damaged ones may be older; nothing was begun',
    again: 'mended',
    todo: 'a technician sends `updateDriverSettings`',
  },
  'Bank.NoCashLinks': { meaning: 'the bank in use makes no codes to print', again: 'no', todo: 'nothing' },
  'Bank.PreviousPaid': {
    meaning: '`payments` before this one were paid, and no till knew; reported once',
    again: 'later',
    todo: 'first look whether it was this customer',
  },
  'Bank.PreviousOpen': {
    meaning: 'the code of `payment`, for the same, may still be paid',
    again: 'later',
    todo: 'wait as long as `detail` says',
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
