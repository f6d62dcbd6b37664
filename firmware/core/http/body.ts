/** Reads bodies as JSON, whatever content type a till sends; a call without a body ignores it. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasFewBetweenStrings, parseStrictJson, StrictJsonError } from '../../../drivers/lib/strict-json.ts';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { HttpFailure } from './call/failure.ts';
import { refuseCrossSite } from './cross-site.ts';
import { recordBody } from './guard/caller.ts';

/** Deepest nesting, beyond any body that a call takes; it limits the validator's recursion. */
const MAX_DEPTH = 32;

/** Most bytes of a body outside of its texts: of ten thousand ids, one a line. A file in base64 is one text. */
const MOST_BETWEEN_TEXTS = 128 * 1024;

/** @throws {HttpFailure} `json`: so many values that the device would do nothing else for seconds */
function requireFewValues(bytes: Buffer): void {
  if (bytes.length <= MOST_BETWEEN_TEXTS || hasFewBetweenStrings(bytes, MOST_BETWEEN_TEXTS)) return;
  throw new HttpFailure('json', `the body has more than ${MOST_BETWEEN_TEXTS} bytes outside of its texts`);
}

/** @throws {HttpFailure} `json`: no JSON, a member twice, too deep */
export function parseJson(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes, MAX_DEPTH);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new HttpFailure('json', `the body ${cause.message}`, { cause });
  }
}

/** The beginning of a Content-Type; any other text says nothing about the body (RFC 9110, section 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

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

function bodyOf(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return emptyBody(request);
  refuseCrossSite(request);
  if (bodySchemaOf(request) === null) return undefined;
  requireFewValues(bytes);
  return parseJson(bytes);
}

/** Compressions of RFC 9110, 8.4.1, and those of its registry that clients use; any other name says nothing about the body. */
const COMPRESSIONS = /(?:^|,)\s*(?:x-)?(?:gzip|compress|deflate|br|zstd)\s*(?:,|$)/i;

/**
 * Refuses compressed bodies: they would be read as broken JSON.
 * @param isOlder whether the call of a target is one of the interfaces that have no 415
 */
export function refuseCompressed(app: FastifyInstance, isOlder: (target: string) => boolean): void {
  app.addHook('preParsing', async ({ headers, originalUrl }) => {
    const encoding = headers['content-encoding'];
    if (encoding === undefined || !COMPRESSIONS.test(encoding)) return;
    const message = `the body was sent with Content-Encoding: ${encoding}; send it uncompressed`;
    if (isOlder(originalUrl)) throw new HttpFailure('parameter', message, { field: 'Content-Encoding' });
    throw new HttpFailure('media-type', message);
  });
}

/** Bytes from which a body is validated in another turn of the event loop than it is parsed in. */
const LARGE_BYTES = 1024 * 1024;
/** Waits for two turns: the first one comes before anything else is read from the network. */
const afterOthers = (): Promise<void> => nextTurn().then(nextTurn);

/** Replaces Fastify's parsers, which coerce, skip and answer in ways of their own, by one. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    recordBody(request, body as Buffer); // a Buffer by `parseAs`
    try {
      const parsed = bodyOf(request, body as Buffer);
      if (body.length < LARGE_BYTES) done(null, parsed);
      else void afterOthers().then(() => done(null, parsed)); // its validation gets a turn of its own
    } catch (error) {
      done(error as HttpFailure);
    }
  });
  // without a header that announces a body no parser is called
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = emptyBody(request);
  });
  // Fastify refuses a header that is no media type before it looks for a parser
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) delete headers['content-type'];
  });
}
