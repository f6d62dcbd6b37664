/** Failures between the devices of a store. */
import { CodedError } from '../../drivers/lib/errors.ts';

export type SyncErrorCode =
  /** There is no answer at the master's address, or the connection broke. */
  | 'unreachable'
  /** The master took too long for one answer. */
  | 'timeout'
  /** The master does not know this device, or no longer. */
  | 'unauthorised'
  /** The server has another certificate than the pinned one. */
  | 'wrong-certificate'
  /** The centre holds something that no master writes. */
  | 'garbage'
  /** The centre lists what it does not give, or does not keep what it acknowledges. */
  | 'damaged'
  /** The master has not set its centre up yet. */
  | 'not-ready'
  /** The centre did not take what was sent. */
  | 'refused'
  /** The centre has no room for what was sent. */
  | 'full'
  /** This device could not store what came in; its cause is the `RecognitionError`. */
  | 'storage'
  /** `nats-server` is not there or does not run. */
  | 'no-server'
  /** This device belongs to no store. */
  | 'standalone'
  /** This slave has no credential of its master. */
  | 'unpaired'
  /** The camera saw no pairing code of a master. */
  | 'no-code'
  /** An error of this device's program. */
  | 'program'
  /** The device is closing, or takes another role. */
  | 'closed';

export class SyncError extends CodedError<SyncErrorCode> {}

export const notReady = (options?: ErrorOptions): SyncError =>
  new SyncError('not-ready', 'the master has not set its centre up yet', options);
