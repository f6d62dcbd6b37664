/** The pages themselves: files beside this one, read once, served under a policy that runs no script but ours. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifySchema } from 'fastify';

const FOLDER = join(import.meta.dirname, 'pages');
const ASSETS = '/console/assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A sample is read, not run. */
const PLAIN = 'text/plain; charset=utf-8';

/** Pages by their path. */
const PATHS: Readonly<Record<string, string>> = {
  'console.html': '/',
  'claim.html': '/claim',
  'display.html': '/display',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Not even a page may be kept: after an update the old one must not come back. */
function headersFor(name: string): Record<string, string> {
  return {
    'content-type': name.startsWith('samples/') ? PLAIN : (TYPES[extname(name)] ?? 'application/octet-stream'),
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    // 'no-referrer' would make the browser send its calls with `Origin: null`
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** Preact and htm in one module, as their package has it. */
const PREACT = fileURLToPath(import.meta.resolve('htm/preact/standalone'));
/** What draws codes, one module too. */
const QR = fileURLToPath(import.meta.resolve('qr'));

/** Programs to begin with, which the page for makers of tills leads to. */
const SAMPLES = join(import.meta.dirname, '../../clients/samples');
const samples = (): [string, string][] =>
  (existsSync(SAMPLES) ? readdirSync(SAMPLES) : []).map((name) => [`samples/${name}`, join(SAMPLES, name)]);

/** Names below the folder, as `sections/section-late.js`. */
const pageFiles = (): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) !== '')
    .sort();

/** @returns a name of this version of the pages: one that is open somewhere loads itself anew when it changes */
export function addStaticPages(app: FastifyInstance): string {
  const hidden: FastifySchema & { hide: boolean } = { hide: true };
  const version = createHash('sha256');
  const pages = pageFiles().map((name) => [name, join(FOLDER, name)] as const);
  const files = [...pages, ['preact.js', PREACT] as const, ['qr.js', QR] as const, ...samples()];
  for (const [name, file] of files) {
    const content = readFileSync(file);
    version.update(name).update(content);
    const headers = headersFor(name);
    app.get(PATHS[name] ?? `${ASSETS}${name}`, { schema: hidden }, async (_request, reply) =>
      reply.headers(headers).send(content),
    );
  }
  return version.digest('hex').slice(0, 16);
}
