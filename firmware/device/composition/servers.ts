/** The servers of both interfaces, with all their routes. */

import { VERSION } from '../../../drivers/lib/version.ts';
import { TERMINAL_PROBLEMS } from '../../banks/index.ts';
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
} from '../../console/index.ts';
import { isNetworkAs, networkUrl } from '../../core/access/index.ts';
import { isLoopbackHost } from '../../core/config/index.ts';
import { addServiceRoutes, certificateNames, EventStreamPool, openAccess } from '../../core/http/index.ts';
import { openTls, ownKey } from '../../core/tls/index.ts';
import { addBackupRoutes } from '../../features/backup/index.ts';
import { FEATURE_ERRORS } from '../../features.ts';
import { addSystemRoutes, RECOGNITION_PROBLEMS } from '../../recognition/index.ts';
import { addSyncRoutes } from '../../sync/index.ts';
import { partOf } from '../base.ts';
import { isConfigured } from './build-access.ts';
import { serveRecognition } from './build-recognition.ts';
import { serveTerminal, serveTerminalToo } from './build-terminal.ts';
import type { Parts } from './parts.ts';
import { bankWords } from './words.ts';

/** Addresses at which others reach the device; none where it listens only on this machine. */
const addressesOf = ({ config, ports }: Parts['base'], isTls: boolean) =>
  (['terminal', 'recognition'] as const).flatMap((which) =>
    isLoopbackHost(config[which].host) ? [] : [{ which, url: networkUrl(config[which].host, ports[which], isTls) }],
  );

/**
 * The servers of both interfaces with all their routes; they do not listen yet.
 * @param terminalUrl returns the terminal's address once the servers listen
 */
export async function buildServers(parts: Parts, terminalUrl: () => string) {
  const { base, lines, board, audit, tokens, signIn, terminal, claims, sync, host, recognition } = parts;
  const { config, dataDir, clock, health, metrics, logger: log } = base;
  const tls = await openTls(config, dataDir.file('tls.pem'), () => certificateNames(config.api.hosts), {
    clock,
    health,
    log,
  });
  const access = openAccess(config.api, clock, tls, tokens, signIn);
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
