/** Adds the pages of a device, and all calls that only they and `lanectl` make. */
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../drivers/lib/version.ts';
import {
  type Claims,
  isConfigured,
  isNetworkAs,
  type MadeTokens,
  type NetworkChoice,
  networkUrl,
  type SignIn,
} from '../core/access/index.ts';
import type { AuditTrail } from '../core/audit/index.ts';
import type { Board } from '../core/board/index.ts';
import { type Config, isLoopbackHost } from '../core/config/index.ts';
import type { HealthBoard, Host, LogRing, Shop, SystemClock } from '../core/host/index.ts';
import type { ApiConfig, EventStreamPool, Guard } from '../core/http/index.ts';
import { ownKey, type TlsIdentity } from '../core/tls/index.ts';
import type { Added } from '../features/feature.ts';
import { FEATURE_PAGES, FEATURES } from '../features.ts';
import type { Terminal, TerminalConfig } from '../payments/index.ts';
import type { Recognition } from '../recognition/index.ts';
import { addNetworkRoutes, addPinRoutes } from './api/access-routes.ts';
import { addAuditRoutes } from './api/audit-routes.ts';
import { addClaimRoutes } from './api/claim-routes.ts';
import { addJournalRoutes } from './api/journal-routes.ts';
import { addLogRoutes } from './api/log-routes.ts';
import { addMachineRoutes, addShopRoutes } from './api/machine-routes.ts';
import { addSessionRoutes } from './api/session-routes.ts';
import type { PageFiles } from './page-files.ts';
import { addConsoleRoutes } from './router.ts';

interface Base {
  readonly config: Config & { readonly api: ApiConfig; readonly terminal: Pick<TerminalConfig, 'displayLanguage'> };
  /** Paths of files in the data folder. */
  readonly dataDir: { file(name: string): string };
  readonly clock: SystemClock;
  readonly serial: string;
  readonly health: HealthBoard;
  readonly network: NetworkChoice;
  readonly ports: { readonly terminal: number; readonly recognition: number };
}

/** What the console needs of the device. */
export interface ShownDevice {
  readonly base: Base;
  readonly pages: PageFiles;
  readonly lines: LogRing;
  readonly retryConfig: (() => void) | null;
  readonly restart: (() => void) | null;
  readonly urls: { readonly terminal: string };
  readonly audit: AuditTrail;
  readonly sandboxUrl: string | null;
  readonly tokens: MadeTokens;
  readonly signIn: SignIn;
  readonly claims: Claims | null;
  readonly terminal: Terminal;
  readonly host: Host;
  readonly shop: Shop;
  readonly board: Board;
  readonly recognition: Recognition;
  readonly features: ReadonlyMap<string, Added>;
  readonly tls: TlsIdentity | null;
  readonly access: { readonly guard: Guard };
  readonly streams: EventStreamPool;
}

/** Addresses at which others reach the device; none where it listens only on this machine. */
const addressesOf = ({ config, ports }: Base, isTls: boolean) =>
  (['terminal', 'recognition'] as const).flatMap((which) =>
    isLoopbackHost(config[which].host) ? [] : [{ which, url: networkUrl(config[which].host, ports[which], isTls) }],
  );

export function addConsole(app: FastifyInstance, device: ShownDevice): void {
  const { base, terminal, audit, claims, signIn, tokens, host, recognition, board, lines, tls } = device;
  const { config, dataDir, clock, health } = base;
  const { guard } = device.access;
  const isAtRest = () => terminal.isAtRest;
  addClaimRoutes(app, claims, tokens, isConfigured(config.api));
  addSessionRoutes(app, signIn, claims, guard, device.pages, FEATURE_PAGES);
  addPinRoutes(app, signIn.pins);
  addConsoleRoutes(app, {
    pages: device.pages,
    streams: device.streams,
    terminal,
    items: recognition.revision,
    uncertain: recognition.reviewQueue.revision,
    health,
    clock,
    features: device.features,
    addresses: FEATURES.flatMap(({ address = [] }) => address),
    lines,
    sandboxUrl: device.sandboxUrl,
    displayLanguage: config.terminal.displayLanguage,
    terminalUrl: () => device.urls.terminal,
    terminalOnNetwork: !isLoopbackHost(config.terminal.host),
    needsToken: () => guard.asksForToken,
    onClaimRead: () => claims?.markRead(),
    tls,
  });
  addAuditRoutes(app, audit);
  addJournalRoutes(app, {
    terminal,
    audit,
    device: base.serial,
    version: VERSION,
    key: () => ownKey(dataDir.file('tls.pem'), clock.wall()),
  });
  addLogRoutes(app, lines);
  addShopRoutes(app, device.shop, host);
  addNetworkRoutes(app, base.network, config, device.restart, isAtRest);
  const modes = () => ({
    tls: tls !== null,
    network: !isNetworkAs(config, false),
    needsToken: guard.asksForToken,
    addresses: addressesOf(base, tls !== null),
  });
  const facts = { name: base.serial, version: VERSION, board, clock, modes };
  addMachineRoutes(app, host, facts, device.retryConfig, isAtRest);
}
