/**
 * Connects the payments of a lane to its store: a slave reports them to its master, and a master stores those of its
 * lanes.
 */
import { messageOf } from '../../drivers/lib/errors.ts';
import { decodePart } from '../../drivers/lib/text.ts';
import { type Clock, degradedBy, type HealthBoard, type Log } from '../core/host/index.ts';
import type { LaneBatch, LanePlace, Terminal } from '../payments/index.ts';
import { LaneReporter, openLaneSender } from './lane-reporter.ts';
import { reasonOf } from './reason-records.ts';
import type { Sync } from './sync.ts';

interface Base {
  readonly serial: string;
  readonly clock: Clock;
  readonly health: HealthBoard;
  readonly log: Log;
}

/**
 * Opens the reports of payments, which the master reconciles. The result reports nothing before its `start`.
 * @param restoredAt when a backup was restored last, ms since 1970; 0: never
 */
export function openLaneReports(base: Base, terminal: Terminal, sync: Sync, restoredAt: number): LaneReporter {
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
  const store = (part: string, batch: LaneBatch): LanePlace => {
    const lane = decodePart(part);
    if (lane === null || lane === serial) throw new Error(`${part} is no other device`);
    return terminal.lanePayments.store(lane, batch);
  };
  let failed: string | null = null;
  sync.line.onServe((connection) =>
    openLaneSender(connection, store, (err) => {
      if (failed !== messageOf(err))
        log.warn({ err }, 'payments of another lane could not be kept; it sends them again');
      failed = messageOf(err);
    }),
  );
  const reporter = new LaneReporter(base, terminal.laneFeed(restoredAt), sync.line, isSlave);
  health.add('lane-payments', () => {
    const { problem } = reporter;
    const { setAside } = terminal.lanePayments;
    if (setAside !== null) return degradedBy(reasonOf('lane-payments-aside', { file: setAside }));
    return problem === null ? null : degradedBy(reasonOf('lane-payments', { detail: problem }));
  });
  return reporter;
}
