/** Runs the guard before each request: finds the caller, checks its rights, and answers a browser's CORS preflight. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFailure } from '../call/failure.ts';
import { KEY_HEADER } from '../call/query.ts';
import { namedHost } from './authority.ts';
import { recordEntry } from './caller.ts';
import { type Guard, isFromThisMachine } from './guard.ts';
import type { Caller } from './origin-checks.ts';

/**
 * Refuses a header sent twice: one reader takes the first, another the last, so that one request becomes two different
 * ones (RFC 9112, section 3.2), and one sale another.
 */
function requireOneOfEach({ rawHeaders }: IncomingMessage): void {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const isTwice = (wanted: string): boolean => names.indexOf(wanted) !== names.lastIndexOf(wanted);
  if (isTwice('host')) throw new HttpFailure('request', 'the request has more than one Host header');
  if (isTwice(KEY_HEADER.toLowerCase())) {
    throw new HttpFailure('parameter', `the request has more than one ${KEY_HEADER} header`, { field: KEY_HEADER });
  }
}

export function callerOf(raw: IncomingMessage): Caller {
  const host = namedHost(raw.url, raw.headers.host);
  return {
    method: raw.method ?? 'GET',
    headers: host === raw.headers.host ? raw.headers : { ...raw.headers, host },
    remoteAddress: raw.socket.remoteAddress ?? '',
    localAddress: raw.socket.localAddress ?? '',
    isEncrypted: 'encrypted' in raw.socket, // of a TLSSocket alone
  };
}

/** Refuses to make a server with a route whose author forgot to declare its callers or its line in the audit trail. */
export function requireDeclared(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.role === undefined)
      throw new Error(`${method} ${url} names no role: say in \`config\` of the route who may call it`);
    if (method !== 'GET' && config.audit === undefined)
      throw new Error(
        `${method} ${url} names no line of the audit trail: say in \`config\` of the route which, or null`,
      );
  });
}

export function guardEveryRequest(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRequest', async (request, reply) => {
    const {
      method,
      headers,
      raw,
      routeOptions: { config },
      is404,
    } = request;
    const origin = guard.corsOrigin(headers);
    if (origin !== null) reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
    const isPreflight = origin !== null && method === 'OPTIONS';
    // a browser's question before a call (CORS) carries no token; a path without a route reveals nothing
    const role = is404 ? 'till' : (config.role ?? 'technician');
    try {
      requireOneOfEach(raw);
      if (isPreflight) guard.origins.checkName(callerOf(raw));
      else {
        const caller = callerOf(raw);
        const entry = role === 'anyone' ? guard.enterUnasked(caller) : guard.enter(caller, config.isForCustomers);
        recordEntry(request, entry);
        guard.allow(entry, role);
      }
    } catch (error) {
      reply.header('connection', 'close'); // a refused caller shall hold no connection
      const opensPage = method === 'GET' && headers.accept?.includes('text/html') === true;
      const isAddress = headers.host && request.originalUrl.startsWith('/');
      if (!(error instanceof HttpFailure && error.kind === 'encryption' && opensPage && isAddress)) throw error;
      return await reply.redirect(`https://${headers.host}${request.originalUrl}`, 307);
    }
    if (!isPreflight) return;
    reply
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', 'content-type, authorization, idempotency-key');
    await reply.code(204).send();
  });
}

/**
 * Refuses secrets that came neither over TLS nor from this machine.
 * @param what the beginning of a sentence: "a token is sent"
 * @throws {HttpFailure} `encryption`
 */
export function requirePrivacy({ raw }: FastifyRequest, what: string): void {
  const caller = callerOf(raw);
  if (caller.isEncrypted || isFromThisMachine(caller)) return;
  throw new HttpFailure('encryption', `${what} over TLS only: set tls.mode to "auto", and call over https`);
}
