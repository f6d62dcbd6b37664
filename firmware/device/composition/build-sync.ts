/** Synchronisation put together; its routes are on the port of recognition. */

import { Sync, type SyncOptions } from '../../sync/index.ts';
import type { Base } from '../base.ts';

/** What the base does not have, and what tests shorten. */
type SyncParts = Pick<SyncOptions, 'sealer'> &
  Pick<SyncOptions, 'onPairing' | 'orphanMs' | 'keepMs' | 'stuckMs' | 'openServer'>;

export function buildSync(base: Base, parts: SyncParts): Sync {
  const { config, dataDir, clock, serial, version, health, metrics, log } = base;
  return new Sync({ config: config.sync, dataDir, clock, serial, version, health, metrics, log, ...parts });
}
