/** How long the body of a request may take, and what becomes of the rest of a refused one. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '../call/failure.ts';
import { answerConnection, tooSlow } from '../failure-answers.ts';
import { isAdmitted } from '../guard/caller.ts';

/** Most bytes read of a body after its caller was refused. */
const REST_OF_STRANGERS_BYTES = 1024 * 1024;

/**
 * Limits the time of bodies. Node has one limit for all routes: that of the longest upload. Once answered, an upload too
 * has only `limitMs` for the rest of its body.
 */
function limitBodies(app: FastifyInstance, envelopeOf: (url: string) => Envelope, limitMs: number): void {
  const limited = new WeakSet<FastifyRequest>();
  const limitBody = (request: FastifyRequest, reply: FastifyReply): void => {
    const { raw, originalUrl } = request;
    const { socket } = raw;
    limited.add(request);
    const limit = setTimeout(() => {
      if (!raw.complete && socket.writable) answerConnection(envelopeOf(originalUrl), tooSlow(), socket);
    }, limitMs);
    const end = (): void => {
      clearTimeout(limit);
      socket.off('close', end);
    };
    // The limit ends by the first of three: the whole body was read (`end`); the caller has gone before the answer
    // (`close` of the request); or, where the body goes on after its answer, its connection is closed: then the request
    // itself reports no `close`.
    raw.once('end', end).once('close', end);
    reply.raw.once('close', () => {
      // an injected request has no `complete`, and a socket that never closes
      if (raw.complete === false && !socket.destroyed) socket.once('close', end);
      else end();
    });
  };
  app.addHook('onRequest', async (request, reply) => {
    const { headers } = request.raw;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    if (request.routeOptions.config.isUpload !== true) limitBody(request, reply);
  });
  app.addHook('onSend', async (request, reply) => {
    const { raw } = request;
    // after the caller has gone no data and no event would end the limit
    if (!raw.complete && !raw.destroyed && !limited.has(request)) limitBody(request, reply);
  });
}

/**
 * Reads the rest of refused bodies. Fastify would close the connection while the body still comes: the sender would
 * read no answer, but meet a broken pipe. Node drops the rest, as long as `limitBodies` allows; for a refused caller,
 * one mebibyte.
 */
function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const { raw } = request;
    if (raw.complete) return;
    if (reply.getHeader('connection') === 'close') reply.removeHeader('connection');
    if (isAdmitted(request)) return;
    const mostBytesRead = raw.socket.bytesRead + REST_OF_STRANGERS_BYTES;
    raw.on('data', () => {
      if (raw.socket.bytesRead > mostBytesRead) raw.socket.destroy();
    });
  });
}

/** @param envelopeOf the envelope of failures at a path @param limitMs for the body of each call that is no upload */
export function guardBodies(app: FastifyInstance, envelopeOf: (url: string) => Envelope, limitMs: number): void {
  limitBodies(app, envelopeOf, limitMs);
  drainRefusedBodies(app);
}
