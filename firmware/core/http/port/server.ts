/**
 * The server that both routers share: limits, callers, bodies, the envelope of every failure, health, metrics and
 * OpenAPI. A router brings its name, its envelope and its routes.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { ErrorRecords } from '../../../../drivers/lib/records.ts';
import type { AuditedCall, AuditTrail } from '../../audit/index.ts';
import type { Metrics, OwnFailures, Work } from '../../host/index.ts';
import type { NetworkAccess } from '../access.ts';
import { acceptJsonBodies, refuseCompressed } from '../body.ts';
import type { Envelope } from '../call/failure.ts';
import { WITHOUT_COMPILERS } from '../call/query.ts';
import type { Opener } from '../call/ranks.ts';
import {
  answerBrokenRequest,
  answerConnection,
  answerExpectation,
  answerFailure,
  BODY_LIMIT_BYTES,
  failsWithProblem,
  hasFailed,
  JSON_TYPE,
  targetOfBroken,
  tooManyConnections,
} from '../failure-answers.ts';
import { isRepetition } from '../guard/caller.ts';
import { guardEveryRequest, requireDeclared } from '../guard/guard-requests.ts';
import { answerHalfClosed } from '../half-closed.ts';
import { finishCallsOnClose } from '../listen.ts';
import { addApiDocuments, undocumented } from '../reference/api-documents.ts';
import type { About } from '../reference/described.ts';
import { addErrorPages } from '../reference/errors-page.ts';
import { addReference } from '../reference/reference.ts';
import { answerHeads, answerStrays, pathOf, routeUnreadable } from '../routes.ts';
import { ignoreUnknownFields, refuseUnknownParameters } from '../unknown-fields.ts';
import { auditCalls } from './audit-calls.ts';
import { ConnectionAdmission } from './connection-admission.ts';
import { guardBodies } from './request-bodies.ts';
import { validatorCompiler } from './validator.ts';

/** Time limit for the head of a request, which comes in one packet. */
const HEAD_TIMEOUT_MS = 15_000;
/** Time limit for a whole request, where its route takes no uploads. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Time limit for uploads of hundreds of megabytes, over a slow network, too. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000;

/** How often Node checks for requests that take too long. */
const CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
/** Node's own limit: no address is longer. */
const LONGEST_HEAD_BYTES = 16 * 1024;

export interface ServerOptions extends About {
  readonly name: 'terminal' | 'recognition';
  /** Access rules, the same for all ports of a device. */
  readonly access: NetworkAccess;
  readonly envelope: Envelope;
  /** Envelope of failures of `/v1` and of the console's calls; that of all others where left out. */
  readonly problems?: Envelope;
  /** Where calls and refusals are recorded; nowhere when left out. */
  readonly audit?: AuditTrail;
  /** Records calls for programmers of tills; nothing is recorded when left out. */
  readonly watch?: (app: FastifyInstance) => void;
  readonly metrics: Metrics;
  /** Where work that fails by an error of the program is counted. */
  readonly own: OwnFailures;
  readonly logger: FastifyBaseLogger;
  /** Time limit for a whole request without upload; a minute when left out. */
  readonly requestTimeoutMs?: number;
}

declare module 'fastify' {
  /** Gives handlers the types of their schemas. */
  interface FastifyTypeProviderDefault {
    readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
    readonly serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  }
  /** What a route declares. */
  interface FastifyContextConfig {
    /** Who may call it from the network. */
    role?: Opener;
    /** Its line in the audit trail; null for none. Routes that only read may leave it out. */
    audit?: AuditedCall | null;
    /** Whether it is for the customer's screen on this machine, without a sign-in. */
    isForCustomers?: boolean;
    /** The kind of work that it does, which `/health` reports where the program fails at it. */
    work?: Work;
    /** Whether it takes files, whose upload may be long. */
    isUpload?: boolean;
  }
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path; // no route has it
  }
}

/** A path as the router reads it: from a whole address, with upper case, encoded letters and extra slashes resolved. */
const routedPath = (url: string): string =>
  decoded(url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] ?? '')
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase();

