/** Bodies that are files, of calls that take no JSON. */
import type { FastifyInstance } from 'fastify';
import { HttpFailure } from './call/failure.ts';

/**
 * Accepts files as bodies, in a scope of their own.
 * @param types by media type, what the handler gets of the bytes
 * @param refusal the failure for any other type
 */
export function acceptFiles(
  scope: FastifyInstance,
  types: Readonly<Record<string, (bytes: Buffer) => unknown>>,
  refusal: string,
): void {
  scope.removeAllContentTypeParsers();
  for (const [type, parse] of Object.entries(types))
    scope.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      (_request, bytes, done) => done(null, parse(bytes as Buffer)), // a Buffer by `parseAs`
    );
  scope.addContentTypeParser('*', (_request, _body, done) => done(new HttpFailure('media-type', refusal)));
}
