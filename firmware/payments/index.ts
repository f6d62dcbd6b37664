/**
 * The payment terminal: payments, refunds, the ledger, banks, events and webhooks, reports. Each change is in the ledger
 * before the bank, the display or the till gets it. It loads neither the model nor the camera.
 */
export { displaySign } from './display-sign.ts';
export type { EventFeed } from './events/event-feed.ts';
export type { Outbox, StoredEvent } from './events/outbox.ts';
export { terminalEnvelope, terminalProblems } from './http/envelope.ts';
export { addEventRoutes, type EventBody } from './http/event-routes.ts';
export { day, MAX_NOTE_CHARACTERS, PAGES, PaymentPath, pageFields, timestamp, timestampOrNull } from './http/fields.ts';
export { journalPayments, journalShifts } from './http/journal-entries.ts';
export { addTerminalRoutes } from './http/nine-calls.ts';
export { failureAnswer, paymentAnswer, presentAnswer } from './http/payment-answer.ts';
export { FailureAnswer, PaymentAnswer } from './http/payment-schemas.ts';
export type { RefundAuthority } from './http/refund-routes.ts';
export { type RefundAnswer, refundAnswer } from './http/refund-schemas.ts';
export { addAfterPaymentRoutes, addConsoleCalls } from './http/routes.ts';
export { catchUpLedger } from './ledgers.ts';
export { columnNumber, columnText, type PaymentRow } from './money/payment-row.ts';
export { TERMINAL_REASONS } from './reason-records.ts';
export { LaneRefusal } from './reports/lane-payments.ts';
export { LaneAnswer, LaneBatch, type LaneFeed, type LanePlace } from './reports/lane-records.ts';
export { localDay } from './reports/local-day.ts';
export type { Letterhead } from './reports/print-page.ts';
export { ShiftReport } from './reports/shift.ts';
export type { BankWords } from './reports/words.ts';
export type { Pace } from './service/pace.ts';
export { isOpen, PAYMENT_STATES, remainingMsOf } from './service/payment.ts';
export { notFound } from './service/payment-failures.ts';
export { MAX_FIELD_LENGTH } from './settings/connection.ts';
export { MAX_PROFILE_NAME, type SettingsObject } from './settings/settings-document.ts';
export { masked, mayHoldSecret } from './settings/settings-secrets.ts';
export { sealedParts } from './settings/settings-stored.ts';
export { Terminal, type TerminalOptions } from './terminal.ts';
