/** Bodies are JSON and nothing else; where none is asked for, an empty one is fine under any header. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseStrictJson, StrictJsonError } from '../strict-json.ts';
import { HttpFailure } from './failure.ts';

/** Deeper nesting than any body of ours has; it guards the validator's recursion. */
const MAX_DEPTH = 32;

/** @throws {HttpFailure} `json`: no JSON, a member twice, too deep */
export function parseJson(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes, MAX_DEPTH);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new HttpFailure('json', `the body ${cause.message}`, { cause });
  }
}

/** Puts our parsers in the place of Fastify's, which coerce, skip and answer in ways of their own. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer; // parseAs: 'buffer' says so
    try {
      done(null, bytes.length === 0 ? emptyBody(wantsBody(request)) : parseJson(bytes));
    } catch (error) {
      done(error as HttpFailure);
    }
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0 && !wantsBody(request)) return done(null, undefined);
    const given = request.headers['content-type'] ?? 'none';
    done(
      new HttpFailure(
        'media-type',
        `the body must be sent as Content-Type: application/json (it was sent as ${given})`,
      ),
    );
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is described by a schema, and may be left out. */
    bodyOptional?: boolean;
  }
}

function wantsBody({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.schema?.body !== undefined && routeOptions.config.bodyOptional !== true;
}

function emptyBody(wanted: boolean): undefined {
  if (wanted) throw new HttpFailure('json', 'the body is empty; this call takes a JSON object');
  return undefined;
}
