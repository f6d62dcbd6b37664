/** The call that reads the audit trail, page by page. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AuditLineSchema, type AuditTrail } from '../../core/audit/index.ts';
import { beforeOf, cursor, Paging } from '../../core/http/index.ts';

const TRAIL_PAGES = new Paging(100, 1000);
const TrailQuery = Type.Object({ limit: TRAIL_PAGES.limit('lines'), cursor }, { additionalProperties: false });
const TrailPage = Type.Object({
  lines: Type.Array(AuditLineSchema, { description: 'newest first' }),
  cursor: Type.Union([Type.String(), Type.Null()], { description: 'of the next page; null where there is none' }),
});

export function addAuditRoutes(app: FastifyInstance, trail: AuditTrail): void {
  app.get(
    '/console/api/audit',
    { config: { role: 'technician' }, schema: { querystring: TrailQuery, response: { 200: TrailPage } } },
    async ({ query }) => {
      const { lines, more } = await trail.page(beforeOf(query.cursor), TRAIL_PAGES.sizeOf(query.limit));
      return { lines: [...lines], cursor: more ? String(lines.at(-1)?.n) : null };
    },
  );
}
