/** The part of a file that a client asks for who goes on with a download that was cut off (RFC 9110, section 14). */
import type { FastifyReply } from 'fastify';
import parseRange from 'range-parser';

const UNSATISFIABLE = -1;

export interface ByteRange {
  /** First and last byte, both of them in it. */
  readonly start: number;
  readonly end: number;
}

/**
 * Sets status and headers of the answer.
 * @param range the header; several parts at once, other units and what cannot be read ask for the whole, as the RFC allows
 * @returns the part to send; null where it lies beyond the file
 */
export function answerRange(reply: FastifyReply, range: string | undefined, bytes: number): ByteRange | null {
  const whole = { start: 0, end: bytes - 1 };
  reply.header('accept-ranges', 'bytes');
  // no entity tags are told, so that If-Range asks for the whole
  const asked = reply.request.headers['if-range'] === undefined ? range : undefined;
  const parts = asked === undefined ? null : parseRange(bytes, asked);
  if (parts === UNSATISFIABLE) {
    reply.code(416).header('content-range', `bytes */${bytes}`);
    return null;
  }
  const [part, ...others] = typeof parts === 'object' && parts?.type === 'bytes' ? parts : [];
  if (part === undefined || others.length > 0) {
    reply.header('content-length', bytes);
    return whole;
  }
  reply
    .code(206)
    .header('content-range', `bytes ${part.start}-${part.end}/${bytes}`)
    .header('content-length', part.end - part.start + 1);
  return part;
}
