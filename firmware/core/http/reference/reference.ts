/** `/reference`, the page that shows a port's OpenAPI document to people: Swagger UI, served from its package. */
import { createReadStream, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { PAGE_HEADERS } from '../page-headers.ts';
import { undocumented } from './api-documents.ts';

const ownFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const viewerFile = (name: string): string => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));

const PAGE = ownFile('reference.html');
/** The files of Swagger UI's package that a release needs: `scripts/lib/stage.sh` leaves out the rest. */
const VIEWER = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'];
const ASSETS = [ownFile('reference.js'), ownFile('reference.css'), ownFile('errors.css'), ...VIEWER.map(viewerFile)];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

function serveFile(app: FastifyInstance, path: string, file: string): void {
  const headers = {
    ...PAGE_HEADERS,
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': statSync(file).size,
  };
  // streamed: nearly two megabytes that are read once in a while are not kept in memory
  app.get(path, { config: { role: 'till' }, schema: undocumented() }, async (_request, reply) =>
    reply.headers(headers).send(createReadStream(file)),
  );
}

/** Adds `/reference` and its assets: the role `till` may read them. */
export function addReference(app: FastifyInstance): void {
  serveFile(app, '/reference', PAGE);
  for (const file of ASSETS) serveFile(app, `/reference/assets/${basename(file)}`, file);
}
