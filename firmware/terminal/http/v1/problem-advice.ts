/** What the terminal's codes mean to a till: `docs/errors.md` is written from it. */
import type { Advice, OwnAdvice } from '../../../http/index.ts';
import { isErrorCode } from '../../errors.ts';
import { type Code, STATUS_OF_CODE } from './problem.ts';

export const TERMINAL_ADVICE: Readonly<Record<Exclude<Code, 'RequestParams.TooMany'>, Advice>> = Object.freeze({
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
  'Calls.NotFound': {
    meaning: 'this call is not kept: only the latest are, until a restart',
    again: 'no',
    todo: 'list the calls',
  },
  'BankTest.NameNotFound': {
    meaning: 'no host found by the name in `baseUrl`',
    again: 'mended',
    todo: 'check the address, then the device’s network and name server',
  },
  'BankTest.NoConnection': {
    meaning: 'nothing accepts connections at the bank’s address',
    again: 'mended',
    todo: 'check the network, the firewall, and the host and port in `baseUrl`',
  },
  'BankTest.TimedOut': {
    meaning: 'the bank, or something on the way, did not answer in time',
    again: 'later',
    todo: 'check the network; ask the bank whether the shop’s address is allowed',
  },
  'BankTest.Interrupted': {
    meaning: 'the connection broke before the answer was complete',
    again: 'later',
    todo: 'check the network; ask the bank whether the shop’s address is allowed',
  },
  'BankTest.Unavailable': {
    meaning: 'the bank is not available now; `said` has its words',
    again: 'later',
    todo: 'wait a few minutes',
  },
  'BankTest.TooOften': {
    meaning: 'six tests within a minute: the bank may lock the login',
    again: 'later',
    todo: 'wait `seconds` seconds, as `Retry-After` says; the bank was not asked',
  },
  'BankTest.NoEncryption': {
    meaning: 'the server at the address does not use TLS',
    again: 'mended',
    todo: 'check the host and port in `baseUrl`',
  },
  'BankTest.Untrusted': {
    meaning: 'the bank’s certificate is from an untrusted authority',
    again: 'mended',
    todo: 'set the bank’s authority in `caPath`, or in `banks.caPath` for all banks',
  },
  'BankTest.WrongName': {
    meaning: 'the server’s certificate is for another name',
    again: 'mended',
    todo: 'enter the address as the bank gave it',
  },
  'BankTest.Expired': {
    meaning: 'by this device’s clock (`clock`), the bank’s certificate has expired',
    again: 'mended',
    todo: 'set the clock; if it is right, report it to the bank',
  },
  'BankTest.NotYetValid': {
    meaning: 'by this device’s clock (`clock`), the bank’s certificate is not valid yet',
    again: 'mended',
    todo: 'set the clock',
  },
  'BankTest.WrongCredentials': {
    meaning: 'the bank does not accept the credentials; check `field` first',
    again: 'mended',
    todo: 'enter `field` again, as the bank gave it',
  },
  'BankTest.Refused': {
    meaning: 'the bank refused; `said` has its words',
    again: 'no',
    todo: 'quote its words to the bank',
  },
  'BankTest.NotABank': {
    meaning: 'the server is not this bank: a page, a redirect, or nothing at that path',
    again: 'mended',
    todo: 'compare `baseUrl`, path included, with the bank’s letter',
  },
  'Bluetooth.NoService': {
    meaning: 'the Bluetooth service (BlueZ) is not running',
    again: 'mended',
    todo: 'install the package `bluez` and start the service `bluetooth`',
  },
  'Bluetooth.NoAdapter': {
    meaning: 'this machine has no Bluetooth',
    again: 'mended',
    todo: 'plug in an adapter; on a Raspberry Pi remove `dtoverlay=disable-bt` from `config.txt`',
  },
  'Bluetooth.SwitchedOff': {
    meaning: 'Bluetooth is off',
    again: 'mended',
    todo: 'switch it on: `rfkill unblock bluetooth`, `bluetoothctl power on`',
  },
  'Bluetooth.NotPermitted': {
    meaning: 'the Bluetooth service refuses this process',
    again: 'mended',
    todo: 'add its user to the group `bluetooth` and restart it',
  },
  'Bluetooth.Failed': {
    meaning: 'the search failed, or the Bluetooth service does not answer',
    again: 'later',
    todo: 'retry; then restart the service `bluetooth`',
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
