/** The codes of synchronisation's errors, for the original device's calls and the console's. */
import { type CodeName, RecognitionError } from '../../recognition/index.ts';
import { SyncError, type SyncErrorCode } from '../errors.ts';

/** A till sees one code for faults of the device, whose log names the rest. */
const CODE_OF: Readonly<Record<SyncErrorCode, CodeName>> = {
  unreachable: 'Store.Unreachable',
  timeout: 'Store.Late',
  'not-ready': 'Store.Late',
  unauthorised: 'Store.Refused',
  'wrong-certificate': 'Store.Refused',
  refused: 'Store.Refused',
  full: 'Internal.StorageFull',
  garbage: 'Internal.UnexpectedError',
  damaged: 'Internal.UnexpectedError',
  storage: 'Internal.StorageRefused',
  'no-server': 'Store.NotSynchronised',
  program: 'Internal.UnexpectedError',
  'no-code': 'Store.NoCode',
  standalone: 'Store.NotSynchronised',
  unpaired: 'Store.NotSynchronised',
  closed: 'Store.NotSynchronised',
};

/** Converts a SyncError of `work`. @throws {RecognitionError} */
export async function withSyncErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    if (error.cause instanceof RecognitionError) throw error.cause;
    throw new RecognitionError(CODE_OF[error.code], error.message, { cause: error });
  }
}
