/** Sends a package, or the part of it that an interrupted download lacks. */
import { createReadStream } from 'node:fs';
import type { FastifyReply } from 'fastify';
import type { Recognition } from '../service/recognition.ts';

/**
 * A range of one part: first and last byte, from the first one on, or a number of bytes at the end. The unit may be in
 * capitals.
 */
const ONE_PART = /^bytes=\s*(?!-\s*$)(\d*)-(\d*)\s*$/i;

interface ByteRange {
  /** First and last byte, both included. */
  readonly start: number;
  readonly end: number;
}

/**
 * Sets status and headers of the answer for a client that continues an interrupted download (RFC 9110, section 14).
 * @param range the header; several parts, other units and unreadable headers get the whole file, as the RFC allows
 * @returns the part to send; null where it lies beyond the file
 */
function answerRange(reply: FastifyReply, range: string | undefined, bytes: number): ByteRange | null {
  const whole = { start: 0, end: bytes - 1 };
  reply.header('accept-ranges', 'bytes');
  // without entity tags no If-Range can match: the whole file is sent
  const header = reply.request.headers['if-range'] === undefined ? range : undefined;
  const [part, first = '', last = ''] = ONE_PART.exec(header ?? '') ?? [];
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

/** Sends a package or the requested part of it. @param refuse answers where there is no such package or part */
export async function sendPackage(
  { packageStore }: Recognition,
  filename: string,
  reply: FastifyReply,
  refuse: (why: 'NotFound' | 'BeyondEnd', sentence: string) => FastifyReply,
): Promise<FastifyReply> {
  const found = packageStore.find(filename);
  if (found === null) return refuse('NotFound', `there is no package "${filename}" here`);
  const part = answerRange(reply, reply.request.headers.range, found.bytes);
  if (part === null)
    return refuse(
      'BeyondEnd',
      `Range: the package has ${found.bytes} bytes, and that part lies beyond them: fetch it without Range`,
    );
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(createReadStream(found.path, part));
}
