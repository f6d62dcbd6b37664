/** Builds all parts that serve no calls, each from the parts before it. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { openCamera } from '../../../drivers/camera/registry.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import { decodePart } from '../../../drivers/lib/text.ts';
import { VERSION } from '../../../drivers/lib/version.ts';
import { openPages, type PageFiles } from '../../console/index.ts';
import { AuditTrail, notePairing } from '../../core/audit/index.ts';
import { Board } from '../../core/board/index.ts';
import { type Config, configOf } from '../../core/config/index.ts';
import {
  CertainTime,
  countHealth,
  countLosses,
  degraded,
  degradedBy,
  LastTime,
  type LogLine,
  type LogOutput,
  LogRing,
  type Metrics,
  openHost,
  Shop,
  SystemClock,
  type Timekeeper,
  takeZone,
  watchClock,
} from '../../core/host/index.ts';
import { openSealer, type Sealer } from '../../core/secrets/index.ts';
import { Backups } from '../../features/backup/index.ts';
import { featureDatabases } from '../../features.ts';
import {
  catchUpLedger,
  type LaneBatch,
  type LanePlace,
  type Terminal,
  type TerminalOptions,
} from '../../payments/index.ts';
import { Embedder, type TrayPins } from '../../recognition/index.ts';
import { LaneReporter, openLaneDoor, Sync, type SyncTuning } from '../../sync/index.ts';
import { reasonOf } from '../../sync/reason-records.ts';
import { type Base, openBase, partOf } from '../base.ts';
import { buildClaims, buildSignIn, openBootSettings, openTokens } from './build-access.ts';
import { buildRecognition } from './build-recognition.ts';
import { buildTerminal } from './build-terminal.ts';
import { laneOf, openFeatures } from './lane.ts';
import { PAGE_DATA } from './page-data.ts';
import type { Tuning } from './tuning.ts';

export const SHIPPED_MODEL = fileURLToPath(new URL('../../../models/lane-embed-1.json', import.meta.url));
/** Folder of the native runtime: a release has it; `scripts/native.sh` makes it in a clone. */
const NATIVE_RUNTIME = fileURLToPath(new URL('../../../bin/litert', import.meta.url));

/** Replacements of hardware, time and constants for a simulated lane. */
export interface StandIns {
  /** Source of the clocks of the device and its sandbox bank. */
  readonly time?: Timekeeper;
  readonly openDisplay?: TerminalOptions['openDisplay'];
  readonly firstDisplays?: TerminalOptions['firstDisplays'];
  readonly tuning?: Tuning;
}

export interface StartOptions extends StandIns {
  /** The files of the pages; those beside the program when left out. */
  readonly pages?: PageFiles;
  /** The latest lines of the given log; none when left out. */
  readonly lines?: LogRing;
  /** Where the given log is written, to be watched; not watched when left out. */
  readonly output?: LogOutput;
  /** Faults of the configuration, in words; none when left out. */
  readonly configWarnings?: readonly Reason[];
  /**
   * Restarts with the present configuration in place of the last good one. @throws {ConfigError} if it is still wrong
   */
  readonly retryConfig?: (() => void) | null;
  /** Restarts the device; left out where only a person can. */
  readonly restart?: (() => void) | null;
}

async function startSandbox(
  config: Config,
  dataFile: string,
  log: FastifyBaseLogger,
  time: Timekeeper | undefined,
  consolePort: () => number,
) {
  const { SANDBOX_BANK_CONFIG } = await import('../../tools/sandbox-bank/config.ts');
  const { enabled, host, port } = configOf(SANDBOX_BANK_CONFIG, config);
  if (!enabled) return null;
  const { startSandboxBank } = await import('../../tools/sandbox-bank/server.ts');
  const clock = time === undefined ? {} : { clock: new SystemClock(0, time) };
  return startSandboxBank({ host, port, dataFile, log, consolePort, ...clock });
}

async function openEyes(config: Config, metrics: Metrics, lines: LogLine) {
  const noteState = countLosses(metrics, 'camera');
  const [camera, embedder] = await Promise.all([
    openCamera(config.camera, { log: lines, onState: ({ name }) => noteState(name) }),
    Embedder.load({
      manifestPath: config.model.manifest ?? SHIPPED_MODEL,
      native: NATIVE_RUNTIME,
      log: lines,
    }),
  ]);
  return { camera, embedder };
}

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
function buildLaneReports(base: Base, terminal: Terminal, sync: Sync, backups: Pick<Backups, 'last'>): LaneReporter {
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
    if (setAside !== null) return degraded(reasonOf('lane-payments-aside', { file: setAside }));
    return problem === null ? null : degraded(reasonOf('lane-payments', { detail: problem }));
  });
  return reporter;
}

