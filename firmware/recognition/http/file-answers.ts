/** Answers that are files: in the document, and as they are sent. */
import type { FastifyReply } from 'fastify';

/** An answer that is a file, for OpenAPI; it is sent as it is. */
export const binary = (type: string, description: string) => ({
  200: { description, content: { [type]: { schema: { type: 'string', format: 'binary' } } } },
});

/** @param headers in addition to those of every picture */
export const sendJpeg = (
  reply: FastifyReply,
  jpeg: Uint8Array,
  headers: Readonly<Record<string, string>>,
): FastifyReply =>
  reply
    .headers({ 'x-content-type-options': 'nosniff', ...headers })
    .type('image/jpeg')
    .send(Buffer.from(jpeg));
/** The picture may change, so a browser must ask each time. */
export const ASKED_AGAIN = { 'cache-control': 'no-cache' } as const;
