/** Translates failures of cameras, pictures, models, storage and the host into the codes of recognition's records. */
import {
  CameraError,
  type CameraErrorCode,
  type FrameRefusalCode,
  FrameRefused,
} from '../../../drivers/camera/contract.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type WriteFailure, writeFailure } from '../../core/files/index.ts';
import { HostError, type HostErrorCode } from '../../core/host/index.ts';
import { EmbedderError, type EmbedderErrorCode } from './embedder-error.ts';
import { type CodeName, RecognitionError } from './recognition-error.ts';

const DAMAGED =
  'templates.db is damaged: restart the device, which then checks all of it and sets a damaged one aside, and import the latest export';
const FULL = 'the storage of the device is full: free some space, or delete templates; nothing was changed';

type Failure =
  | `camera/${CameraErrorCode}`
  | `picture/${FrameRefusalCode}`
  | `model/${EmbedderErrorCode}`
  | `storage/${WriteFailure}`
  | `host/${HostErrorCode}`;

/** The code of each failure, and a message where the failure's own would not do. */
const FAILURES: Readonly<Record<Failure, readonly [CodeName, words?: (message: string) => string]>> = {
  'camera/lost': ['Camera.Lost'], // the camera's own message says what to do
  'camera/closed': ['Camera.Lost'],
  'camera/no-frame': ['Camera.NoPicture', (message) => `${message}: wait for the next picture`],
  'camera/stale': ['Camera.NoPicture', (message) => `${message}: wait for the next picture`],
  'picture/too-large': ['Camera.NoPicture'],
  'picture/not-jpeg': ['Camera.NoPicture'],
  'picture/undecodable': ['Camera.NoPicture'],
  'model/timeout': ['Model.NotReady'],
  'model/unavailable': ['Model.NotReady'],
  'model/busy': ['Model.NotReady'],
  'model/closed': ['Model.NotReady'],
  'model/bad-input': ['Camera.NoPicture'],
  'model/bad-output': ['Camera.NoPicture'],
  'storage/full': ['Internal.StorageFull', () => FULL],
  'storage/refused': [
    'Internal.StorageRefused',
    (message) => `the device cannot write: ${message}; nothing was changed`,
  ],
  'storage/held': ['Internal.StorageRefused', (message) => `${message}; nothing was changed`],
  'storage/damaged': ['Internal.StorageRefused', () => DAMAGED],
  'host/UPDATE_IN_PROGRESS': ['Device.UpdateRuns'],
  'host/NOT_PERMITTED': ['Device.NotPermitted'],
  'host/UNAVAILABLE': ['Device.NotManaged'],
  'host/TIMEOUT': ['Device.SystemFailed'],
  'host/FAILED': ['Device.SystemFailed'],
};

function failureOf(error: unknown): Failure | null {
  if (error instanceof CameraError) return `camera/${error.code}`;
  if (error instanceof FrameRefused) return `picture/${error.code}`;
  if (error instanceof EmbedderError) return `model/${error.code}`;
  if (error instanceof HostError) return `host/${error.code}`;
  const storage = writeFailure(error);
  return storage === null ? null : `storage/${storage}`;
}

/** Whether the database itself is damaged; a full or failing disk is another matter. */
export const isDamage = (error: unknown): boolean => writeFailure(error) === 'damaged';

/** Returns a failure of a part below as one with a code of the interface, and any other error unchanged. */
export function recognitionFailure(cause: unknown): unknown {
  const failure = failureOf(cause);
  if (failure === null) return cause;
  const [code, words = (message) => message] = FAILURES[failure];
  return new RecognitionError(code, words(messageOf(cause)), { cause });
}

/** Runs work, and translates its failures. @throws {RecognitionError} */
export async function withFailureCodes<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw recognitionFailure(error);
  }
}
