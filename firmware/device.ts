/** Composition root: which driver, service and router talks to which. No logic. The parts are built by `build-*.ts`. */
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { openCamera } from '../drivers/camera/registry.ts';
import { openGpio } from '../drivers/gpio/registry.ts';
import { noteButton, noteCode, notePairing, noteRelease } from './audit/own-deeds.ts';
import { AuditTrail } from './audit/trail.ts';
import { Backups } from './backup/backups.ts';
import { openBase, partOf } from './base.ts';
import { Board } from './board/watch-board.ts';
import {
  buildChain,
  buildDesired,
  buildFollower,
  buildReader,
  buildReleases,
  buildStoreTemplates,
  buildUpward,
  type DesiredParts,
} from './build-chain.ts';
import { buildClaims, isConfigured, openHandedOver, openTokens, pairingOf } from './build-claim.ts';
import { buildRecognition, serveRecognition } from './build-recognition.ts';
import { buildSignIn } from './build-sign-in.ts';
import { buildSync } from './build-sync.ts';
import { buildTerminal, serveTerminal, serveTerminalToo } from './build-terminal.ts';
import type { Config } from './config/load.ts';
import { isLoopbackHost } from './config/loopback.ts';
import { addAuditRoutes } from './console/audit-routes.ts';
import { addLogRoutes } from './console/device/log-routes.ts';
import { addMachineRoutes } from './console/device/machine-routes.ts';
import { addConsoleRoutes } from './console/router.ts';
import { SystemClock, type Timekeeper, watchClock } from './host/clock.ts';
import { countHealth } from './host/count-health.ts';
import { judged, type Reason } from './host/faults.ts';
import { NO_HOST } from './host/host.ts';
import { LastTime } from './host/last-time.ts';
import type { LogLine } from './host/log.ts';
import { LogRing } from './host/log-ring.ts';
import { openHost } from './host/systemd/systemd-host.ts';
import { VERSION } from './host/version.ts';
import { openAccess } from './http/access.ts';
import { CallLog } from './http/calls/call-log.ts';
import { EventStreamPool } from './http/connections/event-stream-pool.ts';
import { listen } from './http/connections/listen.ts';
import { certificateNames } from './http/guard/own-hosts.ts';
import { addServiceRoutes } from './http/server.ts';
import { Embedder } from './recognition/embedding/embedder.ts';
import { addSystemRoutes, ExtraInfoStore } from './recognition/http/routes-system.ts';
import { addClaimRoutes } from './recognition/http/v1/access/claim-routes.ts';
import { addPinRoutes } from './recognition/http/v1/access/pin-routes.ts';
import { addSessionRoutes } from './recognition/http/v1/access/session-routes.ts';
import { addBackupRoutes } from './recognition/http/v1/backups/backup-routes.ts';
import { RECOGNITION_PROBLEMS } from './recognition/http/v1/problem-advice.ts';
import { TrayPanel } from './recognition/tray-panel.ts';
import { openSealer } from './store/sealer.ts';
import { addChainRoutes } from './sync/http/chain-routes.ts';
import { addSyncRoutes } from './sync/http/routes.ts';
import type { TerminalOptions } from './terminal/terminal.ts';
import { openTls } from './tls/open.ts';

const SHIPPED_MODEL = fileURLToPath(new URL('../models/lane-embed-1.json', import.meta.url));

export interface Device {
  readonly urls: { readonly terminal: string; readonly recognition: string; readonly sandbox: string | null };
  /** What callers from the network are shown; null where they speak no TLS. */
  readonly certificate: { readonly fingerprint: string; readonly isOwn: boolean } | null;
  close(): Promise<void>;
}

/** What stands in for hardware and time where a whole lane is simulated. */
export interface StandIns {
  /** What the clocks of the device and of its sandbox bank run by. */
  readonly time?: Timekeeper;
  readonly openDisplay?: TerminalOptions['openDisplay'];
  readonly firstDisplays?: TerminalOptions['firstDisplays'];
}

interface StartOptions extends StandIns {
  /** The last lines of the log that is given; none are told where it is left out. */
  readonly lines?: LogRing;
  /** What is wrong with the configuration, in words; nothing when left out. */
  readonly configDoubts?: readonly Reason[];
  /** What the store's chain wants configured, where that can be followed. */
  readonly fromChain?: DesiredParts | null;
  /** Has the device start anew; left out where a person must. */
  readonly restart?: (() => void) | null;
}

async function startSandbox(
  config: Config['sandboxBank'],
  dataFile: string,
  log: FastifyBaseLogger,
  time: Timekeeper | undefined,
) {
  if (!config.enabled) return null;
  const { startSandboxBank } = await import('./sandbox-bank/server.ts');
  const clock = time === undefined ? {} : { clock: new SystemClock(0, { source: time }) };
  return startSandboxBank({ host: config.host, port: config.port, dataFile, log, ...clock });
}

