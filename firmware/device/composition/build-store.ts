/** The parts of synchronisation with the other devices of a store, of reports to its master, and of backups. */
import { randomUUID } from 'node:crypto';
import { VERSION } from '../../../drivers/lib/version.ts';
import { recordPairing } from '../../core/audit/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { addBackupRoutes, Backups } from '../../features/backup/index.ts';
import { featureDatabases } from '../../features.ts';
import { addSyncRoutes, openLaneReports, Sync, type SyncTuning } from '../../sync/index.ts';
import { type Base, partOf } from './base.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** Builds synchronisation; its routes are added later, to the recognition port. */
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

/** Synchronisation with the other devices of the store; the part `rounds` starts it once recognition is open. */
export const store = {
  name: 'store',
  open: ({ base, sealer, audit, standIns }: Has<'base' | 'sealer' | 'audit' | 'standIns'>): Opened<Has<'sync'>> => [
    { sync: buildSync(partOf(base, 'sync'), sealer, standIns.tuning?.sync, recordPairing(audit)) },
  ],
};

/** Starts synchronisation of items and templates, and adds its calls. */
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

/** Backups of the device's data. */
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

/** Reports the payments of this lane to the master, which reconciles the store. */
export const laneReports = {
  name: 'lane-reports',
  open: ({ base, terminal, sync, backups }: Has<'base' | 'terminal' | 'sync' | 'backups'>): Opened<object> => [
    {},
    openLaneReports(partOf(base, 'chain'), terminal, sync, backups.last?.at ?? 0),
  ],
};
