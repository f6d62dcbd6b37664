/** Reads bodies as JSON, whatever content type a till sends; a call without a body ignores it. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseStrictJson, StrictJsonError } from '../../../drivers/lib/strict-json.ts';
import { noteBody } from './caller.ts';
import { HttpFailure } from './failure.ts';

/** Deepest nesting, beyond any body of ours; it limits the validator's recursion. */
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

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** The beginning of a Content-Type; any other text says nothing about the body (RFC 9110, section 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Refuses bodies of pages without the content type JSON: a page may send some other types without asking first. A till
 * sends no `Origin`, and its content type is ignored.
 * @throws {HttpFailure} `media-type`
 */
function requireJsonOfPages({ origin, 'content-type': given = 'none' }: FastifyRequest['headers']): void {
  if (origin === undefined || JSON_TYPE.test(given)) return;
  throw new HttpFailure(
    'media-type',
    `the body must be sent as Content-Type: application/json (it was sent as ${given})`,
  );
}

/** The schema of a call's body; null for no body, or files. */
function bodySchemaOf({ routeOptions: { config, schema } }: FastifyRequest): { readonly required?: unknown } | null {
  return config.isUpload === true ? null : ((schema?.body as { required?: unknown } | undefined) ?? null);
}

/**
 * The value of an empty body. A body without required fields may be missing.
 * @throws {HttpFailure} `json` where a body is required
 */
function emptyBody(request: FastifyRequest): unknown {
  const schema = bodySchemaOf(request);
  if (schema === null) return undefined;
  if (schema.required === undefined) return {};
  throw new HttpFailure('json', 'the body is empty; this call takes a JSON object');
}

const PLAIN_TEXT = /^text\/plain\s*(;|$)/i;
/** A bearer token, which browsers never add by themselves. */
const BEARER = /^bearer /i;

/**
 * Refuses forms of pages: a browser sends one without asking first, old browsers without an origin, and as text it may
 * be JSON. The calls of recognition that cannot change are useless to a form.
 * @throws {HttpFailure} `media-type`
 */
function refuseForms({ headers, routeOptions: { url = '', config } }: FastifyRequest): void {
  const { authorization = '', 'content-type': given = '' } = headers;
  if (!PLAIN_TEXT.test(given) || BEARER.test(authorization)) return;
  if (config.role === 'till' || config.role === 'anyone' || url.startsWith('/api/')) return;
  throw new HttpFailure('media-type', 'the body of this call must be sent as Content-Type: application/json');
}

function bodyOf(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return emptyBody(request);
  requireJsonOfPages(request.headers);
  refuseForms(request);
  return bodySchemaOf(request) === null ? undefined : parseJson(bytes);
}

/**
 * Accepts files as bodies, in a scope of their own.
 * @param types by media type, what the handler gets of the bytes
 * @param refusal the failure for any other type
 */
export function acceptFiles(
  scope: FastifyInstance,
  types: Readonly<Record<string, (bytes: Buffer) => unknown>>,
  refusal: string,
): void {
  scope.removeAllContentTypeParsers();
  for (const [type, taken] of Object.entries(types))
    scope.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      (_request, bytes, done) => done(null, taken(bytes as Buffer)), // parseAs: 'buffer' says so
    );
  scope.addContentTypeParser('*', (_request, _body, done) => done(new HttpFailure('media-type', refusal)));
}

/** Replaces Fastify's parsers, which coerce, skip and answer in ways of their own, by one. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    noteBody(request, body as Buffer); // parseAs: 'buffer' says so
    try {
      done(null, bodyOf(request, body as Buffer));
    } catch (error) {
      done(error as HttpFailure);
    }
  });
  // without a header that announces a body no parser is asked
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = emptyBody(request);
  });
  // Fastify refuses a header that is no media type before it looks for a parser
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) delete headers['content-type'];
  });
}
