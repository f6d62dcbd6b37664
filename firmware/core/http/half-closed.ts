/**
 * Callers that end their own side of the connection after the request, as `shutdown(SHUT_WR)` and `nc -N` do: they still
 * read. A caller that has closed its connection looks the same, until something is sent to it: its system refuses that
 * (RFC 9293, 3.10.7.4). So an interim answer (RFC 9110, 15.2) is sent now and then, and a refused one is a hang-up.
 * HTTP/1.0 has no interim answers: its callers have hung up, as before. So have callers by TLS, where each end closes both.
 */
import type { Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How often a caller that has ended its side gets an interim answer. A hang-up is noticed after two of them at most. */
const HANG_UP_CHECK_MS = 500;

/** A setting of `node:http` that its types leave out: a connection stays open for the answer when its caller has ended its side. */
interface HalfOpen {
  httpAllowHalfOpen: boolean;
}

function probeUntilAnswered(response: ServerResponse): void {
  const probe = (): void => {
    if (!response.headersSent) response.writeProcessing();
  };
  probe();
  const timer = setInterval(probe, HANG_UP_CHECK_MS);
  response.once('close', () => clearInterval(timer));
}

export function answerHalfClosed(app: FastifyInstance): void {
  const server: Server & Partial<HalfOpen> = app.server;
  server.httpAllowHalfOpen = true;
  app.addHook('onRequest', async ({ raw }, reply) => {
    const { socket, httpVersion } = raw;
    const end = (): void => {
      if (httpVersion === '1.1') probeUntilAnswered(reply.raw);
      else socket.destroy();
    };
    if (socket.readableEnded) end();
    else socket.once('end', end);
    reply.raw.once('close', () => socket.off('end', end));
  });
}
