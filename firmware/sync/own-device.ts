/** What the parts of synchronisation need of this device. */
import type { DataDir } from '../core/files/index.ts';
import type { Clock, Log, OwnFailures } from '../core/host/index.ts';
import type { SyncConfig } from './config.ts';

export interface OwnDevice {
  readonly serial: string;
  readonly version: string;
  /** Id of this process, new at each start. */
  readonly instance: string;
  readonly config: SyncConfig;
  readonly dataDir: DataDir;
  readonly clock: Clock;
  readonly log: Log;
  readonly own: OwnFailures;
  /** Called on a master for each device that was paired (`refusal` null) or refused. */
  readonly onPairing: (serial: string, refusal: string | null) => void;
}
