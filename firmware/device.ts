/** Composition root: which driver, service and router talks to which. No logic. */
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { openCamera } from '../drivers/camera/registry.ts';
import { openDisplay } from '../drivers/display/registry.ts';
import { openGpio } from '../drivers/gpio/registry.ts';
import { noteButton, notePairing, noteRelease } from './audit/own-deeds.ts';
import { AuditTrail } from './audit/trail.ts';
import type { Config } from './config/load.ts';
import { isLoopbackHost } from './config/loopback.ts';
import { addAuditRoutes } from './console/audit-routes.ts';
import { SHIPPED_MODEL_SEES } from './console/console-view.ts';
import { addConsoleRoutes } from './console/router.ts';
import { SystemClock } from './host/clock.ts';
import { watchClock } from './host/clock-health.ts';
import { HealthBoard } from './host/health.ts';
import { NO_HOST } from './host/host.ts';
import { serialNumber } from './host/identity.ts';
import { LastTime } from './host/last-time.ts';
import type { LogLine } from './host/log.ts';
import { Metrics } from './host/metrics.ts';
import { openHost } from './host/systemd/systemd-host.ts';
import { BUILD_TIME, VERSION } from './host/version.ts';
import { openAccess } from './http/access.ts';
import { EventStreamPool } from './http/connections/event-stream-pool.ts';
import { listen } from './http/connections/listen.ts';
import { certificateNames } from './http/guard/own-hosts.ts';
import { RECOGNITION_ROLES, TERMINAL_ROLES } from './http/guard/roles.ts';
import { addServiceRoutes, createServer, type ServerOptions } from './http/server.ts';
import { Embedder } from './recognition/embedding/embedder.ts';
import { recognitionEnvelope } from './recognition/http/envelope.ts';
import { addRecognitionRoutes } from './recognition/http/router.ts';
import { addSystemRoutes, ExtraInfoStore } from './recognition/http/routes-system.ts';
import { Recognition } from './recognition/recognition.ts';
import { TrayPanel } from './recognition/tray-panel.ts';
import { takeDataDir } from './store/data-dir.ts';
import { openSealer } from './store/sealer.ts';
import { addSyncRoutes } from './sync/http/routes.ts';
import { Sync } from './sync/sync.ts';
import { terminalEnvelope } from './terminal/http/envelope.ts';
import { addTerminalRoutes } from './terminal/http/router.ts';
import { Terminal } from './terminal/terminal.ts';
import { openTls } from './tls/open.ts';

const SHIPPED_MODEL = fileURLToPath(new URL('../models/lane-embed-1.json', import.meta.url));
const MIB = 1024 * 1024;

export interface Device {
  readonly urls: { readonly terminal: string; readonly recognition: string; readonly sandbox: string | null };
  /** What callers from the network are shown; null where they speak no TLS. */
  readonly certificate: { readonly fingerprint: string; readonly isOwn: boolean } | null;
  close(): Promise<void>;
}

async function startSandbox(config: Config['sandboxBank'], dataFile: string, log: FastifyBaseLogger) {
  if (!config.enabled) return null;
  const { startSandboxBank } = await import('./sandbox-bank/server.ts');
  return startSandboxBank({ host: config.host, port: config.port, dataFile, log });
}

async function openEyes(config: Config, lines: LogLine) {
  const [camera, embedder] = await Promise.all([
    openCamera(config.camera, { log: lines }),
    Embedder.load({ manifestPath: config.model.manifest ?? SHIPPED_MODEL, log: lines }),
  ]);
  return { camera, embedder };
}

