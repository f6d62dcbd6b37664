/** The page on which people read the calls of a port: Swagger UI over its own `/openapi.json`, served from the package. */
import { createReadStream, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifySchema } from 'fastify';

const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const ofViewer = (name: string): string => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));

const PAGE = own('reference.html');
/** All that a release needs of the package: `scripts/lib/stage.sh` leaves out the rest. */
const VIEWER = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'];
const ASSETS = [own('reference.js'), own('reference.css'), own('errors.css'), ...VIEWER.map(ofViewer)];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

/** The schema of a route that stands in no document; each has its own, to which the server adds. */
export const hidden = (): FastifySchema & { readonly hide: boolean } => ({ hide: true });

/** Of a page of scripts of ours: nothing is fetched from elsewhere. @param images what pictures may come from beside this device */
export const pageHeaders = (images = '') => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${images}`.trim(),
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  // 'no-referrer' would make the browser send its calls with `Origin: null`
  'referrer-policy': 'same-origin',
});

/** Of pages for people on both ports, whose style sheet draws its icons as `data:` pictures. */
export const PAGE_HEADERS = Object.freeze({ ...pageHeaders('data:'), 'cache-control': 'no-store' });

function serve(app: FastifyInstance, path: string, file: string): void {
  const headers = {
    ...PAGE_HEADERS,
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': statSync(file).size,
  };
  // streamed: nearly two megabytes that are read once in a while are not kept in memory
  app.get(path, { config: { role: 'till' }, schema: hidden() }, async (_request, reply) =>
    reply.headers(headers).send(createReadStream(file)),
  );
}

export function addReference(app: FastifyInstance): void {
  serve(app, '/reference', PAGE);
  for (const file of ASSETS) serve(app, `/reference/assets/${basename(file)}`, file);
}
