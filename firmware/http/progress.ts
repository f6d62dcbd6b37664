/** A body of hundreds of megabytes may take long, but not for ever: what counts is that something still arrives. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpFailure } from './failure.ts';

/**
 * Runs what reads the body, as long as the client sends something.
 * @param stallMs without a byte for so long (at most for twice as long) the client is given up, and its connection closed
 * @throws {HttpFailure} `timeout`, and what `read` throws
 */
export async function whileSending<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  stallMs: number,
  read: () => Promise<T>,
): Promise<T> {
  const { socket } = request.raw;
  let seen = socket.bytesRead;
  let watch: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      if (socket.bytesRead === seen) reject(new HttpFailure('timeout', `nothing was received for ${stallMs / 1000} s`));
      seen = socket.bytesRead;
    }, stallMs);
  });
  try {
    return await Promise.race([read(), stalled]);
  } catch (error) {
    // what may still come belongs to no request any more
    if (error instanceof HttpFailure && error.kind === 'timeout') reply.header('connection', 'close');
    throw error;
  } finally {
    clearInterval(watch);
  }
}
