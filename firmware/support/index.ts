/**
 * The support bundle: one zip of what somebody needs who looks at a lane from afar. What may go in is listed, so that no secret does.
 * It is made as it is sent, and nothing is written on the device: a full disk or a damaged ledger keeps nothing from it.
 */
export { type LogEntry, type Sources, supportBundle } from './bundle.ts';
