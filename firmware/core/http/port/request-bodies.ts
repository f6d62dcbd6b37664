/** How long the body of a request may take, and what becomes of the rest of a refused one. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '../call/failure.ts';
import { answerConnection, tooSlow } from '../failure-answers.ts';
import { isAdmitted } from '../guard/caller.ts';

/** Most bytes read of a body after its caller was refused. */
const REST_OF_STRANGERS_BYTES = 1024 * 1024;

/**
 * Limits the time of bodies. Node has one limit for all routes: that of the longest upload. The rest of a body after
 * its answer, as of a refused caller, has the usual time, even for an upload.
 */
export function limitBodies(app: FastifyInstance, envelopeOf: (url: string) => Envelope, limitMs: number): void {
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
    raw.once('end', end).once('close', end);
    // the rest of a body may arrive after its answer, when Node no longer reports a closed connection
    reply.raw.once('close', () => {
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
export function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const { raw } = request;
    if (raw.complete) return;
    if (reply.getHeader('connection') === 'close') reply.removeHeader('connection');
    if (isAdmitted(request)) return;
    const most = raw.socket.bytesRead + REST_OF_STRANGERS_BYTES;
    raw.on('data', () => {
      if (raw.socket.bytesRead > most) raw.socket.destroy();
    });
  });
}
