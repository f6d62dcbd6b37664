/** Compresses answers in encodings that browsers accept. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Encoding = 'br' | 'gzip';

/** The best encoding that a caller accepts; null for none. */
export function encodingFor({ headers }: FastifyRequest): Encoding | null {
  const accepted = [headers['accept-encoding'] ?? '']
    .flat()
    .join()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.replace(/;.*/, '').trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? null;
}

/** The best quality within a moment; the best of `br` takes ten times as long. */
const QUALITY = 9;

const compressed = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br'
    ? promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
    : promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION });

/** Sets `Content-Encoding`, and adds `Accept-Encoding` to `Vary`, which may name the origin already. */
export function setEncoding(reply: FastifyReply, encoding: Encoding | null): void {
  reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '));
  if (encoding !== null) reply.header('content-encoding', encoding);
}

/**
 * `onSend` of a route whose JSON seldom changes, after other hooks: it is sent compressed, and a browser that has it
 * asks whether it has changed.
 */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, text: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof text !== 'string') return text;
  // weak: the same in every encoding
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
  const encoding = encodingFor(request);
  reply.headers({ 'cache-control': 'private, no-cache', etag: tag });
  setEncoding(reply, encoding);
  if (request.headers['if-none-match'] !== tag) return encoding === null ? text : compressed(text, encoding);
  reply.code(304).removeHeader('content-encoding').removeHeader('content-type');
  return null;
}
