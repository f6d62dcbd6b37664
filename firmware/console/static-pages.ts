/** Serves the pages under a policy that runs only our scripts. */
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor, HttpFailure, hidden, pageHeaders, setEncoding } from '../core/http/index.ts';
import { ASSETS } from './composed.js';
import type { PageFiles } from './page-files.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A sample is read, not run. */
const PLAIN = 'text/plain; charset=utf-8';

/** Address of the customer's page. */
const DISPLAY = '/display';
const DOCUMENTS: Readonly<Record<string, string>> = {
  '/': 'console/pages/console.html',
  '/claim': 'console/pages/claim.html',
  [DISPLAY]: 'console/pages/display.html',
  // a screen at the scale: the console opens its page alone
  '/scale': 'console/pages/console.html',
};

/** Documents are not cached: they link the present files, and an old one must not come back after an update. */
const KEPT_NOWHERE = 'no-store';

export function addStaticPages(app: FastifyInstance, pages: PageFiles): void {
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string) => {
    const file = await pages.read(name, encodingFor(request));
    if (file === null) throw new HttpFailure('not-found', `the pages have no file of the name ${name}`);
    const type = name.startsWith('samples/') ? PLAIN : (TYPES[extname(name)] ?? 'application/octet-stream');
    reply.headers({ ...pageHeaders(), 'content-type': type, 'cache-control': cacheControl });
    setEncoding(reply, file.encoding);
    return reply.send(file.bytes);
  };
  // people sign in there, or ask for a token: the same files on every device
  for (const [path, name] of Object.entries(DOCUMENTS))
    app.get(
      path,
      { config: path === DISPLAY ? { role: 'till', isForCustomers: true } : { role: 'anyone' }, schema: hidden() },
      (request, reply) => send(request, reply, name, KEPT_NOWHERE),
    );
  app.get<{ Params: { readonly '*': string } }>(
    `${ASSETS}*`,
    {
      config: { role: 'anyone' }, // the same files on every device
      schema: hidden(),
    },
    (request, reply) => {
      const { prefix, cacheControl } = pages;
      const path = request.params['*'];
      // what other releases have served under it was another
      if (!path.startsWith(prefix))
        throw new HttpFailure('not-found', `the pages of this release lie under ${ASSETS}${prefix}`);
      return send(request, reply, path.slice(prefix.length), cacheControl);
    },
  );
}
