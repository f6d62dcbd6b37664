/**
 * The room of what both routers share: limits, who may call, bodies, the envelope of every failure, health, metrics
 * and OpenAPI. A router brings its name, its envelope and its routes.
 */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type FastifyTypeProvider,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { codeOf, messageOf } from '../../drivers/lib/errors.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Metrics } from '../host/metrics.ts';
import { writeFailure } from '../store/write-failure.ts';
import type { NetworkAccess } from './access.ts';
import { watchDeeds } from './audit-calls.ts';
import { acceptJsonBodies } from './body.ts';
import { ConnectionAdmission } from './connections/connection-admission.ts';
import { type EncodedFailure, type Envelope, HttpFailure } from './failure.ts';
import { namedHost } from './guard/authority.ts';
import type { Guard } from './guard/guard.ts';
import { type Roles, roleFor } from './guard/roles.ts';
import { documentApi } from './openapi.ts';
import { wasLetIn } from './request-notes.ts';
import { pathOf, RouteTable } from './routes.ts';
import { passOverUnknownFields } from './unknown-fields.ts';
import { validatorCompiler } from './validator.ts';

/** Largest body where a route names no other: any text of a call has room, each character escaped. */
const BODY_LIMIT_BYTES = 16 * 1024;
/** A client that has not sent the head of its request by then is cut off: it comes in one packet. */
const HEAD_TIMEOUT_MS = 15_000;
/** The same for its whole request, where its route takes no uploads. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Where packages of hundreds of megabytes come in, over a slow network too. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000;
/** How often it is looked for requests that take too long. */
const LOOK_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
const JSON_TYPE = 'application/json';

export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

export interface ServerOptions {
  readonly name: 'terminal' | 'recognition';
  readonly title: string;
  readonly version: string;
  /** Who may come in; the same for all ports of a device. */
  readonly access: NetworkAccess;
  readonly envelope: Envelope;
  /** Of every route, those of both routers included (`addServiceRoutes`). */
  readonly roles: Roles;
  /** Where deeds and refusals are noted; nowhere when left out. */
  readonly audit?: AuditTrail;
  readonly metrics: Metrics;
  readonly logger: FastifyBaseLogger;
  /** Within which a whole request must have come where it is no upload; a minute when left out. */
  readonly requestTimeoutMs?: number;
}

/** What no router words, in our kinds: Fastify's own errors, a full disk, and what nobody foresaw. */
function failureOf(error: unknown, { raw, routeOptions }: FastifyRequest): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (writeFailure(error) === 'full')
    return new HttpFailure('storage', 'the storage of the device is full', { cause: error });
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpFailure(
        'too-large',
        `the body is larger than this call takes: at most ${routeOptions.bodyLimit ?? BODY_LIMIT_BYTES} bytes`,
        { cause: error },
      );
    case 'ECONNRESET':
      // of a bank or a display it has other words by now
      if (!raw.complete)
        return new HttpFailure('request', 'the caller hung up before the body was whole', { cause: error });
      break;
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new HttpFailure('request', messageOf(error), { cause: error });
  }
  return new HttpFailure('internal', 'an unexpected error happened; the log of the device holds the details', {
    cause: error,
  });
}

interface Refusal extends EncodedFailure {
  readonly internal: boolean;
  readonly retryAfterS: number | null;
}

function encode(envelope: Envelope, error: unknown, request: FastifyRequest): Refusal {
  const own = envelope.fromError(error);
  if (own !== null) return { ...own, internal: false, retryAfterS: null };
  const failure = failureOf(error, request);
  const { kind, retryAfterS } = failure;
  return { ...envelope.fromFailure(failure), internal: kind === 'internal', retryAfterS };
}

function answerFailure(envelope: Envelope, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, internal, retryAfterS } = encode(envelope, error, request);
  if (internal) request.log.error({ err: error }, 'unexpected error');
  if (retryAfterS !== null) reply.header('retry-after', retryAfterS);
  if (status === 426) reply.headers({ upgrade: 'TLS/1.2', connection: 'upgrade, close' });
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Laneware", charset="UTF-8"');
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));
}

