/**
 * Reads bodies as JSON, whatever content type a till sends; a call without a body ignores it. Limits how slowly a long
 * body may arrive or be taken.
 *
 * Finds fields that a call does not know. A till written for another device sends them to the older calls: they are
 * ignored, and the log names each once, so that a misspelling can be found. `/v1` and the console's calls refuse them:
 * in a body by its schema, in a query here.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  type Fields,
  hasFewBetweenStrings,
  isFields,
  parseStrictJson,
  StrictJsonError,
} from '../../../drivers/lib/strict-json.ts';
import { beginning } from '../../../drivers/lib/text.ts';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { HttpFailure } from './call/failure.ts';
import { isStrict } from './failure-answers.ts';
import { noteBody } from './guard/caller.ts';

/** Most fields logged: a client that invents names must not fill the log, nor the memory of logged names. */
export const MAX_FIELDS_LOGGED = 100;
const LONGEST_FIELD_LOGGED = 64;

/** The fields that the schema of a call's body names; null where it names none. */
function knownFields({ routeOptions }: FastifyRequest): Fields | null {
  const schema = routeOptions.schema?.body;
  return isFields(schema) && isFields(schema.properties) ? schema.properties : null;
}

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false });

/** Refuses unknown query parameters of these calls; a call without a schema for its query takes none. */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, schema }) => {
    if (isStrict(url) && schema !== undefined) schema.querystring ??= NO_PARAMETERS;
  });
}

export function passOverUnknownFields(app: FastifyInstance): void {
  const logged = new Set<string>();

  function log(request: FastifyRequest, name: string): void {
    const call = request.routeOptions.url ?? '';
    const field = beginning(name, LONGEST_FIELD_LOGGED);
    const both = `${call} ${field}`;
    if (logged.has(both) || logged.size === MAX_FIELDS_LOGGED) return;
    logged.add(both);
    request.log.warn({ call, field }, 'this call knows no such field: it is passed over');
  }

  app.addHook('preHandler', async (request) => {
    const known = knownFields(request);
    if (known === null || !isFields(request.body)) return;
    const sent = Object.entries(request.body);
    for (const [name] of sent) if (!Object.hasOwn(known, name)) log(request, name);
    request.body = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(known, name)));
  });
}

/** Deepest nesting, beyond any body of ours; it limits the validator's recursion. */
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

const LARGE_BYTES = 1024 * 1024;
/** The first turn comes before anything else is read from the network. */
const afterOthers = (): Promise<void> => nextTurn().then(nextTurn);

/** Replaces Fastify's parsers, which coerce, skip and answer in ways of their own, by one. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    noteBody(request, body as Buffer); // parseAs: 'buffer' says so
    try {
      const parsed = bodyOf(request, body as Buffer);
      if (body.length < LARGE_BYTES) done(null, parsed);
      else void afterOthers().then(() => done(null, parsed)); // its judgement is a piece of work of its own
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

/** Least rate of a long body, in or out: hundreds of megabytes may take long, but a mere trickle is given up. */
export interface LeastRate {
  /** How often the bytes are counted. */
  readonly sampleMs: number;
  /** The body is broken off when fewer than `leastBytes` pass in this many samples. */
  readonly samples: number;
  readonly leastBytes: number;
}

/** At least 16 KiB/s over a minute, as for an upload: a person is first asked where to save the file. */
export const DOWNLOAD_RATE: LeastRate = Object.freeze({ sampleMs: 5000, samples: 12, leastBytes: 960 * 1024 });
/** At least 16 KiB/s over half a minute. */
export const UPLOAD_RATE: LeastRate = Object.freeze({ sampleMs: 2000, samples: 15, leastBytes: 480 * 1024 });

/** Repeats a task. @returns stops it */
type Every = (ms: number, task: () => void) => () => void;

const everyMs: Every = (ms, task) => {
  const timer = setInterval(task, ms);
  return () => clearInterval(timer);
};

/** @param count bytes so far @param tooFew gets those of all samples, where they are too few @returns ends the looks */
function watchRate(
  { sampleMs, samples, leastBytes }: LeastRate,
  count: () => number,
  tooFew: (bytes: number) => void,
  every = everyMs,
): () => void {
  const counts: number[] = [count()];
  return every(sampleMs, () => {
    const now = count();
    const [oldest = now] = counts;
    counts.push(now);
    if (counts.length <= samples) return;
    counts.shift();
    if (now - oldest < leastBytes) tooFew(now - oldest);
  });
}

/** Breaks the connection of a client that reads too slowly; by the length it sees that the file is cut. */
export function requireTaking({ raw, log }: FastifyRequest, reply: FastifyReply, rate: LeastRate): void {
  if (reply.raw.destroyed) return; // the caller has gone: no event would follow
  const breakOff = (bytes: number): void => {
    const ms = rate.samples * rate.sampleMs;
    log.warn({ bytes, ms }, 'an answer was broken off: too little of it was taken');
    reply.raw.destroy();
  };
  const stop = watchRate(rate, () => raw.socket.bytesWritten, breakOff);
  reply.raw.once('close', stop);
}

type Reply = Pick<FastifyReply, 'raw' | 'header'>;

/** Ends the request: the rest of its body is not read, and the reader of the body must not wait for it forever. */
function hangUp(request: IncomingMessage, reply: Reply): void {
  reply.header('connection', 'close');
  reply.raw.once('close', () => request.destroy());
}

/**
 * Runs the reader of a body, as long as enough of it arrives.
 * @throws {HttpFailure} `timeout`, and the errors of `read`
 */
export async function readArriving<T>(
  { raw }: Pick<FastifyRequest, 'raw'>,
  reply: Reply,
  rate: LeastRate,
  read: () => Promise<T>,
  every?: Every,
): Promise<T> {
  const givenUp = Promise.withResolvers<never>();
  const giveUp = (bytes: number): void => {
    if (raw.complete) return; // what is made of it may take longer
    const seconds = (rate.samples * rate.sampleMs) / 1000;
    const message = `only ${bytes} bytes were received in ${seconds} s, at least ${rate.leastBytes} must be`;
    givenUp.reject(new HttpFailure('timeout', message));
  };
  const stop = watchRate(rate, () => raw.socket.bytesRead, giveUp, every);
  try {
    return await Promise.race([read(), givenUp.promise]);
  } catch (error) {
    if (error instanceof HttpFailure && error.kind === 'timeout') hangUp(raw, reply);
    throw error;
  } finally {
    stop();
  }
}
