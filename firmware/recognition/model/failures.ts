/**
 * Translates failures of cameras, pictures, models, stores and the host into the codes of the device's interface
 * (`codes.ts`).
 */
import {
  CameraError,
  type CameraErrorCode,
  type FrameRefusalCode,
  FrameRefused,
} from '../../../drivers/camera/contract.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type WriteFailure, writeFailure } from '../../core/files/index.ts';
import { HostError, type HostErrorCode } from '../../core/host/index.ts';
import { type CodeName, RecognitionError } from './codes.ts';
import { EmbedderError, type EmbedderErrorCode } from './embedder-error.ts';

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
  'camera/lost': ['cameraLost'], // why it is lost says what to do
  'camera/closed': ['cameraLost'],
  'camera/no-frame': ['frameUnusable', (message) => `${message}: wait for the next picture`],
  'camera/stale': ['frameUnusable', (message) => `${message}: wait for the next picture`],
  'picture/too-large': ['frameUnusable'],
  'picture/not-jpeg': ['frameUnusable'],
  'picture/undecodable': ['frameUnusable'],
  'model/timeout': ['algorithmTimeout'],
  'model/unavailable': ['algorithmTimeout'],
  'model/busy': ['algorithmTimeout'],
  'model/closed': ['algorithmTimeout'],
  'model/bad-input': ['frameUnusable'],
  'model/bad-output': ['frameUnusable'],
  'storage/full': ['storageFull', () => FULL],
  'storage/refused': ['fileWrite', (message) => `the device cannot write: ${message}; nothing was changed`],
  'storage/held': ['fileWrite', (message) => `${message}; nothing was changed`],
  'storage/damaged': ['fileWrite', () => DAMAGED],
  'host/UPDATE_IN_PROGRESS': ['resetDuringUpdate'],
  'host/NOT_PERMITTED': ['hostRefused'],
  'host/UNAVAILABLE': ['hostRefused'],
  'host/TIMEOUT': ['hostRefused'],
  'host/FAILED': ['hostRefused'],
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

/** Runs work that may fail so. @throws {RecognitionError} in place of those failures */
export async function withFailureCodes<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw recognitionFailure(error);
  }
}
