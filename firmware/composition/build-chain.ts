/** The way of a store to its chain put together; its routes are on the port of recognition. */
import { messageOf } from '../../drivers/lib/errors.ts';
import type { Backups } from '../backup/index.ts';
import type { Base } from '../base.ts';
import type { Board } from '../board/index.ts';
import type { Upward } from '../chain/index.ts';
import { degraded, reasonOf } from '../host/index.ts';
import type { Recognition } from '../recognition/index.ts';
import type { Sealer } from '../store/index.ts';
import { decodePart, encodePart, LaneReporter, openLaneDoor, type Sync } from '../sync/index.ts';
import type { LaneBatch, LanePlace, Terminal } from '../terminal/index.ts';

interface UpwardParts {
  readonly sealer: Sealer;
  readonly board: Board;
  readonly terminal: Terminal;
  readonly recognition: Recognition;
  readonly sync: Sync;
}

/** What makes the name of an event that goes up one that nobody guesses. */
const NAMING_PURPOSE = 'name of an event';

/** What the device sends to its chain unasked, loaded where one is configured; not before it is started. */
export async function buildUpward(
  base: Base,
  { sealer, board, terminal, recognition, sync }: UpwardParts,
): Promise<Upward | null> {
  const { config, dataDir, serial, clock, health, metrics, log } = base;
  if (config.chain.urls.length === 0) return null;
  const { Upward } = await import('../chain/upward.ts');
  const { templates } = recognition;
  const upward = new Upward({
    config: config.chain,
    speaker: {
      serial,
      part: encodePart(serial),
      nameOf: (event) => sealer.digest(event, NAMING_PURPOSE).toString('base64url'),
    },
    path: dataDir.file('chain-payments.json'),
    feed: terminal.events,
    role: () => sync.status().role,
    counts: () => ({
      items: templates.itemCount(),
      templates: templates.templateCount(),
      openPayments: terminal.payments.waiting,
    }),
    undone: () => board.undone,
    ...{ health, metrics, clock, log },
  });
  terminal.keepEventsFor(upward.payments);
  return upward;
}

interface LaneReportParts {
  readonly terminal: Terminal;
  readonly sync: Sync;
  readonly backups: Pick<Backups, 'last'>;
}

/** Payments of a store's lanes, which its master reconciles; nothing is sent before it is started. */
export function buildLaneReports(base: Base, { terminal, sync, backups }: LaneReportParts): LaneReporter {
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
