/** Answers failures in the router's own envelope, with or without a request. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { writeFailure } from '../store/index.ts';
import { type EncodedFailure, type Envelope, HttpFailure, KINDS } from './failure.ts';
import { isNavigation, isOfBrowser } from './guard/page-sessions.ts';
import { NOT_ENCODED } from './routes.ts';

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
      // of a bank or a display it has other words by now
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
  readonly retryAfterS: number | null;
}

const [BUSY_STATUS, BUSY_CODE] = KINDS.busy;
/** When a busy device may be asked again. */
const NOT_BUSY_AFTER_S = 1;
const isBusy = ({ status, body }: EncodedFailure): boolean =>
  status === BUSY_STATUS && 'code' in body && body.code === BUSY_CODE;

function encode(envelope: Envelope, error: unknown, request: FastifyRequest): Refusal {
  const own = envelope.fromError(error);
  if (own !== null) return { ...own, internal: false, retryAfterS: isBusy(own) ? NOT_BUSY_AFTER_S : null };
  const failure = failureOf(error, request);
  const said = envelope.fromFailure(failure);
  const retryAfterS = failure.retryAfterS ?? (failure.kind === 'busy' ? NOT_BUSY_AFTER_S : null);
  return { ...said, internal: failure.status === 500, retryAfterS };
}

export function answerFailure(
  envelope: Envelope,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, body, internal, retryAfterS } = encode(envelope, error, request);
  if (internal) request.log.error({ err: error }, 'unexpected error');
  else request.log.debug({ status, reason: messageOf(error) }, 'a call was refused');
  if (retryAfterS !== null) reply.header('retry-after', retryAfterS);
  if (status === 426) reply.headers({ upgrade: 'TLS/1.2', connection: 'upgrade, close' });
  // a page asks in its own words who sits there
  if (status === 401 && (isNavigation(request.headers) || !isOfBrowser(request.headers)))
    reply.header('www-authenticate', 'Basic realm="Laneware", charset="UTF-8"');
  return reply
    .code(status)
    .type(envelope.mediaType ?? JSON_TYPE)
    .send(JSON.stringify(body));
}

/** How long further input of an answered connection is read and dropped: else its answer would be lost with it. */
const REST_MS = 2000;
/** Answered connections, whose further input Node's parser goes on to refuse. */
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
export const fullHouse = (): HttpFailure =>
  new HttpFailure('busy', 'the device answers as many connections as api.connections allows: call again', {
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