/** @throws when a port or the data folder is in use */
export async function startDevice(config: Config, log: FastifyBaseLogger): Promise<Device> {
  const dataDir = takeDataDir(config.dataDir);
  const clock = new SystemClock(BUILD_TIME, {
    onDoubt: (wall) => log.warn({ wall }, 'a stored moment is too far ahead to be believed'),
  });
  const lastTime = new LastTime(clock, dataDir.file('last-time'), (err) =>
    log.warn({ err }, 'the last known time could not be read or saved'),
  );
  const metrics = new Metrics();
  const serial = serialNumber(config.serial);
  const health = new HealthBoard(() => ({ version: VERSION, serial, uptimeSeconds: Math.round(process.uptime()) }));
  const audit = new AuditTrail({ folder: dataDir.file('audit'), clock, health });
  const sandbox = await startSandbox(config.sandboxBank, dataDir.file('sandbox.db'), log);
  const sealer = openSealer(dataDir.file('secret.key'), process.env.CREDENTIALS_DIRECTORY, clock.wall());
  if (sealer.keySetAside !== null)
    log.warn({ file: sealer.keySetAside }, 'the key of the secrets was damaged and set aside: they must be sent again');
  const terminal = new Terminal({
    config: config.terminal,
    dataDir,
    clock,
    sealer,
    banks: { cftBaseUrl: config.banks.cft.baseUrl, sandboxBaseUrl: sandbox?.url ?? null },
    openDisplay: (connection, options) =>
      openDisplay(connection, options, { writeDeadlineMs: config.terminal.displayDeadlineMs }),
    health,
    metrics,
    log,
  });
  if (terminal.ledger.isOpen) lastTime.take(terminal.ledger.latestMoment());
  const sync = new Sync({
    config: config.sync,
    dataDir,
    sealer,
    clock,
    serial,
    health,
    log,
    version: VERSION,
    onPairing: notePairing(audit),
  });
  const host = openHost(process.env, NO_HOST);
  watchClock(health, clock);
  const { camera, embedder } = await openEyes(config, (message, details = {}) => log.info(details, message));
  const recognition = new Recognition({
    camera,
    embedder,
    config: config.recognition,
    dataDir,
    clock,
    serial,
    health,
    metrics,
    log,
    marks: sync.marks,
    setSystemTime: (sec, usec) => host.setTime(sec, usec).finally(() => lastTime.save()),
  });
  lastTime.take(recognition.templates.latestMoment());

  const tls = await openTls({
    config,
    names: () => certificateNames(config.api.hosts),
    file: dataDir.file('tls.pem'),
    clock,
    log,
    health,
  });
  const access = openAccess(config.api, clock, tls);
  const shared = { version: VERSION, access, audit, metrics, logger: log };
  const terminalServer: ServerOptions = {
    ...shared,
    name: 'terminal',
    title: 'Laneware payment terminal',
    envelope: terminalEnvelope,
    roles: TERMINAL_ROLES,
  };
  const recognitionServer: ServerOptions = {
    ...shared,
    name: 'recognition',
    title: 'Laneware recognition device',
    envelope: recognitionEnvelope,
    roles: RECOGNITION_ROLES,
  };
  const terminalApp = await createServer(terminalServer);
  addTerminalRoutes(terminalApp, terminal, health, VERSION);
  addServiceRoutes(terminalApp, metrics);
  const recognitionApp = await createServer(recognitionServer);
  await addRecognitionRoutes(recognitionApp, {
    recognition,
    health,
    identity: { version: VERSION, serial, sync: () => sync.info() },
    maxPackageBytes: config.recognition.packageMb * MIB,
  });
  addSystemRoutes(recognitionApp, host, new ExtraInfoStore(dataDir.file('extra-info.json')));
  addSyncRoutes(recognitionApp, sync);
  addConsoleRoutes(recognitionApp, {
    streams: new EventStreamPool(access.eventStreams),
    terminal,
    health,
    clock,
    sandboxUrl: sandbox?.url ?? null,
    terminalUrl: () => urls.terminal,
    terminalOnNetwork: !isLoopbackHost(config.terminal.host),
    needsToken: access.guard.asksForToken,
    tls,
    camera:
      config.camera.driver === 'none'
        ? null
        : { seenShare: config.model.manifest === null ? SHIPPED_MODEL_SEES : null },
  });
  addAuditRoutes(recognitionApp, audit);
  addServiceRoutes(recognitionApp, metrics);

  await noteRelease(audit, dataDir.file('audit/last-release'), VERSION);
  await terminal.start();
  recognition.start();
  sync.start(recognition);
  const panel = await TrayPanel.open({
    config: config.gpio,
    open: openGpio,
    recognition,
    health,
    onLearned: noteButton(audit),
    log,
  });
  const urls = {
    terminal: await listen(terminalApp, config.terminal),
    recognition: await listen(recognitionApp, config.recognition),
    sandbox: sandbox?.url ?? null,
  };
  void embedder.start(); // only now: until the ports are open, the payment terminal needs both cores
  const close = async (): Promise<void> => {
    await terminal.halt();
    await Promise.all([terminalApp.close(), recognitionApp.close()]);
    await sync.close();
    await terminal.close();
    panel.close();
    await recognition.close();
    await audit.close();
    await sandbox?.close();
    lastTime.close();
    tls?.close();
    dataDir.release();
  };
  const certificate = tls === null ? null : { fingerprint: tls.pair.fingerprint, isOwn: tls.isOwn };
  return { urls, certificate, close };
}