async function openEyes(config: Config, lines: LogLine) {
  const [camera, embedder] = await Promise.all([
    openCamera(config.camera, { log: lines }),
    Embedder.load({ manifestPath: config.model.manifest ?? SHIPPED_MODEL, log: lines }),
  ]);
  return { camera, embedder };
}

/** Opens and builds all that serves no call yet. */
async function buildParts(
  config: Config,
  log: FastifyBaseLogger,
  { time, configDoubts = [], fromChain = null, restart = null, lines = new LogRing(), ...standIns }: StartOptions,
) {
  const base = openBase(config, log, time);
  const { dataDir, clock, health } = base;
  health.add('configuration', () => judged(configDoubts));
  const lastTime = new LastTime(clock, dataDir.file('last-time'), (err) =>
    log.warn({ err }, 'the last known time could not be read or saved'),
  );
  const audit = new AuditTrail({ folder: dataDir.file('audit'), clock, health });
  const sandbox = await startSandbox(config.sandboxBank, dataDir.file('sandbox.db'), log, time);
  const sealer = openSealer(dataDir.file('secret.key'), process.env.CREDENTIALS_DIRECTORY, clock.wall());
  if (sealer.keySetAside !== null)
    log.warn({ file: sealer.keySetAside }, 'the key of the secrets was damaged and set aside: they must be sent again');
  const tokens = openTokens(base, sealer);
  const signIn = buildSignIn(base, sealer, tokens);
  const handedOver = openHandedOver(base, tokens);
  await handedOver.takeTokens();
  const terminal = buildTerminal(partOf(base, 'terminal'), { sealer, sandboxUrl: sandbox?.url ?? null, ...standIns });
  const claims = buildClaims(base, { terminal, tokens });
  if (terminal.ledger.isOpen) lastTime.take(terminal.ledger.latestMoment());
  const chainBase = partOf(base, 'chain');
  const chain = buildChain(chainBase, sealer);
  const sync = buildSync(partOf(base, 'sync'), { sealer, chain, onPairing: notePairing(audit) });
  const backups = new Backups({
    ...{ folder: dataDir.path, sealer, version: VERSION, device: base.serial, restart },
    wall: () => clock.wall(),
  });
  const host = openHost(process.env, NO_HOST);
  watchClock(health, clock);
  const board = new Board({
    ...{ folder: dataDir.path, version: VERSION },
    ...{ monotonic: () => clock.monotonic(), wall: () => clock.wall() },
  });
  board.watch(health);
  board.count(base.metrics);
  countHealth(base.metrics, base);
  const { camera, embedder } = await openEyes(config, (message, details = {}) =>
    partOf(base, 'recognition').log.info(details, message),
  );
  const recognition = buildRecognition(partOf(base, 'recognition'), {
    camera,
    embedder,
    marks: sync.marks,
    setSystemTime: (sec, usec) => host.setTime(sec, usec).finally(() => lastTime.save()),
  });
  lastTime.take(recognition.templates.latestMoment());
  const reader = buildReader(chainBase, chain);
  const follower = buildFollower(chainBase, chain, reader);
  const releases = buildReleases(chainBase, chain, { sync, follower });
  const storeTemplates = buildStoreTemplates(chainBase, chain, { reader, recognition, sync });
  const desired = fromChain && buildDesired(chainBase, chain, { ...fromChain, reader, terminal, board });
  const upward = buildUpward(chainBase, {
    board,
    chain,
    desired,
    follower,
    storeTemplates,
    terminal,
    recognition,
    sync,
  });
  return {
    base,
    lines,
    board,
    lastTime,
    audit,
    sandbox,
    tokens,
    signIn,
    handedOver,
    terminal,
    claims,
    chain,
    follower,
    releases,
    storeTemplates,
    desired,
    upward,
    sync,
    backups,
    host,
    embedder,
    recognition,
  };
}

type Parts = Awaited<ReturnType<typeof buildParts>>;

