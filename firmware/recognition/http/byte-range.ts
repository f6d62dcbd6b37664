/** The part of a file that a client asks for who goes on with a download that was cut off (RFC 9110, section 14). */
import type { FastifyReply } from 'fastify';

/** One part: first and last byte, from the first one on, or so many at the end. Units are the same in capitals. */
const ONE_PART = /^bytes=\s*(?!-\s*$)(\d*)-(\d*)\s*$/i;

interface ByteRange {
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
  // there are no entity tags, so that If-Range asks for the whole
  const asked = reply.request.headers['if-range'] === undefined ? range : undefined;
  const [part, first = '', last = ''] = ONE_PART.exec(asked ?? '') ?? [];
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? whole.end : Math.min(Number(last), whole.end);
  if (part === undefined || (last !== '' && Number(first) > Number(last))) {
    reply.header('content-length', bytes);
    return whole;
  }
  if (start > whole.end) {
    reply.code(416).header('content-range', `bytes */${bytes}`);
    return null;
  }
  reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${bytes}`)
    .header('content-length', end - start + 1);
  return { start, end };
}
