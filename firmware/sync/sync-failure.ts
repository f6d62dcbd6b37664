/** Converts errors of connections, of the centre and of this device's storage to those of synchronisation. */
import { codeOf, messageOf } from '../../drivers/lib/errors.ts';
import { RecognitionError } from '../recognition/index.ts';
import { notReady, SyncError } from './errors.ts';

const CERTIFICATE_FAILURES = /self-signed|self signed|unable to verify|altname|certificate|unable to get/i;

/** Errors that JavaScript throws where the program has a fault; network, master and storage throw others. */
const PROGRAM_ERRORS: readonly string[] = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

/**
 * Converts an error of the NATS client or of this device's storage to a SyncError; returns a SyncError as it is. The order
 * counts: a name says most; an error without a known one is what its cause is; texts come last, as a wrapping error
 * quotes its cause.
 */
export function syncFailure(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  if (error instanceof RecognitionError) return new SyncError('storage', error.message, { cause: error });
  const name = error instanceof Error ? error.name : '';
  const message = messageOf(error);
  const cause = { cause: error };
  if (name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError')
    return new SyncError(
      'unauthorised',
      'the master does not accept the credential of this device: it was taken out of the store, or the master has lost its list of devices; pair it anew',
      cause,
    );
  if (name === 'JetStreamApiError') return new SyncError('refused', `the centre refuses: ${message}`, cause);
  if (name === 'PermissionViolationError')
    return new SyncError(
      'refused',
      `the credential of this device does not open this: pair it anew (${message})`,
      cause,
    );
  // `NoResponders` is the `name` of the library's NoRespondersError
  if (name === 'NoResponders' || name === 'JetStreamNotEnabled') return notReady(cause);
  if (error instanceof Error && error.cause instanceof Error) return syncFailure(error.cause);
  if (name === 'TimeoutError') return new SyncError('timeout', 'the master took too long to answer', cause);
  if (CERTIFICATE_FAILURES.test(message))
    return new SyncError(
      'wrong-certificate',
      `what answers there is not the master that this device was paired with (${message}): pair it anew with a code of that master, or correct the address`,
      cause,
    );
  if (PROGRAM_ERRORS.includes(name) && codeOf(error) === null)
    return new SyncError('program', `an error of the program: ${message}`, cause);
  return new SyncError('unreachable', `the master cannot be reached: ${message}`, cause);
}
