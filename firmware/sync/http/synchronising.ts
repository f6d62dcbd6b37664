/** Failures between devices, as the calls report them. */
import { type CodeName, RecognitionError, StoreRefusal } from '../../recognition/index.ts';
import { SyncError, type SyncErrorCode } from '../errors.ts';

const CODE_OF: Readonly<Record<SyncErrorCode, CodeName>> = {
  unreachable: 'network',
  timeout: 'syncTimeout',
  'not-ready': 'syncTimeout',
  unauthorised: 'pairingRefused',
  'wrong-certificate': 'pairingRefused',
  refused: 'pairingRefused',
  full: 'storageFull',
  garbage: 'unknown',
  storage: 'fileWrite',
  'no-server': 'notSynchronised',
  'no-code': 'noPairingCode',
  standalone: 'notSynchronised',
  unpaired: 'notSynchronised',
  closed: 'notSynchronised',
};

/** @throws {RecognitionError} for a failure of synchronisation */
export async function synchronising<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    if (error.cause instanceof RecognitionError) throw error.cause;
    throw new RecognitionError(CODE_OF[error.code], error.message, { cause: error });
  }
}

/** The same of what only a master does. @throws {StoreRefusal} `NotMaster` */
export async function atMaster<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await synchronising(work);
  } catch (error) {
    if (!(error instanceof RecognitionError) || error.codeName !== 'notMaster') throw error;
    throw new StoreRefusal('NotMaster', error.message, { cause: error });
  }
}
