/**
 * The payment terminal: payments, refunds, shifts, the ledger, events and reports. Each change is in the ledger before the
 * bank, the display or the till learns of it. The module loads neither the model nor the camera.
 */

export type { Accounts } from './accounts.ts';
export type { EventFeed } from './events/event-feed.ts';
export type { Outbox, StoredEvent } from './events/outbox.ts';
export { serveTerminal, serveTerminalToo } from './http/port/server.ts';
export type { EventBody } from './http/v1/event-routes.ts';
export {
  day,
  MAX_NOTE_CHARACTERS,
  PAGES,
  PaymentPath,
  pageFields,
  timestamp,
  timestampOrNull,
} from './http/v1/fields.ts';
export { journalPayments, journalShifts } from './http/v1/journal-entries.ts';
export { failureAnswer, paymentAnswer, presentAnswer } from './http/v1/payment-answer.ts';
export { FailureAnswer, PaymentAnswer } from './http/v1/payment-schemas.ts';
export { refusals, terminalProblems } from './http/v1/problem.ts';
export { paymentOf } from './http/v1/reading-routes.ts';
export { type RefundAnswer, refundAnswer } from './http/v1/refund-schemas.ts';
export type { TerminalConfig } from './model/config.ts';
export { EVENT_TYPES } from './model/event-types.ts';
export { dayInZone, isDay, type LocalDay, localDay, zoneDay } from './model/local-day.ts';
export { isOpen, PAYMENT_STATES, remainingMsOf } from './model/payment.ts';
export { isGivenBack, notAccepted, notFound } from './model/payment-failures.ts';
export { columnNumber, columnText, type PaymentRow } from './model/payment-row.ts';
export { TERMINAL_REASONS } from './model/reason-records.ts';
export type { Refund } from './model/refund.ts';
export { ShiftReport } from './model/shift.ts';
export { type Sum, sum } from './model/sums.ts';
export { TERMINAL_PROBLEMS, TerminalError } from './model/terminal-error.ts';
export { PaymentMethodName } from './model/words.ts';
export type { Ledger } from './money/ledger.ts';
export { catchUpLedger } from './money/ledgers.ts';
export type { RefundLedger } from './money/refund-ledger.ts';
export type { BankNumbers, ComparedPayment, ComparedRefund, ReconciledBooks } from './reports/lanes/compared-books.ts';
export { LaneRefusal, type LaneReport } from './reports/lanes/lane-payments.ts';
export { LaneAnswer, LaneBatch, type LaneFeed, type LanePlace } from './reports/lanes/lane-records.ts';
export type { Pace } from './service/outcome/pace.ts';
export { displaySign } from './service/screen/display-sign.ts';
export { MAX_FIELD_LENGTH } from './settings/connection.ts';
export { MAX_PROFILE_NAME, profileName, type SettingsObject } from './settings/settings-document.ts';
export { masked, mayHoldSecret } from './settings/settings-secrets.ts';
export { sealedParts } from './settings/settings-stored.ts';
export { Terminal, type TerminalOptions } from './terminal.ts';
