/** The pages themselves, served under a policy that runs no script but ours. */
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor, HttpFailure, hidden, pageHeaders, setEncoding } from '../http/index.ts';
import { ASSETS } from './joined.ts';
import { servedPages } from './served-pages.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A sample is read, not run. */
const PLAIN = 'text/plain; charset=utf-8';

const DOCUMENTS: Readonly<Record<string, string>> = {
  '/': 'console.html',
  '/claim': 'claim.html',
  '/display': 'display.html',
  // a screen at the scale: the console opens its page alone
  '/scale': 'console.html',
};

/** A document leads to the names of today: after an update the old one must not come back. */
const KEPT_NOWHERE = 'no-store';
const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';

async function send(request: FastifyRequest, reply: FastifyReply, name: string, kept: string): Promise<FastifyReply> {
  const encoding = encodingFor(request);
  const body = servedPages().body(name, encoding);
  if (body === null) throw new HttpFailure('not-found', `the pages have no file of the name ${name}`);
  const type = name.startsWith('samples/') ? PLAIN : (TYPES[extname(name)] ?? 'application/octet-stream');
  const bytes = await body;
  reply.headers({ ...pageHeaders(), 'content-type': type, 'cache-control': kept });
  setEncoding(reply, encoding);
  return reply.send(bytes);
}

export function addStaticPages(app: FastifyInstance): void {
  for (const [path, name] of Object.entries(DOCUMENTS))
    app.get(path, { schema: hidden() }, (request, reply) => send(request, reply, name, KEPT_NOWHERE));
  app.get<{ Params: { readonly '*': string } }>(`${ASSETS}*`, { schema: hidden() }, (request, reply) => {
    const [, digest = '', name = ''] = /^([^/]*)\/(.*)$/.exec(request.params['*']) ?? [];
    // what other releases have served under it was another
    if (digest !== servedPages().digest)
      throw new HttpFailure('not-found', `the pages of this release lie under ${ASSETS}${servedPages().digest}/`);
    return send(request, reply, name, KEPT_FOR_EVER);
  });
}
