/** How the terminal's failures are answered under `/v1`. */
import { TerminalError } from '../../banks/index.ts';
import { type EncodedFailure, fieldAtFault, problem, problemEnvelope, problemsOf } from '../../core/http/index.ts';

import { codeOfFailure } from './envelope.ts';

/** Statuses of errors that the older calls answer with 400 or 500. */
export const STATUS_OF_CODE = Object.freeze({
  'Payments.NotFound': 404,
  'Payments.NotAccepted': 409,
  'Payments.NotRefundable': 409,
  'Payments.ExceedsPaid': 409,
  'Payments.IdConflict': 409,
  'Payments.Damaged': 500,
  'Payments.RefundOpen': 409,
  'Payments.NotLate': 409,
  'Payments.RefundNotFound': 404,
  'Payments.RefundFollowed': 409,
  'Payments.RefundDecided': 409,
  'Payments.RefundLimit': 403,
  'Payments.WrongPin': 403,
  'Payments.TooManyPins': 429,
  'Payments.ShiftNotFound': 404,
  'Payments.ShiftNotOpen': 409,
  'Webhooks.DeliveryNotFound': 404,
  'Webhooks.EventGone': 409,
  'Webhooks.NotConfigured': 409,
  'Webhooks.AddressNotFound': 404,
  'Calls.NotFound': 404,
  'DriverSettings.IsNotConfigured': 409,
  'Bank.NoCashLinks': 409,
  'Bank.PreviousPaid': 409,
  'Bank.PreviousOpen': 409,
  'Bank.Unreachable': 503,
  'Bank.Refused': 502,
  'Bank.Contradiction': 502,
  'BankTest.NameNotFound': 503,
  'BankTest.NoConnection': 503,
  'BankTest.TimedOut': 503,
  'BankTest.Interrupted': 503,
  'BankTest.Unavailable': 503,
  'BankTest.TooOften': 429,
  'BankTest.NoEncryption': 502,
  'BankTest.Untrusted': 502,
  'BankTest.WrongName': 502,
  'BankTest.Expired': 502,
  'BankTest.NotYetValid': 502,
  'BankTest.Refused': 502,
  'BankTest.NotABank': 502,
  'BankTest.WrongCredentials': 400,
  'Bluetooth.NoService': 503,
  'Bluetooth.NoAdapter': 503,
  'Bluetooth.SwitchedOff': 503,
  'Bluetooth.NotPermitted': 503,
  'Bluetooth.Failed': 503,
  'RequestParams.TooMany': 503,
  'Internal.StorageFull': 507,
  'Internal.StorageRefused': 500,
} as const);
export type Code = keyof typeof STATUS_OF_CODE;

const isCode = (code: string): code is Code => Object.hasOwn(STATUS_OF_CODE, code);

/** What a call answers beside success, by its status: to be spread into the responses of its schema. */
export const refusals = (...codes: readonly Code[]): object => problemsOf(STATUS_OF_CODE, codes);

function problemOf(error: unknown): EncodedFailure | null {
  if (!(error instanceof TerminalError)) return null;
  const code = `${error.category}.${error.member}`;
  return problem(isCode(code) ? STATUS_OF_CODE[code] : error.status, code, error.message, {
    ...error.extra,
    ...error.parameters,
    ...(error.payment !== null && { payment: error.payment }),
    ...fieldAtFault(error),
  });
}

export const terminalProblems = problemEnvelope(problemOf, codeOfFailure);
