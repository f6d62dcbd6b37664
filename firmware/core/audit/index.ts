/**
 * The audit trail: lines on the disk that say who changed, deleted, exported or was refused what. Calls are recorded by their
 * route, events on the device itself by `device-events.ts`. A line that cannot be written is counted, and no call fails because
 * of it.
 */
export type { AuditedCall } from './device-events.ts';
export { recordButton, recordPairing, recordRelease } from './device-events.ts';
export { type AuditEvent, type AuditLine, AuditLineSchema, CREDENTIALS, type Credential } from './line.ts';
export {
  type CheckedJournal,
  JournalCheck,
  type JournalEntry,
  JournalError,
  keyFingerprint,
  signedLines,
} from './signed-journal.ts';
export { AuditTrail } from './trail.ts';
