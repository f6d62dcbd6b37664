/** This device, as the parts of synchronisation know it. */
import type { DataDir } from '../core/files/index.ts';
import type { Clock, Log, OwnFailures } from '../core/host/index.ts';
import type { SyncConfig } from './config.ts';

export interface OwnDevice {
  readonly serial: string;
  readonly version: string;
  /** Names this process. */
  readonly instance: string;
  readonly config: SyncConfig;
  readonly dataDir: DataDir;
  readonly clock: Clock;
  readonly log: Log;
  readonly own: OwnFailures;
  /** Called for each device that was paired, or with the reason why it was not. */
  readonly onPairing: (serial: string, refusal: string | null) => void;
}
