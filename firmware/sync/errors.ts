/** Errors of synchronisation between the devices of a store. */
import { CodedError } from '../../drivers/lib/errors.ts';

export type SyncErrorCode =
  /** There is no answer at the master's address, or the connection broke. */
  | 'unreachable'
  /** The master took too long for one answer. */
  | 'timeout'
  /** The master does not accept this device's credential: it never did, or the credential was revoked. */
  | 'unauthorised'
  /** The server has another certificate than the pinned one. */
  | 'wrong-certificate'
  /** The centre returns something that no device of the store writes. */
  | 'garbage'
  /** The centre does not return messages that it lists or has acknowledged. */
  | 'damaged'
  /** The master has not set its centre up yet. */
  | 'not-ready'
  /** The centre or the master refused the request. */
  | 'refused'
  /** The centre has no room for what was sent. */
  | 'full'
  /** This device's storage failed; the cause is the `RecognitionError`. */
  | 'storage'
  /** `nats-server` is not installed or cannot be started. */
  | 'no-server'
  /** This device belongs to no store. */
  | 'standalone'
  /** This slave has no credential of its master. */
  | 'unpaired'
  /** The camera saw no pairing code of a master. */
  | 'no-code'
  /** A fault of this device's program. */
  | 'program'
  /** The device is closing or changing its role. */
  | 'closed';

export class SyncError extends CodedError<SyncErrorCode> {}

export const notReady = (options?: ErrorOptions): SyncError =>
  new SyncError('not-ready', 'the master has not set its centre up yet', options);
