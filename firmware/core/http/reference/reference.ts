/**
 * The reference of a port: its OpenAPI document, and `/reference`, the page that shows it to people (Swagger UI, served
 * from its package). The headers of that page are those of all the device's pages.
 */
import { createReadStream, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { CONSOLE_API } from '../failure-answers.ts';
import type { About, describeRoutes, Failing } from './described.ts';

// Routes describe their own part of the document. Common facts are added: who answers, who may call, what is answered
// before a route is reached, and the names of shared schemas.

/** Which calls a document has. */
type Part = 'promised' | 'console';

/** Paths that only the pages call. */
const CONSOLE_PATHS = new RegExp(`^(${CONSOLE_API}|/display/)`);

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of a port: promised calls, or, for tests, those that only the pages and lanectl make. */
    readonly describeApi: (which: Part) => Promise<object>;
  }
}

/** Makes a document; its code is loaded when somebody first reads one. */
async function makeDocument(...parameters: Parameters<typeof describeRoutes>): Promise<object> {
  const { describeRoutes } = await import('./described.ts');
  return await describeRoutes(...parameters);
}

/** Adds `describeApi` to a server; to be called before the first route is added. */
export function documentApi(app: FastifyInstance, about: About, failing: Failing): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  const documents = new Map<Part, Promise<object>>();
  app.decorate('describeApi', (part: Part) => {
    const chosen = routes.filter(({ url }) => CONSOLE_PATHS.test(url) === (part === 'console'));
    const document = documents.get(part) ?? makeDocument(chosen, about, failing);
    documents.set(part, document);
    return document;
  });
}

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

/** The schema of a route that no document has; each route has its own, as the server adds to it. */
export const hidden = (): FastifySchema & { readonly hide: boolean } => ({ hide: true });

/** Headers of a page with the device's own scripts: it loads nothing from elsewhere. @param images more sources of pictures */
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

/** Headers of pages for people on both ports, whose style sheet has its icons as `data:` pictures. */
export const PAGE_HEADERS = Object.freeze({ ...pageHeaders('data:'), 'cache-control': 'no-store' });

function serveFile(app: FastifyInstance, path: string, file: string): void {
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

/** Serves the page. */
export function addReference(app: FastifyInstance): void {
  serveFile(app, '/reference', PAGE);
  for (const file of ASSETS) serveFile(app, `/reference/assets/${basename(file)}`, file);
}