export async function buildParts(
  config: Config,
  log: FastifyBaseLogger,
  {
    time,
    configWarnings = [],
    restart = null,
    retryConfig = null,
    lines = new LogRing(),
    output,
    tuning = {},
    pages = openPages(PAGE_DATA),
    ...standIns
  }: StartOptions,
) {
  const unknownZone = takeZone();
  const base = openBase(config, log, time);
  const { dataDir, clock, health } = base;
  health.add('configuration', () => degradedBy(configWarnings));
  output?.watch(health);
  base.network.watch(health);
  const lastTime = new LastTime(clock, dataDir.file('last-time'), (err) =>
    log.warn({ err }, 'the last known time could not be read or saved'),
  );
  const audit = new AuditTrail(dataDir.file('audit'), clock, health);
  const sealer = openSealer(dataDir.file('secret.key'), process.env.CREDENTIALS_DIRECTORY, clock.wall());
  if (sealer.keySetAside !== null)
    log.warn({ file: sealer.keySetAside }, 'the key of the secrets was damaged and set aside: they must be sent again');
  const consolePort = () => base.ports.recognition;
  const sandbox = await startSandbox(config, dataDir.file('sandbox.db'), log, time, consolePort);
  const tokens = openTokens(base, sealer);
  const signIn = buildSignIn(base, sealer, tokens);
  const bootSettings = openBootSettings(base, tokens);
  await bootSettings.takeTokens();
  await catchUpLedger({
    dataDir,
    serial: base.serial,
    medium: config.terminal.ledgerCopyDir,
    log: (message, details = {}) => partOf(base, 'terminal').log.warn(details, message),
  });
  const terminal = buildTerminal(partOf(base, 'terminal'), sealer, sandbox?.url ?? null, {
    ...standIns,
    pace: tuning.pace,
  });
  const claims = buildClaims(base, terminal, tokens);
  if (terminal.ledger.isOpen) lastTime.take(terminal.ledger.latestMoment());
  const sync = buildSync(partOf(base, 'sync'), sealer, tuning.sync, notePairing(audit));
  const home = { folder: dataDir.path, sealer, version: VERSION, databases: featureDatabases };
  const backups = new Backups(
    home,
    base.serial,
    () => clock.wall(),
    restart,
    () => terminal.checkLedger(),
  );
  if (backups.last !== null) await terminal.compareShifts();
  const host = openHost(process.env);
  const shop = new Shop(dataDir.file('shop.json'));
  if (shop.facts.zone !== null && !host.isManaged) await host.setZone(shop.facts.zone);
  const takesMoney = () => terminal.settings.active !== null && !terminal.isPlayMoney(null);
  watchClock(health, clock, { unknown: unknownZone, isMissed: () => shop.isZoneUnset && takesMoney() });
  const board = new Board(dataDir.path, VERSION, clock);
  board.watch(health);
  const certainTime = new CertainTime(
    clock,
    dataDir.file('certain-time'),
    () => board.isSynchronised,
    (err) => log.warn({ err }, 'the time that has certainly passed could not be read or saved'),
  );
  board.count(base.metrics);
  countHealth(base.metrics, base);
  const { camera, embedder } = await openEyes(config, base.metrics, (message, details = {}) =>
    partOf(base, 'recognition').log.info(details, message),
  );
  const recognition = buildRecognition(partOf(base, 'recognition'), {
    camera,
    embedder,
    marks: sync.marks,
    maxTemplatesPerItem: tuning.maxTemplatesPerItem,
    setSystemTime: (sec, usec) => host.setTime(sec, usec).finally(() => lastTime.save()),
  });
  lastTime.take(recognition.templates.latestMoment());
  let panel: TrayPins | null = null;
  const lane = laneOf(base, { sealer, audit, board, lines, terminal, recognition, sync }, () => {
    if (panel === null) throw new Error('the device has not started');
    return panel;
  });
  const laneReports = buildLaneReports(partOf(base, 'chain'), terminal, sync, backups);
  return {
    base,
    tuning,
    lines,
    pages,
    board,
    lastTime,
    certainTime,
    audit,
    sandbox,
    tokens,
    signIn,
    bootSettings,
    terminal,
    claims,
    lane,
    features: await openFeatures(lane),
    takePanel: (taken: TrayPins): void => {
      panel = taken;
    },
    laneReports,
    sync,
    backups,
    host,
    shop,
    restart,
    retryConfig,
    embedder,
    recognition,
  };
}

export type Parts = Awaited<ReturnType<typeof buildParts>>;
