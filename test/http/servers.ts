/** Servers of both routers with routes of a test's own. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../firmware/core/host/log.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { OwnFailures } from '../../firmware/core/host/own-failures.ts';
import { type NetworkLimits, openAccess } from '../../firmware/core/http/access.ts';
import { createServer, type ServerOptions } from '../../firmware/core/http/port/server.ts';
import { loadConfig, type WholeConfig } from '../../firmware/device/composition/config.ts';
import { terminalEnvelope } from '../../firmware/payments/http/nine/envelope.ts';
import { recognitionEnvelope } from '../../firmware/recognition/http/original/envelope.ts';
import { atEnd } from '../support.ts';

const ENVELOPES = { terminal: terminalEnvelope, recognition: recognitionEnvelope } as const;

/** Routes of tests are open to a till, and leave no line, where they say nothing else. */
function declareRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => {
    route.config = { role: 'till', audit: null, ...route.config };
  });
}

type OwnOptions = Partial<ServerOptions> & {
  readonly api?: WholeConfig['api'];
  readonly limits?: Partial<NetworkLimits>;
  readonly areDeclared?: boolean;
};

/** A server of one router with all that is asked of none of these tests. @param areDeclared whether each route says of itself who may call it */
export function openServer(
  name: 'terminal' | 'recognition',
  { api = loadConfig(null, {}).config.api, limits, areDeclared = false, ...options }: OwnOptions,
): Promise<FastifyInstance> {
  if (!areDeclared) subscribe('fastify.initialization', declareRoutes);
  using _end = atEnd(() => unsubscribe('fastify.initialization', declareRoutes));
  return createServer({
    ...{ name, title: 'test', version: '0', description: 'test', tags: [], envelope: ENVELOPES[name] },
    access: { ...openAccess(api), ...limits },
    metrics: new Metrics(),
    own: new OwnFailures(),
    logger: createLog('silent', []),
    ...options,
  });
}

/** Judges a server of each router's envelope, with the routes that are added; `api` as configured where none is given. */
export async function onEachRouter(
  options: Parameters<typeof openServer>[1],
  addRoutes: (app: FastifyInstance) => void,
  judge: (router: 'terminal' | 'recognition', url: string, app: FastifyInstance) => Promise<void>,
): Promise<void> {
  for (const router of ['terminal', 'recognition'] as const) {
    const app = await openServer(router, options);
    addRoutes(app);
    await using _end = atEnd(() => app.close());
    await judge(router, await app.listen({ host: '127.0.0.1', port: 0 }), app);
  }
}
