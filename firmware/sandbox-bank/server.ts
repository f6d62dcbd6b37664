/**
 * The sandbox bank: a bank to try payments with, on a port of its own. It speaks the calls of the CFT interface to the
 * till on the same machine, and shows the payer's page to any phone that has scanned the code.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { SANDBOX_PORT } from '../config/ports.ts';
import { type Clock, SystemClock } from '../host/clock.ts';
import type { SandboxParts } from './desk.ts';
import { addCft } from './dialects/cft.ts';
import { addGpb } from './dialects/gpb.ts';
import { addRaif } from './dialects/raif.ts';
import { addRbs } from './dialects/rbs.ts';
import { addTBank } from './dialects/tbank.ts';
import { addYooKassa } from './dialects/yookassa.ts';
import { SandboxError, type SandboxErrorCode } from './errors.ts';
import { Faults } from './faults.ts';
import { fromThisMachine, LOCALHOST, leavesOutLoopback, localUrl, payerUrl, sameOrigin } from './network.ts';
import { SandboxPayments } from './payments.ts';
import { SandboxRefunds } from './refunds.ts';
import { addSandboxRoutes } from './routes.ts';

export const SANDBOX_HOST = '127.0.0.1';
const MAX_BODY_BYTES = 64 * 1024;
/** A caller that has not sent its whole request by then is cut off. */
const REQUEST_LIMIT_MS = 10_000;

export interface SandboxLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface SandboxOptions {
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** SQLite file of the payments; its folder is made. */
  readonly dataFile: string;
  /** Name or address that phones reach this machine by; found by itself where absent. */
  readonly publicHost?: string | null;
  readonly log?: SandboxLog | null;
  readonly clock?: Clock;
}

export interface SandboxBank {
  /** Base address for the till on this machine. */
  readonly url: string;
  readonly port: number;
  /** Scripted misbehaviour of the till's calls. */
  readonly faults: Faults;
  /** Ends open connections; safe to call twice. */
  close(): Promise<void>;
}

const STATUS_OF: { readonly [Code in SandboxErrorCode]: number } = {
  invalid: 400,
  unknown: 404,
  'not-open': 409,
  'order-differs': 409,
  'not-paid': 409,
  'too-much': 409,
  'not-json': 415,
};

const DIALECTS: readonly (readonly [string, (app: FastifyInstance, parts: SandboxParts) => void])[] = [
  ['', addCft],
  ['/rbs', addRbs],
  ['/tbank', addTBank],
  ['/raif', addRaif],
  ['/yookassa', addYooKassa],
  ['/gpb', addGpb],
];

function newServer(log: SandboxLog | null): FastifyInstance {
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES, requestTimeout: REQUEST_LIMIT_MS, forceCloseConnections: true });
  // bodies are read as they come: forms of the page carry an empty one, and only the till's calls expect JSON
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', sameOrigin);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'there is nothing at this address' }));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error instanceof SandboxError ? STATUS_OF[error.code] : (error.statusCode ?? 500);
    if (status >= 500) log?.error({ err: error, path: request.routeOptions.url }, 'the sandbox bank failed');
    return reply.code(status).send({ error: status >= 500 ? 'internal error' : error.message });
  });
  return app;
}

/** Each bank below its own path, so that a profile's `baseUrl` can point there; only for the machine it runs on. */
function addDialects(app: FastifyInstance, parts: SandboxParts): void {
  for (const [prefix, add] of DIALECTS) {
    app.register(
      async (scope) => {
        scope.addHook('onRequest', fromThisMachine);
        add(scope, parts);
      },
      { prefix },
    );
  }
}

/** Beside a server on a LAN address: a second door to the same routes, on loopback, for the till. */
async function openTillDoor(app: FastifyInstance, port: number): Promise<void> {
  const door = createServer({ requestTimeout: REQUEST_LIMIT_MS }, (request, response) =>
    app.routing(request, response),
  );
  door.listen(port, LOCALHOST);
  await once(door, 'listening');
  app.server.once('close', () => {
    door.close();
    door.closeAllConnections();
  });
}

/** Listens, and gives the address that it got. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<{ address: string; port: number }> {
  await app.listen({ host, port });
  const bound = app.addresses().find((address) => typeof address === 'object') ?? { address: host, port };
  if (leavesOutLoopback(bound.address)) await openTillDoor(app, bound.port);
  return { address: bound.address, port: bound.port };
}

/** @throws when the port is taken or the file cannot be opened */
export async function startSandboxBank(options: SandboxOptions): Promise<SandboxBank> {
  const { host = SANDBOX_HOST, port = SANDBOX_PORT, dataFile, publicHost = null, log = null } = options;
  const payments = new SandboxPayments(dataFile, options.clock ?? new SystemClock(0));
  const { setAside } = payments;
  if (setAside !== null) log?.error({ setAside }, 'the payments of the sandbox bank were damaged and are set aside');
  const app = newServer(log);
  app.addHook('onClose', async () => payments.close());
  const faults = new Faults();
  let bound = { address: host, port };
  const refunds = new SandboxRefunds(payments);
  const parts = { payments, refunds, faults, payerBase: () => payerUrl(host, bound.port, publicHost) };
  addSandboxRoutes(app, parts);
  addDialects(app, parts);
  try {
    bound = await listen(app, host, port);
  } catch (error) {
    await app.close();
    throw error;
  }
  const url = localUrl(bound.address, bound.port);
  log?.info({ url, payerUrl: parts.payerBase() }, 'the sandbox bank listens');
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= Promise.resolve(app.close()).then(() => undefined);
    return closed;
  };
  return { url, port: bound.port, faults, close };
}
