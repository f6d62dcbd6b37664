/**
 * Composition root: opens the parts of a device in the order of their list, opens both ports, and closes everything.
 */
import type { FastifyBaseLogger } from 'fastify';
import { bankWords, openPages } from '../console/index.ts';
import { degradedBy, LogRing } from '../core/host/index.ts';
import { addServiceRoutes, listen } from '../core/http/index.ts';
import { FEATURE_ERRORS } from '../features.ts';
import { serveTerminal, serveTerminalToo, TERMINAL_PROBLEMS, terminalProblems } from '../payments/index.ts';
import { RECOGNITION_PROBLEMS, serveRecognition } from '../recognition/index.ts';
import { openBase, partOf } from './composition/base.ts';
import type { WholeConfig } from './composition/config.ts';
import { PARTS, type StartOptions } from './composition/parts.ts';
import type { Start } from './composition/whole.ts';

export type { StandIns } from './composition/tuning.ts';

function begin(config: WholeConfig, log: FastifyBaseLogger, options: StartOptions): Start {
  const { configWarnings = [], output, lines = new LogRing(), pages = openPages() } = options;
  const base = openBase(config, log, options.time);
  base.health.add('configuration', () => degradedBy(...configWarnings));
  output?.watch(base.health);
  base.network.watch(base.health);
  const { retryConfig = null, restart = null } = options;
  return { base, standIns: options, pages, lines, retryConfig, restart, urls: { terminal: '', recognition: '' } };
}

type Opening = Awaited<ReturnType<typeof PARTS.open>>;

/** Builds the servers of both interfaces with all routes; they do not listen yet. */
async function buildServers(opening: Opening) {
  const { base, terminal, recognition, access, streams, audit, sync, signIn, shop, features } = opening.device;
  const refundAuthority = { limits: base.config.terminal.refundLimits, supervisors: signIn };
  const letterhead = () => ({ ...shop.facts, device: base.serial });
  const calls = { streams, refundAuthority, bankWords, letterhead, additions: [...features.values()] };
  const terminalApp = await serveTerminal(partOf(base, 'terminal'), terminal, calls, {
    access,
    audit,
    errors: FEATURE_ERRORS,
  });
  const recognitionApp = await serveRecognition(partOf(base, 'recognition'), recognition, {
    access,
    audit,
    sync,
    streams,
    encodeOthers: terminalProblems.fromError,
  });
  await serveTerminalToo(recognitionApp, terminal, calls);
  await opening.addRoutes(recognitionApp);
  const errors = { ...TERMINAL_PROBLEMS, ...RECOGNITION_PROBLEMS, ...FEATURE_ERRORS };
  addServiceRoutes(recognitionApp, base.metrics, errors);
  return { terminalApp, recognitionApp };
}

export interface Device {
  readonly urls: { readonly terminal: string; readonly recognition: string; readonly sandbox: string | null };
  /** The certificate for callers from the network; null where they use no TLS. */
  readonly certificate: { readonly fingerprint: string; readonly isOwn: boolean } | null;
  close(): Promise<void>;
}

const portOf = (url: string): number => Number(new URL(url).port || 80);

/** Starts a device; it resolves once both ports are open. @throws where a port or the data folder is in use */
export async function startDevice(
  config: WholeConfig,
  log: FastifyBaseLogger,
  options: StartOptions = {},
): Promise<Device> {
  const opening = await PARTS.open(begin(config, log, options));
  const { base, urls, tls, sandboxUrl } = opening.device;
  const { terminalApp, recognitionApp } = await buildServers(opening);
  await opening.start();
  urls.terminal = await listen(terminalApp, base.config.terminal);
  urls.recognition = await listen(recognitionApp, base.config.recognition);
  base.ports.terminal = portOf(urls.terminal);
  base.ports.recognition = portOf(urls.recognition);
  opening.serve();
  const close = async (): Promise<void> => {
    await opening.close(() => Promise.all([terminalApp.close(), recognitionApp.close()]));
    base.dataDir.release();
  };
  const certificate = tls === null ? null : { fingerprint: tls.pair.fingerprint, isOwn: tls.isOwn };
  return { urls: { ...urls, sandbox: sandboxUrl }, certificate, close };
}
