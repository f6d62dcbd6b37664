/**
 * Answers on every path beside its routes: HEAD where there is GET, OPTIONS, and a wrong method instead of a wrong
 * path. The router itself is asked for the methods of a path, so that a path is found in the same spellings.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RawRequestDefaultExpression } from 'fastify';
import { HttpFailure } from './call/failure.ts';
import { namedHost } from './guard/authority.ts';

/** The target of a request that asks about the server as a whole (RFC 9110, section 9.3.7). */
const WHOLE_SERVER = '*';
/** The path that replaces it, which no route has: the router only takes paths. */
const PATH_OF_WHOLE_SERVER = '/*';

export const NOT_ENCODED =
  'the address of the request is not percent-encoded UTF-8: send letters beyond ASCII as %D0%B1, and a percent sign as %25';

const HEAD = 'HEAD';
/** Requests for the head of an answer. */
const ofHeads = new WeakSet<RawRequestDefaultExpression>();

/** Requests whose path the router cannot decode. */
const ofUnreadablePaths = new WeakSet<RawRequestDefaultExpression>();

/** Sends a request with an undecodable path the usual way, where no route takes it: hooks see it, the guard first. */
export function routeUnreadable(app: FastifyInstance, { raw }: FastifyRequest, reply: FastifyReply): void {
  const host = namedHost(raw.url, raw.headers.host);
  if (host !== undefined) raw.headers.host = host;
  ofUnreadablePaths.add(raw);
  app.routing(raw, reply.raw);
}

/** The path for the router's search. HEAD is searched as GET. */
export function pathOf(request: RawRequestDefaultExpression): string {
  const { method, url = '/' } = request;
  if (method === HEAD) {
    request.method = 'GET';
    ofHeads.add(request);
  }
  return url === WHOLE_SERVER || ofUnreadablePaths.has(request) ? PATH_OF_WHOLE_SERVER : url;
}

/** Answers HEAD by the head of GET; only the router takes it for GET: this is the first hook of a server. */
export function answerHeads(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (ofHeads.has(raw)) raw.method = HEAD;
  });
  app.addHook('onSend', async ({ method }, _reply, payload) => {
    if (method !== HEAD || !(payload instanceof Readable)) return payload; // Node leaves the body out, and keeps its length
    payload.destroy();
    return null;
  });
}

/** Answers requests without a route: with `not-found` or `method`, or with the methods of the path. */
export function answerStrays(app: FastifyInstance): void {
  const all = new Set<HTTPMethods>();
  const methodsAt = (url: string): HTTPMethods[] =>
    [...all].filter((method) => app.findRoute({ method, url }) !== null);
  app.addHook('onRoute', ({ method }) => {
    for (const each of [method].flat()) all.add(each as HTTPMethods);
  });
  app.addHook('onRequest', async ({ is404, method, originalUrl, raw, url }, reply) => {
    if (!is404) return;
    if (ofUnreadablePaths.has(raw)) throw new HttpFailure('request', NOT_ENCODED);
    const [path = '/'] = originalUrl.split('?');
    const methods = path === WHOLE_SERVER && method === 'OPTIONS' ? [...all] : methodsAt(url);
    if (methods.length === 0)
      throw new HttpFailure(
        'not-found',
        `there is no ${path} here; /reference shows the calls, /openapi.json lists them`,
      );
    const allow = [...methods, ...(methods.includes('GET') ? [HEAD] : []), 'OPTIONS'].sort().join(', ');
    reply.header('allow', allow);
    if (method !== 'OPTIONS')
      throw new HttpFailure('method', `${path} takes ${methods.sort().join(', ')}, not ${method}`);
    await reply.code(204).send();
  });
}