/** Reports each success of a kind of work, which ends its count of failures. */
function countDone(app: FastifyInstance, own: OwnFailures): void {
  app.addHook('onSend', async (request, reply) => {
    const { work } = request.routeOptions.config;
    if (work !== undefined && reply.statusCode < 300 && !hasFailed(request) && !isRepetition(request)) own.done(work);
  });
}

/** Long enough to be unique within a week, short enough to read out. */
const REQUEST_ID_BYTES = 6;

/**
 * Gives each answer an id that a caller can quote; the log has it as `reqId` where the device failed, and at `debug`
 * for each refusal. Ids from outside are ignored.
 */
function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ id }, reply) => void reply.header('laneware-request-id', id));
}

/**
 * Sends the type JSON without a charset: it is always UTF-8 (RFC 8259), and a till may compare the header with the
 * plain type.
 */
function nameJsonPlainly(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    const [type = ''] = String(reply.getHeader('content-type')).split(';');
    if (type === JSON_TYPE || type.endsWith('+json')) reply.header('content-type', type);
  });
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { envelope, problems, access, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const envelopeOf = (url: string): Envelope =>
    problems !== undefined && failsWithProblem(routedPath(url)) ? problems : envelope;
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => randomBytes(REQUEST_ID_BYTES).toString('base64url'),
    requestTimeout: UPLOAD_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    return503OnClosing: false,
    rewriteUrl: pathOf,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: LONGEST_HEAD_BYTES, // the schema of a call says how long it may be
    },
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: WITHOUT_COMPILERS },
    http: {
      requireHostHeader: false,
      headersTimeout: Math.min(HEAD_TIMEOUT_MS, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(CHECK_MS, requestTimeoutMs),
    },
    frameworkErrors: (_error, request, reply) => routeUnreadable(app, request, reply), // only unreadable paths come here
    clientErrorHandler: (error, socket) => {
      if (!admission.breakOff(socket)) answerBrokenRequest(envelopeOf(targetOfBroken(error)), error, socket);
    },
  });
  const admission: ConnectionAdmission = new ConnectionAdmission(app.server, {
    limits: access.connections,
    tls: access.tls,
    onFull: (socket) => answerConnection(envelope, tooManyConnections(), socket),
  });
  answerHeads(app);
  answerHalfClosed(app);
  finishCallsOnClose(app);
  app.addHook('preClose', async () => admission.close());
  app.server.on('checkExpectation', ({ url = '' }, response) => answerExpectation(envelopeOf(url), response));
  nameRequests(app);
  acceptJsonBodies(app);
  refuseCompressed(app, (target) => envelopeOf(target) === envelope);
  app.setValidatorCompiler(validatorCompiler);
  requireDeclared(app);
  guardEveryRequest(app, access.guard);
  access.bodies.watch(app);
  auditCalls(app, options.audit ?? null);
  options.watch?.(app);
  app.server.on('listening', () => access.guard.origins.serves((app.server.address() as AddressInfo).port));
  guardBodies(app, envelopeOf, requestTimeoutMs);
  countDone(app, options.own);
  answerStrays(app);
  ignoreUnknownFields(app);
  refuseUnknownParameters(app);
  nameJsonPlainly(app);
  app.setErrorHandler((error, request, reply) =>
    answerFailure(envelopeOf(request.originalUrl), error, request, reply, options.own),
  );
  options.metrics.watch(app, options.name);
  addApiDocuments(app, options, { envelope, problems: problems ?? null });
  return app;
}

/** Adds `/openapi.json`, its page, the pages of errors and `/metrics`: the same on each port. */
export function addServiceRoutes(app: FastifyInstance, metrics: Metrics, errors: ErrorRecords): void {
  app.get('/openapi.json', { config: { role: 'till' }, schema: undocumented() }, async () =>
    app.describeApi('promised'),
  );
  addReference(app);
  addErrorPages(app, errors);
  app.get('/metrics', { config: { role: 'till' }, schema: undocumented() }, async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