/** Answers a connection that has no request yet, and closes it. */
function answerConnection(envelope: Envelope, failure: HttpFailure, socket: Socket): void {
  const { status, body } = envelope.fromFailure(failure);
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${failure.kind}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(text)}`,
    ...(failure.retryAfterS === null ? [] : [`retry-after: ${failure.retryAfterS}`]),
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

/** Answers what Node's parser refuses before there is a request. */
function answerBrokenRequest(envelope: Envelope, error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new HttpFailure('headers', 'the headers of the request are too large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? tooSlow()
        : new HttpFailure('request', 'this is no valid HTTP request');
  answerConnection(envelope, failure, socket);
}

const tooSlow = (): HttpFailure => new HttpFailure('timeout', 'the request was not sent whole in time');
const fullHouse = (): HttpFailure =>
  new HttpFailure('busy', 'the device answers as many connections as api.connections allows: call again', {
    retryAfterS: 1,
  });

/** Who reads the first of them and who the last take one request for two different ones (RFC 9112, section 3.2). */
function requireOneHost({ rawHeaders }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new HttpFailure('request', 'the request has more than one Host header');
}

function callerOf(raw: IncomingMessage) {
  const host = namedHost(raw.url, raw.headers.host);
  return {
    headers: host === raw.headers.host ? raw.headers : { ...raw.headers, host },
    remoteAddress: raw.socket.remoteAddress ?? '',
    localAddress: raw.socket.localAddress ?? '',
    isEncrypted: 'encrypted' in raw.socket, // of a TLSSocket alone
  };
}

/** A route that no table names is a mistake of whoever wrote it, and the server is not made. */
function requireRole(app: FastifyInstance, roles: Roles): void {
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat())
      if (roleFor(roles, each, url) === undefined)
        throw new Error(`${each} ${url} names no role: say in firmware/http/guard/roles.ts who may call it`);
  });
}

function guardEveryRequest(app: FastifyInstance, guard: Guard, roles: Roles): void {
  app.addHook('onRequest', async (request, reply) => {
    const { method, headers, raw, routeOptions, is404 } = request;
    const origin = guard.corsOrigin(headers);
    if (origin !== null) reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
    const isPreflight = origin !== null && method === 'OPTIONS';
    // a browser sends no token with the question whether it may; what no route takes tells nothing
    const role = is404 ? 'till' : (roleFor(roles, method, routeOptions.url ?? '') ?? 'technician');
    try {
      requireOneHost(raw);
      if (isPreflight) guard.checkName(callerOf(raw));
      else {
        const entry = guard.enter(callerOf(raw));
        wasLetIn(request, entry);
        guard.allow(entry, role);
      }
    } catch (error) {
      reply.header('connection', 'close'); // whoever may not call shall hold no connection either
      const opensPage = method === 'GET' && headers.accept?.includes('text/html') === true;
      const isAddress = headers.host && request.originalUrl.startsWith('/');
      if (!(error instanceof HttpFailure && error.kind === 'encryption' && opensPage && isAddress)) throw error;
      return await reply.redirect(`https://${headers.host}${request.originalUrl}`, 307);
    }
    if (!isPreflight) return;
    reply
      .header('access-control-allow-methods', 'GET, POST, PUT')
      .header('access-control-allow-headers', 'content-type, authorization');
    await reply.code(204).send();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes files, which may be long on their way. */
    isUpload?: boolean;
  }
}

/** Node has one time limit for all routes: that of the longest upload. */
function limitBodies(app: FastifyInstance, envelope: Envelope, limitMs: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { headers, socket } = raw;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    if (routeOptions.config.isUpload === true) return;
    const limit = setTimeout(() => {
      if (!raw.complete && socket.writable) answerConnection(envelope, tooSlow(), socket);
    }, limitMs);
    raw.once('close', () => clearTimeout(limit));
  });
}

/** JSON is UTF-8 and knows no charset (RFC 8259); a till may compare the header with the plain type. */
function nameJsonPlainly(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (String(reply.getHeader('content-type')).startsWith(JSON_TYPE)) reply.header('content-type', JSON_TYPE);
  });
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { envelope, access, roles, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    return503OnClosing: false,
    rewriteUrl: ({ url }) => pathOf(url),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    exposeHeadRoutes: false,
    http: {
      requireHostHeader: false,
      headersTimeout: Math.min(HEAD_TIMEOUT_MS, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(LOOK_MS, requestTimeoutMs),
    },
    frameworkErrors: (error, request, reply) => void answerFailure(envelope, error, request, reply),
    clientErrorHandler: (error, socket) => {
      if (!admission.breakOff(socket)) answerBrokenRequest(envelope, error, socket);
    },
  });
  const admission: ConnectionAdmission = new ConnectionAdmission(app.server, {
    limits: access.connections,
    tls: access.tls,
    onFull: (socket) => answerConnection(envelope, fullHouse(), socket),
  });
  app.addHook('preClose', async () => admission.close());
  app.server.on('checkExpectation', (_request, response) => {
    const failure = new HttpFailure('request', 'the Expect header asks for what this device does not do');
    const { status, body } = envelope.fromFailure(failure);
    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': length, connection: 'close' }).end(text);
  });
  acceptJsonBodies(app);
  app.setValidatorCompiler(validatorCompiler);
  requireRole(app, roles);
  guardEveryRequest(app, access.guard, roles);
  watchDeeds(app, options.audit ?? null, roles);
  app.server.on('listening', () => access.guard.serves((app.server.address() as AddressInfo).port));
  limitBodies(app, envelope, requestTimeoutMs);
  new RouteTable(app);
  passOverUnknownFields(app);
  nameJsonPlainly(app);
  app.setErrorHandler((error, request, reply) => answerFailure(envelope, error, request, reply));
  options.metrics.watch(app, options.name);
  await documentApi(app, options, envelope);
  return app;
}

/** `/openapi.json` and `/metrics`: the same on each port. */
export function addServiceRoutes(app: FastifyInstance, metrics: Metrics): void {
  const hidden: FastifySchema & { hide: boolean } = { hide: true };
  app.get('/openapi.json', { schema: hidden }, async () => app.swagger());
  app.get('/metrics', { schema: hidden }, async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
