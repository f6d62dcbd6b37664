/**
 * Composition root: starts the parts, each after those that it needs, with the servers of both interfaces, and ends
 * them. No logic. `composition/` builds the parts.
 */
import type { FastifyBaseLogger } from 'fastify';
import { VERSION } from '../../drivers/lib/version.ts';
import { TERMINAL_PROBLEMS } from '../banks/index.ts';
import {
  addAuditRoutes,
  addClaimRoutes,
  addConsoleRoutes,
  addJournalRoutes,
  addLogRoutes,
  addMachineRoutes,
  addNetworkRoutes,
  addPinRoutes,
  addSessionRoutes,
  addShopRoutes,
} from '../console/index.ts';
import { isNetworkAs, networkUrl } from '../core/access/index.ts';
import { noteButton, noteRelease } from '../core/audit/index.ts';
import { type Config, isLoopbackHost } from '../core/config/index.ts';
import { addServiceRoutes, certificateNames, EventStreamPool, listen, openAccess } from '../core/http/index.ts';
import { openTls, ownKey } from '../core/tls/index.ts';
import { addBackupRoutes } from '../features/backup/index.ts';
import { FEATURE_ERRORS } from '../features.ts';
import { addSystemRoutes, RECOGNITION_PROBLEMS, TrayPins } from '../recognition/index.ts';
import { addSyncRoutes } from '../sync/index.ts';
import { partOf } from './base.ts';
import { isConfigured, pairingOf } from './composition/build-access.ts';
import { serveRecognition } from './composition/build-recognition.ts';
import { serveTerminal, serveTerminalToo } from './composition/build-terminal.ts';
import { buildParts, type Parts, type StartOptions } from './composition/parts.ts';
import { bankWords } from './composition/words.ts';

export type { StandIns } from './composition/parts.ts';

/** Addresses at which others reach the device; none where it listens only on this machine. */
const addressesOf = ({ config, ports }: Parts['base'], isTls: boolean) =>
  (['terminal', 'recognition'] as const).flatMap((which) =>
    isLoopbackHost(config[which].host) ? [] : [{ which, url: networkUrl(config[which].host, ports[which], isTls) }],
  );

/**
 * The servers of both interfaces with all their routes; they do not listen yet.
 * @param terminalUrl returns the terminal's address once the servers listen
 */
async function buildServers(parts: Parts, terminalUrl: () => string) {
  const { base, tuning, lines, board, audit, tokens, signIn, terminal, claims, sync, host, recognition } = parts;
  const { config, dataDir, clock, health, metrics, logger: log } = base;
  const tls = await openTls(
    config,
    dataDir.file('tls.pem'),
    () => certificateNames(config.api.hosts),
    { clock, health, log },
    tuning.certificateCheckMs,
  );
  const access = openAccess(config.api, tls, tokens, signIn, tuning.network);
  const streams = new EventStreamPool(access.eventStreams, access.guard);
  const refundAuthority = { limits: config.terminal.refundLimits, supervisors: signIn };
  const letterhead = () => ({ ...parts.shop.facts, device: base.serial });
  const paymentCalls = { streams, refundAuthority, bankWords, letterhead, features: parts.features };
  const terminalApp = await serveTerminal(partOf(base, 'terminal'), terminal, { access, audit, ...paymentCalls });
  const recognitionApp = await serveRecognition(partOf(base, 'recognition'), recognition, {
    access,
    audit,
    sync,
    streams,
  });
  addSystemRoutes(recognitionApp, host, dataDir.file('extra-info.json'));
  addSyncRoutes(recognitionApp, sync);
  await addBackupRoutes(recognitionApp, parts.backups);
  addClaimRoutes(recognitionApp, claims, tokens, isConfigured(config.api));
  addSessionRoutes(recognitionApp, signIn, claims, access.guard, parts.pages);
  addPinRoutes(recognitionApp, signIn.pins);
  await serveTerminalToo(recognitionApp, terminal, paymentCalls);
  addConsoleRoutes(recognitionApp, {
    pages: parts.pages,
    streams,
    terminal,
    items: recognition.revision,
    uncertain: recognition.reviewQueue.revision,
    health,
    clock,
    features: parts.features,
    lines,
    sandboxUrl: parts.sandbox?.url ?? null,
    displayLanguage: config.terminal.displayLanguage,
    terminalUrl,
    terminalOnNetwork: !isLoopbackHost(config.terminal.host),
    needsToken: () => access.guard.asksForToken,
    onClaimRead: () => claims?.markRead(),
    tls,
  });
  addAuditRoutes(recognitionApp, audit);
  addJournalRoutes(recognitionApp, {
    terminal,
    audit,
    device: base.serial,
    version: VERSION,
    key: () => ownKey(dataDir.file('tls.pem'), clock.wall()),
  });
  addLogRoutes(recognitionApp, lines);
  for (const feature of parts.features.values()) await feature.addRoutes?.(recognitionApp);
  const modes = () => ({
    tls: tls !== null,
    network: !isNetworkAs(config, false),
    needsToken: access.guard.asksForToken,
    addresses: addressesOf(base, tls !== null),
  });
  const facts = { name: base.serial, version: VERSION, board, clock, modes };
  addShopRoutes(recognitionApp, parts.shop, host);
  addNetworkRoutes(recognitionApp, base.network, config, parts.restart, () => terminal.isAtRest);
  addMachineRoutes(recognitionApp, host, facts, parts.retryConfig, () => terminal.isAtRest);
  addServiceRoutes(recognitionApp, metrics, { ...TERMINAL_PROBLEMS, ...RECOGNITION_PROBLEMS, ...FEATURE_ERRORS });
  return { tls, terminalApp, recognitionApp };
}

