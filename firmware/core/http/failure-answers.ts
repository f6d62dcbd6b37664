/**
 * Answers failures in the router's own envelope, with or without a request. Those of `/v1`, of the console's calls and
 * of the pages about codes are problem details (RFC 9457) with a code.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { type ErrorRecord, RecordedError } from '../../../drivers/lib/records.ts';
import { writeFailure } from '../files/index.ts';
import type { OwnFailures } from '../host/index.ts';
import { codeOfKind, type EncodedFailure, type Envelope, HttpFailure, KINDS } from './call/failure.ts';
import { isNavigation, isOfBrowser } from './guard/page-sessions.ts';
import { NOT_ENCODED } from './routes.ts';

/** Path of the calls of the API. */
export const V1 = '/v1/';
/** Path of the calls of the console and of lanectl: no document promises them. */
export const CONSOLE_API = '/console/api/';

/** Whether a call accepts only the fields that its schema names. */
export const isStrict = (path: string): boolean => path.startsWith(V1) || path.startsWith(CONSOLE_API);

const PROBLEM_TYPE = 'application/problem+json';

/** Path of the pages about codes: `type` of a problem is one of them. */
export const ERRORS_PATH = '/errors';

/** Whether a call fails with a problem. Programs, too, read a page about a code. */
export const failsWithProblem = (path: string): boolean => isStrict(path) || path.startsWith(`${ERRORS_PATH}/`);

const Problem = Type.Object(
  {
    type: Type.String({
      description:
        'names the kind of problem: `/errors/` and the code. It never changes, and is a path on the device that says what to do, as a page or as JSON',
    }),
    title: Type.String({ description: 'of the HTTP status' }),
    status: Type.Integer({ description: 'the HTTP status' }),
    detail: Type.String({ description: 'a sentence that says what is wrong and what to do' }),
    code: Type.String({
      description: 'category and member, as `Payments.ExceedsPaid` or `Items.NotFound`: it never changes',
    }),
    field: Type.Optional(Type.String({ description: 'the field at fault, where one is' })),
    payment: Type.Optional(Type.String({ description: '`id` of the payment that it is about' })),
    payments: Type.Optional(Type.Array(Type.String(), { description: 'the same of several' })),
    repeat: Type.Optional(
      Type.Boolean({ description: 'of a failed sale: whether the same key is to be sent again; else it is used up' }),
    ),
    differs: Type.Optional(
      Type.Array(Type.String(), { description: 'fields by which a call differs from the one of the same key' }),
    ),
    left: Type.Optional(Type.Integer({ description: 'kopecks of a payment that can still be refunded' })),
    amount: Type.Optional(Type.Integer({ description: 'kopecks of the refund that the key stands for' })),
  },
  { additionalProperties: true, description: 'refused or failed; other members are parameters of the sentence' },
);

/** A failure as problem details. @param more parameters of the sentence, and the field at fault */
export const problem = (status: number, code: string, detail: string, more: object): EncodedFailure => ({
  status,
  body: { type: `${ERRORS_PATH}/${code}`, title: STATUS_CODES[status] ?? 'Error', status, detail, code, ...more },
});

export const fieldAtFault = ({ field }: { readonly field: string | null }): object =>
  field === null || field === '' ? {} : { field };

/** Fields of a failure before or around a handler, beside its sentence. */
const moreOf = (failure: HttpFailure): object => ({
  ...fieldAtFault(failure),
  ...(failure.needs !== null && { needs: failure.needs }),
});

/**
 * The envelope of failures as problem details: errors with records of their own, of any part, and a module's others.
 * @param fromError null for an error that is not one of these others
 * @param codeBefore the code of a failure before or around a handler
 */
export const problemEnvelope = (
  fromError: Envelope['fromError'],
  codeBefore = ({ kind }: HttpFailure): string => codeOfKind(kind),
): Envelope => ({
  failure: Problem,
  mediaType: PROBLEM_TYPE,
  failsUnder200: false,
  fromFailure: (failure) => problem(failure.status, codeBefore(failure), failure.message, moreOf(failure)),
  fromError: (error) => fromError(error) ?? recordedProblem(error),
});

/** An error with a record as problem details; null for any other. */
export const recordedProblem = (error: unknown): EncodedFailure | null =>
  error instanceof RecordedError
    ? problem(error.status, `${error.category}.${error.code}`, error.message, error.more)
    : null;

/** The refusals of a call by status, to spread into the responses of its schema. */
export function problemsOf<Code extends string>(
  records: Readonly<Record<Code, ErrorRecord>>,
  codes: readonly Code[],
): object {
  const described = (status: number) => ({
    description: codes.filter((code) => records[code].status === status).join(', '),
    content: { [PROBLEM_TYPE]: { schema: Problem } },
  });
  return Object.fromEntries(
    [...new Set(codes.map((code) => records[code].status))].map((status) => [status, described(status)]),
  );
}

/** Largest body where a route names no other: room for any text of a call, each character escaped. */
export const BODY_LIMIT_BYTES = 16 * 1024;
export const JSON_TYPE = 'application/json';

/** Failures that no router words: Fastify's own errors, a full disk, and unexpected errors. */
function failureOf(error: unknown, { raw, routeOptions }: FastifyRequest): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const unwritten = writeFailure(error);
  if (unwritten === 'full') return new HttpFailure('storage', 'the storage of the device is full', { cause: error });
  if (unwritten === 'refused')
    return new HttpFailure('storage-refused', 'the device cannot write to its storage; its log says why', {
      cause: error,
    });
  if (unwritten === 'held') return new HttpFailure('storage-refused', messageOf(error), { cause: error });
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpFailure(
        'too-large',
        `the body is larger than this call takes: at most ${routeOptions.bodyLimit ?? BODY_LIMIT_BYTES} bytes`,
        { cause: error },
      );
    case 'ECONNRESET':
      // a connection lost to a bank or a display has become another error by now
      if (!raw.complete)
        return new HttpFailure('request', 'the caller hung up before the body was whole', { cause: error });
      break;
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new HttpFailure('request', messageOf(error), { cause: error });
  }
  return new HttpFailure('internal', 'an unexpected error happened; the log of the device holds the details', {
    cause: error,
  });
}

