/**
 * The sandbox bank: a bank to try payments with, on a separate port. It speaks the RBS gateway's interface to the till
 * on the same machine, and shows the payer's page to any phone that scans the code.
 */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isLanguage, type Language } from '../../../drivers/lib/languages.ts';
import { isEverywhere, isLoopback, isLoopbackHost, lanAddress } from '../../core/config/index.ts';
import { isStoreError } from '../../core/files/index.ts';
import { type Clock, SystemClock } from '../../core/host/index.ts';
import { consoleAddress, languageOf, readAuthority, WITHOUT_COMPILERS } from '../../core/http/index.ts';
import { SANDBOX_PORT } from './config.ts';
import { readBody, type SandboxParts } from './desk.ts';
import { Fault, Faults } from './faults.ts';
import { pageState, payPage } from './pay-page.ts';
import { SandboxError, type SandboxErrorCode } from './payment.ts';
import { SandboxPayments } from './payments.ts';
import { addRbs } from './rbs.ts';
import { SandboxRefunds } from './refunds.ts';

const LOCALHOST = '127.0.0.1';

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/** The address at which the till on this machine reaches the bank. @param bound the address that it listens on */
function localUrl(bound: string, port: number): string {
  return `http://${isLoopback(bound) ? bracketed(bound) : LOCALHOST}:${port}`;
}

/** Whether an address listens only to the LAN, so that the till needs a second server. */
const leavesOutLoopback = (bound: string): boolean => !isEverywhere(bound) && !isLoopback(bound);

/**
 * The address at which a payer's phone reaches it; computed for each payment, because DHCP may assign another address.
 */
export function payerUrl(host: string, port: number): string {
  const lan = isEverywhere(host) ? lanAddress() : host;
  return lan === null ? localUrl(host, port) : `http://${bracketed(lan)}:${port}`;
}

const namesLoopback = (host: string | undefined): boolean => isLoopbackHost(readAuthority(host ?? '')?.host ?? '');

/**
 * Allows calls only over loopback, because a caller that registers payments could also pay them without money. Another
 * name in `Host` comes from a web page whose name was made to resolve to this machine.
 */
async function fromThisMachine(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (isLoopback(request.socket.remoteAddress ?? '') && namesLoopback(request.headers.host)) return;
  await reply.code(403).send({ error: 'only the machine that the bank runs on may ask this, over loopback' });
}

/** Refuses requests that another site's page makes a browser send. */
export async function sameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host } = request.headers;
  if (request.method === 'GET' || request.method === 'HEAD' || origin === undefined) return;
  if (origin !== `${request.protocol}://${host}`)
    await reply.code(403).send({ error: 'a page of another site may not ask this' });
}

/** How many payments the list of the sandbox returns. */
const LISTED_PAYMENTS = 1000;
const FaultsBody = Type.Object({ faults: Type.Array(Fault, { maxItems: 1000 }) }, { additionalProperties: false });

interface OfPage {
  readonly Querystring: { readonly lang?: unknown };
}

const languageFor = ({ query: { lang }, headers }: FastifyRequest<OfPage>): Language =>
  isLanguage(lang) ? lang : languageOf(headers['accept-language']);

/**
 * Does a payer's action and ignores the bank's error: the browser returns to the page in any case, which shows the
 * outcome.
 */
function settleForPage(settle: () => void): void {
  try {
    settle();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
  }
}

function addSandboxRoutes(app: FastifyInstance, { payments, refunds, faults }: SandboxParts): void {
  app.get('/sandbox/payments', { onRequest: fromThisMachine }, async () => payments.list(LISTED_PAYMENTS));

  app.get<{ Params: { id: string } }>(
    '/sandbox/payments/:id/refunds',
    { onRequest: fromThisMachine },
    async (request) => refunds.of(payments.named(request.params.id).qrcId),
  );

  for (const action of ['pay', 'decline'] as const) {
    app.post<OfPage & { Params: { id: string } }>(`/sandbox/payments/:id/${action}`, async (request, reply) => {
      const { id } = request.params;
      const settle = () => payments[action](payments.named(id).qrcId);
      if (request.headers.accept?.includes('text/html') !== true) return settle();
      settleForPage(settle);
      return reply.redirect(`/pay/${encodeURIComponent(id)}?lang=${languageFor(request)}`, 303);
    });
  }

  app.get('/sandbox/faults', { onRequest: fromThisMachine }, async () => ({ faults: faults.list() }));
  app.post('/sandbox/faults', { onRequest: fromThisMachine }, async (request) => {
    faults.set(readBody(request, FaultsBody).faults);
    return { faults: faults.list() };
  });

  app.get<OfPage & { Params: { qrcId: string } }>('/pay/:qrcId', async (request, reply) => {
    const payment = payments.find(request.params.qrcId);
    const page = payPage(payment, languageFor(request));
    return reply
      .code(payment === null ? 404 : 200)
      .headers(page.headers)
      .send(page.html);
  });

  app.get<OfPage & { Params: { qrcId: string } }>('/pay/:qrcId/state', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return pageState(payments.find(request.params.qrcId), languageFor(request));
  });
}

