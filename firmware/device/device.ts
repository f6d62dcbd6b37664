/**
 * Composition root: starts the parts, each after those that it needs, and ends them. No logic. `composition/` builds
 * them.
 */
import type { FastifyBaseLogger } from 'fastify';
import { VERSION } from '../../drivers/lib/version.ts';
import { noteButton, noteRelease } from '../core/audit/index.ts';
import type { Config } from '../core/config/index.ts';
import { listen } from '../core/http/index.ts';
import { TrayPins } from '../recognition/index.ts';
import { pairingOf } from './composition/build-access.ts';
import { buildParts, type Parts, type StartOptions } from './composition/parts.ts';
import { buildServers } from './composition/servers.ts';

export type { StandIns } from './composition/parts.ts';

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
    parts.board.close();
    tls?.close();
    base.dataDir.release();
  };
  const certificate = tls === null ? null : { fingerprint: tls.pair.fingerprint, isOwn: tls.isOwn };
  return { urls, certificate, close };
}
