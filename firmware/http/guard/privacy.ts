/** What is said over TLS alone, or on the machine itself. */
import type { FastifyRequest } from 'fastify';
import { HttpFailure } from '../failure.ts';
import { isFromThisMachine } from './guard.ts';

/** @param what the beginning of a sentence: "a token is sent" @throws {HttpFailure} `encryption` */
export function requirePrivacy({ raw: { socket, headers } }: FastifyRequest, what: string): void {
  if ('encrypted' in socket || isFromThisMachine({ remoteAddress: socket.remoteAddress ?? '', headers })) return;
  throw new HttpFailure('encryption', `${what} over TLS only: set tls.mode to "auto", and call over https`);
}
