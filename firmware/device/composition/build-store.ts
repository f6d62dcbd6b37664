/** Builds what joins a device to the others of its store, and the backups of what it has. */
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { decodePart } from '../../../drivers/lib/text.ts';
import { VERSION } from '../../../drivers/lib/version.ts';
import { notePairing } from '../../core/audit/index.ts';
import { degradedBy } from '../../core/host/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { addBackupRoutes, Backups } from '../../features/backup/index.ts';
import { featureDatabases } from '../../features.ts';
import type { LaneBatch, LanePlace } from '../../payments/index.ts';
import { addSyncRoutes, LaneReporter, openLaneDoor, Sync, type SyncTuning } from '../../sync/index.ts';
import { reasonOf } from '../../sync/reason-records.ts';
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

/** The payments of a store's lanes, which its master reconciles; nothing is sent before the start. */
function openLaneReports(base: Base, { terminal, sync, backups }: Has<'terminal' | 'sync' | 'backups'>): LaneReporter {
  const { serial, health, log } = base;
  const isSlave = (): boolean => sync.status().role === 'slave';
  const others = (): string[] => {
    const { devices } = sync.status();
    return devices.map((device) => device.serial).filter((each) => each !== serial);
  };
  terminal.accounts.belongTo({
    master: () => (isSlave() ? sync.info().masterSN : null),
    devices: () => (sync.isMaster ? others() : null),
    addressOf: (lane) => sync.status().devices.find((device) => device.serial === lane)?.status?.address ?? null,
  });
  const take = (part: string, batch: LaneBatch): LanePlace => {
    const lane = decodePart(part);
    if (lane === null || lane === serial) throw new Error(`${part} is no other device`);
    return terminal.lanePayments.take(lane, batch);
  };
  let failed: string | null = null;
  sync.line.onServe((connection) =>
    openLaneDoor(connection, take, (err) => {
      if (failed !== messageOf(err))
        log.warn({ err }, 'payments of another lane could not be kept; it sends them again');
      failed = messageOf(err);
    }),
  );
  const reporter = new LaneReporter(base, terminal.laneFeed(backups.last?.at ?? 0), sync.line, isSlave);
  health.add('lane-payments', () => {
    const { problem } = reporter;
    const { setAside } = terminal.lanePayments;
    if (setAside !== null) return degradedBy(reasonOf('lane-payments-aside', { file: setAside }));
    return problem === null ? null : degradedBy(reasonOf('lane-payments', { detail: problem }));
  });
  return reporter;
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
  open: ({ base, ...around }: Has<'base' | 'terminal' | 'sync' | 'backups'>): Opened<object> => [
    {},
    openLaneReports(partOf(base, 'chain'), around),
  ],
};
