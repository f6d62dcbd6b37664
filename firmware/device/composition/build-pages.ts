/** Builds the way in from the network, and the pages with the calls of the console. */
import { VERSION } from '../../../drivers/lib/version.ts';
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
import { certificateNames, EventStreamPool, openAccess } from '../../core/http/index.ts';
import { openTls, ownKey } from '../../core/tls/index.ts';
import { FEATURE_PAGES, FEATURES } from '../../features.ts';
import type { OwnBase } from './base.ts';
import { isConfigured } from './build-access.ts';
import type { Opened, Running } from './joining.ts';
import type { Has, Whole } from './whole.ts';

/** The certificate, and who may call from the network. */
export const network = {
  name: 'network',
  open: async ({
    base,
    tokens,
    signIn,
    standIns: { tuning },
  }: Has<'base' | 'tokens' | 'signIn' | 'standIns'>): Promise<Opened<Has<'tls' | 'access' | 'streams'>>> => {
    const { config, dataDir, clock, health, logger: log } = base;
    const tls = await openTls(
      config,
      dataDir.file('tls.pem'),
      () => certificateNames(config.api.hosts),
      { clock, health, log },
      tuning?.certificateCheckMs,
    );
    const access = openAccess(config.api, tls, tokens, signIn, tuning?.network);
    const streams = new EventStreamPool(access.eventStreams, access.guard);
    return [{ tls, access, streams }, { close: () => tls?.close() }];
  },
};

/** Addresses at which others reach the device; none where it listens only on this machine. */
const addressesOf = ({ config, ports }: OwnBase, isTls: boolean) =>
  (['terminal', 'recognition'] as const).flatMap((which) =>
    isLoopbackHost(config[which].host) ? [] : [{ which, url: networkUrl(config[which].host, ports[which], isTls) }],
  );

/** The pages, and the calls that only they and `lanectl` make. */
export const pages = {
  name: 'pages',
  open: (device: Whole): Opened<object> => [{}, { addRoutes: addPages(device) }],
};

const addPages =
  (device: Whole): NonNullable<Running['addRoutes']> =>
  (app) => {
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
  };
