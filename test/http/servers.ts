/** Servers of both routers with routes of a test's own. */
import type { FastifyInstance } from 'fastify';
import { type Config, loadConfig } from '../../firmware/core/config/load.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { openAccess } from '../../firmware/core/http/access.ts';
import type { Roles } from '../../firmware/core/http/guard/roles.ts';
import { createServer, type ServerOptions } from '../../firmware/core/http/server.ts';
import { terminalEnvelope } from '../../firmware/payments/http/envelope.ts';
import { recognitionEnvelope } from '../../firmware/recognition/http/envelope.ts';

const ENVELOPES = { terminal: terminalEnvelope, recognition: recognitionEnvelope } as const;

/** A server of one router with all that is asked of none of these tests. */
export const openServer = (
  name: 'terminal' | 'recognition',
  { api = loadConfig(null, {}).config.api, ...options }: Partial<ServerOptions> & { readonly api?: Config['api'] },
): Promise<FastifyInstance> =>
  createServer({
    ...{ name, title: 'test', version: '0', description: 'test', tags: [], envelope: ENVELOPES[name] },
    roles: new Proxy<Roles>({}, { get: () => 'till' }),
    access: openAccess(api, { monotonic: () => performance.now() }),
    metrics: new Metrics(),
    logger: createLog('silent', []),
    ...options,
  });

/** Judges a server of each router's envelope, with the routes that are added; `api` as configured where none is given. */
export async function onEachRouter(
  options: Parameters<typeof openServer>[1],
  addRoutes: (app: FastifyInstance) => void,
  judge: (router: 'terminal' | 'recognition', url: string, app: FastifyInstance) => Promise<void>,
): Promise<void> {
  for (const router of ['terminal', 'recognition'] as const) {
    const app = await openServer(router, options);
    addRoutes(app);
    try {
      await judge(router, await app.listen({ host: '127.0.0.1', port: 0 }), app);
    } finally {
      await app.close();
    }
  }
}
