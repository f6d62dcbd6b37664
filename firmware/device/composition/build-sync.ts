/**
 * Builds synchronisation, and the reports of a store's lanes to their master; their routes are on recognition's port.
 */

import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { decodePart } from '../../../drivers/lib/subject-part.ts';
import { degraded } from '../../core/host/index.ts';
import type { Sealer } from '../../core/store/index.ts';
import type { Backups } from '../../features/backup/index.ts';
import type { LaneBatch, LanePlace, Terminal } from '../../payments/index.ts';
import { LaneReporter, openLaneDoor, Sync, type SyncTuning } from '../../sync/index.ts';
import { reasonOf } from '../../sync/reason-records.ts';
import type { Base } from '../base.ts';

export function buildSync(
  base: Base,
  sealer: Sealer,
  tuning: SyncTuning = {},
  onPairing: (serial: string, refusal: string | null) => void = () => undefined,
): Sync {
  const device = { ...base, config: base.config.sync, instance: randomUUID(), onPairing };
  const sync = new Sync(device, sealer, tuning);
  sync.count(base.metrics);
  sync.watch(base.health);
  return sync;
}

/** The payments of a store's lanes, which its master reconciles; nothing is sent before the start. */
export function buildLaneReports(
  base: Base,
  terminal: Terminal,
  sync: Sync,
  backups: Pick<Backups, 'last'>,
): LaneReporter {
  const { serial, health, log } = base;
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
  const reporter = new LaneReporter(base, terminal.laneFeed(backups.last?.at ?? 0), sync.line, isSlave);
  health.add('lane-payments', () => {
    const { problem } = reporter;
    return problem === null ? null : degraded(reasonOf('lane-payments', { detail: problem }));
  });
  return reporter;
}