/** The servers of both interfaces with all their routes; they do not listen yet. @param terminalUrl asked once they do */
async function buildServers(
  {
    base,
    lines,
    board,
    audit,
    sandbox,
    tokens,
    signIn,
    terminal,
    claims,
    chain,
    releases,
    desired,
    sync,
    backups,
    host,
    recognition,
  }: Parts,
  terminalUrl: () => string,
) {
  const { config, dataDir, clock, health, metrics, logger: log } = base;
  const tls = await openTls({
    config,
    names: () => certificateNames(config.api.hosts),
    file: dataDir.file('tls.pem'),
    clock,
    log,
    health,
  });
  const access = openAccess(config.api, clock, tls, { made: tokens, sessions: signIn });
  const streams = new EventStreamPool(access.eventStreams, access.guard);
  const calls = new CallLog();
  const desk = { log: calls, terminalUrl };
  const terminalApp = await serveTerminal(partOf(base, 'terminal'), terminal, { access, audit, streams, desk });
  const recognitionApp = await serveRecognition(partOf(base, 'recognition'), recognition, {
    access,
    audit,
    sync,
    streams,
  });
  addSystemRoutes(recognitionApp, host, new ExtraInfoStore(dataDir.file('extra-info.json')));
  addSyncRoutes(recognitionApp, sync);
  addChainRoutes(recognitionApp, chain, { releases: releases.files, desired: () => desired?.report ?? null });
  await addBackupRoutes(recognitionApp, backups);
  addClaimRoutes(recognitionApp, { claims, tokens, isConfigured: isConfigured(config.api) });
  addSessionRoutes(recognitionApp, { signIn, guard: access.guard });
  addPinRoutes(recognitionApp, signIn.pins);
  await serveTerminalToo(base, recognitionApp, terminal, { streams, desk });
  addConsoleRoutes(recognitionApp, {
    streams,
    terminal,
    items: recognition.revision,
    uncertain: recognition.doubts.revision,
    health,
    clock,
    calls,
    lines,
    sandboxUrl: sandbox?.url ?? null,
    displayLanguage: config.terminal.displayLanguage,
    terminalUrl,
    terminalApi: () => terminalApp.swagger(),
    terminalOnNetwork: !isLoopbackHost(config.terminal.host),
    needsToken: () => access.guard.asksForToken,
    onClaimRead: () => claims?.isRead(),
    tls,
  });
  addAuditRoutes(recognitionApp, audit);
  addLogRoutes(recognitionApp, lines);
  addMachineRoutes(recognitionApp, host, {
    ...{ name: base.serial, version: VERSION, board, clock },
    modes: () => ({
      sandbox: sandbox !== null && terminal.settings.active?.profile.bankName === 'Sandbox',
      tls: tls !== null,
      network: !isLoopbackHost(config.recognition.host),
      needsToken: access.guard.asksForToken,
      camera: config.camera.driver,
      displayLanguage: config.terminal.displayLanguage,
    }),
  });
  addServiceRoutes(recognitionApp, metrics, RECOGNITION_PROBLEMS);
  return { tls, terminalApp, recognitionApp };
}

/** Starts the parts, in the order in which each needs those before. */
async function startParts(parts: Parts): Promise<TrayPanel> {
  const {
    base,
    audit,
    handedOver,
    terminal,
    claims,
    chain,
    follower,
    releases,
    storeTemplates,
    desired,
    upward,
    sync,
    recognition,
  } = parts;
  const { config, dataDir, health, logger: log } = base;
  await noteRelease(audit, dataDir.file('audit/last-release'), VERSION);
  await terminal.start();
  recognition.start();
  chain.start(sync);
  sync.start(recognition);
  follower.start();
  releases.cache.start();
  storeTemplates.start();
  desired?.start();
  upward.start();
  handedOver.pairWith(pairingOf(sync));
  return TrayPanel.open({
    config: config.gpio,
    open: openGpio,
    recognition,
    health,
    onLearned: noteButton(audit),
    onHeld: () => claims && noteCode(audit)(claims.callUp()),
    log,
  });
}

/** Of an address that `listen` gives. */
const portOf = (url: string): number => Number(new URL(url).port || 80);

/** @throws when a port or the data folder is in use */
export async function startDevice(config: Config, log: FastifyBaseLogger, options: StartOptions = {}): Promise<Device> {
  const parts = await buildParts(config, log, options);
  const {
    base,
    board,
    lastTime,
    audit,
    sandbox,
    signIn,
    handedOver,
    terminal,
    claims,
    chain,
    follower,
    releases,
    storeTemplates,
    desired,
    upward,
    sync,
    embedder,
    recognition,
  } = parts;
  const { tls, terminalApp, recognitionApp } = await buildServers(parts, () => urls.terminal);
  const panel = await startParts(parts);
  const urls = {
    terminal: await listen(terminalApp, config.terminal),
    recognition: await listen(recognitionApp, config.recognition),
    sandbox: sandbox?.url ?? null,
  };
  base.ports.terminal = portOf(urls.terminal);
  base.ports.recognition = portOf(urls.recognition);
  claims?.begin(); // its address is known now
  // only now: until the ports are open, the payment terminal needs both cores
  void embedder.start().then(() => recognition.startEyes());
  const close = async (): Promise<void> => {
    claims?.close();
    handedOver.close();
    await terminal.halt();
    await Promise.all([terminalApp.close(), recognitionApp.close()]);
    await releases.cache.close();
    await Promise.all([upward.close(), follower.close(), storeTemplates.close(), desired?.close()]);
    await sync.close();
    await chain.close();
    await terminal.close();
    panel.close();
    await recognition.close();
    signIn.close();
    await audit.close();
    await sandbox?.close();
    lastTime.close();
    board.close();
    tls?.close();
    base.dataDir.release();
  };
  const certificate = tls === null ? null : { fingerprint: tls.pair.fingerprint, isOwn: tls.isOwn };
  return { urls, certificate, close };
}
