/** The call by which a technician reads the audit trail, on the recognition port. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AuditLineSchema, type AuditTrail } from '../audit/index.ts';
import { beforeOf, cursor, Paging, type TypeBoxProvider } from '../http/index.ts';

const LINES = new Paging(100, 1000);
const Query = Type.Object({ limit: LINES.limit('lines'), cursor }, { additionalProperties: false });
const EXAMPLE = {
  n: 17,
  at: '2026-11-21T08:00:00.000Z',
  boot: '0d1f5a3e-5a58-4a0c-9a3f-7b8f6f0c2a11',
  up: 86_400,
  address: '127.0.0.1',
  credential: 'loopback',
  deed: 'settings',
  what: { bankProfile: 'sandbox' },
  outcome: 'done',
};
const Page = Type.Object(
  {
    lines: Type.Array(AuditLineSchema, { description: 'newest first' }),
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'of the next page; null where there is none' }),
  },
  { title: 'AuditPage', description: 'some of the lines', examples: [{ lines: [EXAMPLE], cursor: null }] },
);

export function addAuditRoutes(plain: FastifyInstance, trail: AuditTrail): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/audit',
    {
      schema: {
        operationId: 'getAuditTrail',
        tags: ['device'],
        summary: 'Who has done what to this device, and who was refused',
        description: 'Newest first, a page at a time: `cursor` of an answer asks for the next one.',
        querystring: Query,
        response: { 200: Page },
      },
    },
    async (request) => {
      const { query } = request;
      const { lines, more } = await trail.page(beforeOf(query.cursor), LINES.sizeOf(query.limit));
      return { lines: [...lines], cursor: more ? String(lines.at(-1)?.n) : null };
    },
  );
}