export interface Device {
  readonly urls: { readonly terminal: string; readonly recognition: string; readonly sandbox: string | null };
  /** The certificate for callers from the network; null where they use no TLS. */
  readonly certificate: { readonly fingerprint: string; readonly isOwn: boolean } | null;
  close(): Promise<void>;
}

/** Starts the parts in their order of dependence. */
async function startParts(parts: Parts): Promise<TrayPins> {
  const { base, audit, terminal, claims, sync, recognition } = parts;
  const { config, dataDir, health, logger: log } = base;
  await noteRelease(audit, dataDir.file('audit/last-release'), VERSION);
  await terminal.start();
  recognition.start();
  sync.start(recognition);
  for (const feature of parts.features.values()) feature.start?.();
  parts.laneReports.start();
  parts.bootSettings.pairWith(pairingOf(sync));
  return TrayPins.open(config.gpio, recognition, health, log, {
    onLearned: noteButton(audit, 'empty-tray-learned'),
    onHeld: () => claims && noteButton(audit, 'token-code-called-up')(claims.callUp()),
  });
}

const portOf = (url: string): number => Number(new URL(url).port || 80);

/** @throws when a port or the data folder is in use */
export async function startDevice(config: Config, log: FastifyBaseLogger, options: StartOptions = {}): Promise<Device> {
  const parts = await buildParts(config, log, options);
  const { base, sandbox, terminal, claims, recognition } = parts;
  const { tls, terminalApp, recognitionApp } = await buildServers(parts, () => urls.terminal);
  const panel = await startParts(parts);
  parts.takePanel(panel);
  const urls = {
    terminal: await listen(terminalApp, base.config.terminal),
    recognition: await listen(recognitionApp, base.config.recognition),
    sandbox: sandbox?.url ?? null,
  };
  base.ports.terminal = portOf(urls.terminal);
  base.ports.recognition = portOf(urls.recognition);
  claims?.begin(); // the display's address is known now
  // recognition starts last: until the ports are open, the payment terminal needs both cores
  void parts.embedder.start().then(() => recognition.startEyes());
  const close = async (): Promise<void> => {
    claims?.close();
    parts.bootSettings.close();
    await terminal.halt();
    await Promise.all([terminalApp.close(), recognitionApp.close()]);
    await Promise.all([...parts.features.values(), parts.laneReports].map((part) => part.close?.()));
    await parts.sync.close();
    await terminal.close();
    await panel.close();
    await recognition.close();
    parts.signIn.close();
    await parts.audit.close();
    await sandbox?.close();
    parts.lastTime.close();
    parts.certainTime.close();
    parts.board.close();
    tls?.close();
    base.dataDir.release();
  };
  const certificate = tls === null ? null : { fingerprint: tls.pair.fingerprint, isOwn: tls.isOwn };
  return { urls, certificate, close };
}
