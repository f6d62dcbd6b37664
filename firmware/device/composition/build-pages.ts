/** The parts of access from the network, and of the pages with the calls of the console. */
import { addConsole } from '../../console/index.ts';
import { certificateNames, EventStreamPool, openAccess } from '../../core/http/index.ts';
import { openTls } from '../../core/tls/index.ts';
import type { Opened } from './joining.ts';
import type { Has, Whole } from './whole.ts';

/** The certificate, the rules of who may call from the network, and the event streams. */
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

/** The pages, and the calls that only they and `lanectl` make. */
export const pages = {
  name: 'pages',
  open: (device: Whole): Opened<object> => [{}, { addRoutes: (app) => addConsole(app, device) }],
};
