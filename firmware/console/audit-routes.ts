/** The call by which a technician reads the audit trail, on the recognition port. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AuditLineSchema, type AuditTrail } from '../core/audit/index.ts';
import { beforeOf, cursor, Paging } from '../core/http/index.ts';

const LINES = new Paging(100, 1000);
const Query = Type.Object({ limit: LINES.limit('lines'), cursor }, { additionalProperties: false });
const Page = Type.Object({
  lines: Type.Array(AuditLineSchema, { description: 'newest first' }),
  cursor: Type.Union([Type.String(), Type.Null()], { description: 'of the next page; null where there is none' }),
});

export function addAuditRoutes(app: FastifyInstance, trail: AuditTrail): void {
  app.get(
    '/console/api/audit',
    { config: { role: 'technician' }, schema: { querystring: Query, response: { 200: Page } } },
    async ({ query }) => {
      const { lines, more } = await trail.page(beforeOf(query.cursor), LINES.sizeOf(query.limit));
      return { lines: [...lines], cursor: more ? String(lines.at(-1)?.n) : null };
    },
  );
}
