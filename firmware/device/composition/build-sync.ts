/** Synchronisation, and what a store's lanes report to their master, put together; the routes are on the port of recognition. */

import { messageOf } from '../../../drivers/lib/errors.ts';
import { decodePart, encodePart } from '../../../drivers/lib/subject-part.ts';
import { degraded } from '../../core/host/index.ts';
import type { Backups } from '../../features/backup/index.ts';
import type { LaneBatch, LanePlace, Terminal } from '../../payments/index.ts';
import { LaneReporter, openLaneDoor, Sync, type SyncOptions } from '../../sync/index.ts';
import { reasonOf } from '../../sync/reason-records.ts';
import type { Base } from '../base.ts';

/** What the base does not have, and what tests shorten. */
type SyncParts = Pick<SyncOptions, 'sealer'> &
  Pick<SyncOptions, 'onPairing' | 'orphanMs' | 'keepMs' | 'stuckMs' | 'openServer'>;

export function buildSync(base: Base, parts: SyncParts): Sync {
  const { config, dataDir, clock, serial, version, health, metrics, log } = base;
  return new Sync({ config: config.sync, dataDir, clock, serial, version, health, metrics, log, ...parts });
}

/** Payments of a store's lanes, which its master reconciles; nothing is sent before it is started. */
export function buildLaneReports(
  base: Base,
  terminal: Terminal,
  sync: Sync,
  backups: Pick<Backups, 'last'>,
): LaneReporter {
  const { serial, clock, health, log } = base;
  const isSlave = (): boolean => sync.status().role === 'slave';
  const others = (): string[] => {
    const { devices } = sync.status();
    return devices.map((device) => device.serial).filter((each) => each !== serial);
  };
  terminal.accounts.belongTo({
    master: () => (isSlave() ? sync.info().masterSN : null),
    devices: () => (sync.isMaster ? others() : null),
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
  const reporter = new LaneReporter({
    ...{ isSlave, clock, link: sync.line, part: encodePart(serial) },
    feed: terminal.laneFeed(backups.last?.at ?? 0),
    log: (message, details = {}) => log.warn(details, message),
  });
  health.add('lane-payments', () => {
    const { problem } = reporter;
    if (problem === null) return null;
    const sentence = `the master of the store takes no payments of this device for its reconciliation (${problem}): they are kept here, and sent again. Look at the master`;
    return degraded(reasonOf('lane-payments', { detail: problem }, sentence));
  });
  return reporter;
}