const MAX_BODY_BYTES = 64 * 1024;
/** Time limit of a whole request; a slower caller is cut off. */
const REQUEST_LIMIT_MS = 10_000;

interface SandboxLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** An interface for tills: its path, and the function that adds its calls. */
type Interface = readonly [string, (app: FastifyInstance, parts: SandboxParts) => void];

export interface SandboxOptions {
  readonly host?: string;
  /** Port of the bank; 0 takes a free one. */
  readonly port?: number;
  /** SQLite file of the payments; its folder is created. */
  readonly dataFile: string;
  readonly log?: SandboxLog | null;
  readonly clock?: Clock;
  /** Port of the console, once it is known. */
  readonly consolePort?: () => number;
  /** Interfaces of other banks, in addition to its own, to test adapters with. */
  readonly more?: readonly Interface[];
}

export interface SandboxBank {
  /** Base address for the till on this machine. */
  readonly url: string;
  readonly port: number;
  /** Scripted faults of the till's calls. */
  readonly faults: Faults;
  /** Its books, for acting as the payer without a phone: pay, decline, list. */
  readonly payments: SandboxPayments;
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

const newDoor = (listener: RequestListener): Server => createServer({ requestTimeout: REQUEST_LIMIT_MS }, listener);

function newServer(log: SandboxLog | null): FastifyInstance {
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    schemaController: { compilersFactory: WITHOUT_COMPILERS },
    serverFactory: newDoor,
  });
  // the pages' forms have an empty body, and only the till's calls expect JSON: each route reads its own body
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', sameOrigin);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'there is nothing at this address' }));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error instanceof SandboxError ? STATUS_OF[error.code] : (error.statusCode ?? 500);
    if (status >= 500) log?.error({ err: error, path: request.routeOptions.url }, 'the sandbox bank failed');
    const isShown = status < 500 || isStoreError(error, 'FILE_HELD');
    return reply.code(status).send({ error: isShown ? error.message : 'internal error' });
  });
  return app;
}

/** Adds each interface below its own path, for a profile's `baseUrl`; only this machine may call. */
function addInterfaces(app: FastifyInstance, parts: SandboxParts, all: readonly Interface[]): void {
  for (const [prefix, add] of all) {
    app.register(
      async (scope) => {
        scope.addHook('onRequest', fromThisMachine);
        add(scope, parts);
      },
      { prefix },
    );
  }
}

/** Opens a second server to the same routes on loopback for the till, where the first one is on a LAN address. */
async function openTillDoor(app: FastifyInstance, port: number): Promise<void> {
  const loopback = newDoor((request, response) => app.routing(request, response));
  loopback.listen(port, LOCALHOST);
  await once(loopback, 'listening');
  app.server.once('close', () => {
    loopback.close();
    loopback.closeAllConnections();
  });
}

interface Bound {
  readonly host: string;
  readonly port: number;
}

/** Listens, and returns the address that it got. */
async function listen(app: FastifyInstance, { host, port }: Bound): Promise<Bound> {
  await app.listen({ host, port });
  const bound = app.addresses().find((address) => typeof address === 'object') ?? { address: host, port };
  if (leavesOutLoopback(bound.address)) await openTillDoor(app, bound.port);
  return { host: bound.address, port: bound.port };
}

/** @throws when the port is taken or the file cannot be opened */
export async function startSandboxBank(options: SandboxOptions): Promise<SandboxBank> {
  const { host = LOCALHOST, port = SANDBOX_PORT, dataFile, log = null } = options;
  const payments = new SandboxPayments(dataFile, options.clock ?? new SystemClock(0));
  const { setAside, problem } = payments;
  if (problem !== null) log?.error({ reason: problem }, 'the books of the sandbox bank are kept in memory only');
  if (setAside !== null) log?.error({ setAside }, 'the payments of the sandbox bank were damaged and are set aside');
  const app = newServer(log);
  app.addHook('onClose', async () => payments.close());
  // adapters that need the bank's time read this header
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('date', new Date(payments.clock.wall()).toUTCString());
  });
  const { consolePort } = options;
  if (consolePort !== undefined)
    app.get('/', async (request, reply) => {
      const address = consoleAddress(request, consolePort());
      return address === null ? reply.callNotFound() : reply.redirect(address);
    });
  const faults = new Faults();
  let bound: Bound = { host, port };
  const refunds = new SandboxRefunds(payments);
  const parts = { payments, refunds, faults, payerBase: () => payerUrl(host, bound.port) };
  addSandboxRoutes(app, parts);
  addInterfaces(app, parts, [['/rbs', addRbs], ...(options.more ?? [])]);
  try {
    bound = await listen(app, bound);
  } catch (error) {
    await app.close();
    throw error;
  }
  const url = localUrl(bound.host, bound.port);
  log?.info({ url, payerUrl: parts.payerBase() }, 'the sandbox bank listens');
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= Promise.resolve(app.close()).then(() => undefined);
    return closed;
  };
  return { url, port: bound.port, faults, payments, close };
}
