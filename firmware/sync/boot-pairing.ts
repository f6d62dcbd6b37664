/** Pairs this device with the master that a file on the boot partition names. */
import { RecognitionError } from '../recognition/index.ts';
import { SyncError, type SyncErrorCode } from './errors.ts';
import type { Sync } from './sync.ts';

/** Errors that another try with the same code would meet again. */
const FINAL: ReadonlySet<SyncErrorCode> = new Set(['unauthorised', 'wrong-certificate', 'refused']);

const isFinal = (error: unknown): boolean =>
  error instanceof SyncError
    ? FINAL.has(error.code)
    : error instanceof RecognitionError && error.codeName === 'RequestParams.InvalidField';

interface Master {
  readonly host: string;
  readonly port: number;
  readonly code: string;
}

export const bootPairing = (sync: Sync) => ({
  isPaired: () => sync.status().role !== 'standalone',
  pair: ({ host, port, code }: Master) => sync.becomeSlave({ host, port, code, upload: true, download: true }),
  isFinal,
});