interface Refusal extends EncodedFailure {
  readonly internal: boolean;
  /** Whether the failure is an error of the program, for which no part has a code. */
  readonly isOwn: boolean;
  readonly retryAfterS: number | null;
}

const [BUSY_STATUS, BUSY_CODE] = KINDS.busy;
/** When a busy device may be asked again. */
const NOT_BUSY_AFTER_S = 1;
const isBusy = ({ status, body }: EncodedFailure): boolean =>
  status === BUSY_STATUS && 'code' in body && body.code === BUSY_CODE;

function encode(envelope: Envelope, error: unknown, request: FastifyRequest): Refusal {
  const own = envelope.fromError(error);
  if (own !== null)
    return { ...own, internal: false, isOwn: false, retryAfterS: isBusy(own) ? NOT_BUSY_AFTER_S : null };
  const failure = failureOf(error, request);
  const encoded = envelope.fromFailure(failure);
  const retryAfterS = failure.retryAfterS ?? (failure.kind === 'busy' ? NOT_BUSY_AFTER_S : null);
  return { ...encoded, internal: failure.status === 500, isOwn: failure.kind === 'internal', retryAfterS };
}

const failed = new WeakSet<FastifyRequest>();

/** Whether a call was refused or has failed, under whatever status. */
export const hasFailed = (request: FastifyRequest): boolean => failed.has(request);

/** @param own where the work of the call is counted, if the program fails at it */
export function answerFailure(
  envelope: Envelope,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  own: OwnFailures,
): FastifyReply {
  const { status, body, internal, isOwn, retryAfterS } = encode(envelope, error, request);
  const { work } = request.routeOptions.config;
  failed.add(request);
  if (internal) request.log.error({ err: error }, 'unexpected error');
  else request.log.debug({ status, reason: messageOf(error) }, 'a call was refused');
  if (isOwn && work !== undefined) own.failed(work, error);
  if (retryAfterS !== null) reply.header('retry-after', retryAfterS);
  if (status === 426) reply.headers({ upgrade: 'TLS/1.2', connection: 'upgrade, close' });
  // a page of the device asks for a sign-in itself: the header would open the browser's own dialogue
  if (status === 401 && (isNavigation(request.headers) || !isOfBrowser(request.headers)))
    reply.header('www-authenticate', 'Basic realm="Laneware", charset="UTF-8"');
  return reply
    .code(status)
    .type(envelope.mediaType ?? JSON_TYPE)
    .send(JSON.stringify(body));
}

/** How long further input of an answered connection is read and dropped: unread input would lose the answer, too. */
const REST_MS = 2000;
/** Answered connections, whose further input Node's parser continues to refuse. */
const answered = new WeakSet<Socket>();

/** Answers a connection that has no request yet, and closes it. */
export function answerConnection(envelope: Envelope, failure: HttpFailure, socket: Socket): void {
  const { status, body } = envelope.fromFailure(failure);
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${failure.kind}`,
    `content-type: ${envelope.mediaType ?? JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(text)}`,
    ...(failure.retryAfterS === null ? [] : [`retry-after: ${failure.retryAfterS}`]),
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
  answered.add(socket);
  const away = (): void => void socket.destroy();
  const limit = setTimeout(away, REST_MS);
  socket
    .once('close', () => clearTimeout(limit))
    .once('error', away)
    .once('end', away);
  socket.removeAllListeners('data').resume();
}

const REQUEST_LINE = /(?:^|\n)[A-Z]+ (\S+)/g;

/** The address of a request that Node's parser refuses, as far as read; empty if it came in an earlier packet. */
export function targetOfBroken({ rawPacket, bytesParsed }: { rawPacket?: unknown; bytesParsed?: number }): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  const lines = [...rawPacket.toString('latin1', 0, bytesParsed).matchAll(REQUEST_LINE)];
  return lines.at(-1)?.[1] ?? '';
}

/** Answers input that Node's parser refuses before there is a request. */
export function answerBrokenRequest(envelope: Envelope, error: Error & { code?: string }, socket: Socket): void {
  if (answered.has(socket)) return;
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new HttpFailure('headers', 'the headers of the request are too large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? tooSlow()
        : new HttpFailure('request', error.code === 'HPE_INVALID_URL' ? NOT_ENCODED : 'not a valid HTTP request');
  answerConnection(envelope, failure, socket);
}

export const tooSlow = (): HttpFailure => new HttpFailure('timeout', 'the request was not sent whole in time');
export const tooManyConnections = (): HttpFailure =>
  new HttpFailure('busy', 'every connection that the device keeps is in use: call again', {
    retryAfterS: NOT_BUSY_AFTER_S,
  });

/** Answers a request that expects something else than an answer (`Expect`). */
export function answerExpectation(envelope: Envelope, response: ServerResponse): void {
  const failure = new HttpFailure('request', 'the Expect header asks for what this device does not do');
  const { status, body } = envelope.fromFailure(failure);
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const type = envelope.mediaType ?? JSON_TYPE;
  response.writeHead(status, { 'content-type': type, 'content-length': length, connection: 'close' }).end(text);
}
