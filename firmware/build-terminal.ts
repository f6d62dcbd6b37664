/** The payment terminal put together: the service, and the server of its interface. */
import type { FastifyInstance } from 'fastify';
import { openDisplay } from '../drivers/display/registry.ts';
import type { Base } from './base.ts';
import { TERMINAL_ROLES } from './http/guard/roles.ts';
import { addServiceRoutes, createServer, type ServerOptions } from './http/server.ts';
import type { Sealer } from './store/sealer.ts';
import { terminalEnvelope } from './terminal/http/envelope.ts';
import { addTerminalRoutes } from './terminal/http/router.ts';
import { problemEnvelope, V1 } from './terminal/http/v1/problem.ts';
import { addAfterPaymentRoutes } from './terminal/http/v1/routes.ts';
import { paymentAnswer, refundAnswer } from './terminal/http/v1/schemas.ts';
import { Terminal, type TerminalOptions } from './terminal/terminal.ts';

/** What the base does not have; of what it has, another is taken where one is given. */
export interface TerminalParts extends Partial<TerminalOptions> {
  readonly sealer: Sealer;
  /** Of the sandbox bank; null where there is none. */
  readonly sandboxUrl: string | null;
}

export function buildTerminal(base: Base, { sandboxUrl, ...parts }: TerminalParts): Terminal {
  const { config, dataDir, clock, health, metrics, log } = base;
  return new Terminal({
    config: config.terminal,
    dataDir,
    clock,
    bankContext: {
      cftBaseUrl: config.banks.cft.baseUrl,
      sandboxBaseUrl: sandboxUrl,
      caPath: config.banks.caPath,
      log: (message) => log.warn({}, message),
    },
    openDisplay: (connection, options) =>
      openDisplay(connection, options, { writeDeadlineMs: config.terminal.displayDeadlineMs }),
    health,
    metrics,
    log,
    describe: { payment: paymentAnswer, refund: refundAnswer },
    ...parts,
  });
}

/** @returns the server with all of its routes; it listens to nobody yet */
export async function serveTerminal(
  { health, metrics, version, logger }: Base,
  terminal: Terminal,
  options: Pick<ServerOptions, 'access' | 'audit'>,
): Promise<FastifyInstance> {
  const app = await createServer({
    name: 'terminal',
    title: 'Laneware payment terminal',
    envelope: terminalEnvelope,
    other: { prefix: V1, envelope: problemEnvelope },
    roles: TERMINAL_ROLES,
    version,
    metrics,
    logger,
    ...options,
  });
  addTerminalRoutes(app, terminal, health, version);
  addAfterPaymentRoutes(app, terminal);
  addServiceRoutes(app, metrics);
  return app;
}
