/** Builds what joins a device to the others of its store, and the backups of what it has. */
import { randomUUID } from 'node:crypto';
import { VERSION } from '../../../drivers/lib/version.ts';
import { notePairing } from '../../core/audit/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { addBackupRoutes, Backups } from '../../features/backup/index.ts';
import { featureDatabases } from '../../features.ts';
import { addSyncRoutes, openLaneReports, Sync, type SyncTuning } from '../../sync/index.ts';
import { type Base, partOf } from './base.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** Builds synchronisation, whose routes are on recognition's port. */
export function buildSync(
  base: Base,
  sealer: Sealer,
  tuning: SyncTuning = {},
  onPairing: (serial: string, refusal: string | null) => void = () => undefined,
): Sync {
  const device = { ...base, own: base.health.own, config: base.config.sync, instance: randomUUID(), onPairing };
  const sync = new Sync(device, sealer, tuning);
  sync.count(base.metrics);
  sync.watch(base.health);
  return sync;
}

/** The other devices of the store; `rounds` begin once there is something to keep equal. */
export const store = {
  name: 'store',
  open: ({ base, sealer, audit, standIns }: Has<'base' | 'sealer' | 'audit' | 'standIns'>): Opened<Has<'sync'>> => [
    { sync: buildSync(partOf(base, 'sync'), sealer, standIns.tuning?.sync, notePairing(audit)) },
  ],
};

/** Keeps items and templates equal to those of the store. */
export const rounds = {
  name: 'rounds',
  open: ({ sync, recognition }: Has<'sync' | 'recognition'>): Opened<object> => [
    {},
    {
      addRoutes: (app) => addSyncRoutes(app, sync),
      start: () => sync.start(recognition),
      close: () => sync.close(),
    },
  ],
};

/** All that a shop has in this device, as one file. */
export const backup = {
  name: 'backup',
  open: async ({
    base,
    sealer,
    terminal,
    restart,
  }: Has<'base' | 'sealer' | 'terminal' | 'restart'>): Promise<Opened<Has<'backups'>>> => {
    const { clock, dataDir, serial } = base;
    const home = { folder: dataDir.path, sealer, version: VERSION, databases: featureDatabases };
    const backups = new Backups(
      home,
      serial,
      () => clock.wall(),
      restart,
      () => terminal.checkLedger(),
    );
    if (backups.last !== null) await terminal.compareShifts();
    return [{ backups }, { addRoutes: (app) => addBackupRoutes(app, backups) }];
  },
};

/** Sends the payments of this lane to the master, which reconciles the store. */
export const laneReports = {
  name: 'lane-reports',
  open: ({ base, terminal, sync, backups }: Has<'base' | 'terminal' | 'sync' | 'backups'>): Opened<object> => [
    {},
    openLaneReports(partOf(base, 'chain'), terminal, sync, backups.last?.at ?? 0),
  ],
};
