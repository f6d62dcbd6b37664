/** The call by which a technician reads the audit trail, on the recognition port. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AuditLineSchema, type AuditTrail } from '../core/audit/index.ts';
import { beforeOf, cursor, noteForAudit, Paging } from '../core/http/index.ts';

const LINES = new Paging(100, 1000);
const Query = Type.Object({ limit: LINES.limit('lines'), cursor }, { additionalProperties: false });
const Page = Type.Object({
  lines: Type.Array(AuditLineSchema, { description: 'newest first' }),
  cursor: Type.Union([Type.String(), Type.Null()], { description: 'of the next page; null where there is none' }),
});

/** Who comes in from afar: `lanectl remote` opens the way once this is written. */
const RemoteBody = Type.Object(
  {
    by: Type.String({ description: 'who comes in, as the audit trail names them', minLength: 1, maxLength: 64 }),
    minutes: Type.Integer({ description: 'for how long the way is open', minimum: 1, maximum: 480 }),
  },
  { additionalProperties: false, examples: [{ by: 'Ivanova', minutes: 60 }] },
);
/** `time`: it was over; `closed`: by a person, or with the machine; `failed`: the chain's program ended by itself. */
const ENDS = ['time', 'closed', 'failed'] as const;
export type RemoteEnd = (typeof ENDS)[number];
const EndBody = Type.Object(
  { how: Type.Enum([...ENDS], { description: 'how it ended' }) },
  { additionalProperties: false, examples: [{ how: 'time' }] },
);
/** Lines in which the beginning is sought. */
const SOUGHT_LINES = 1000;
const Noted = Type.Object({ noted: Type.Literal(true) });

export function addAuditRoutes(app: FastifyInstance, trail: AuditTrail): void {
  app
    .post('/console/api/remote', { schema: { body: RemoteBody, response: { 200: Noted } } }, async () => ({
      noted: true as const,
    }))
    .post('/console/api/remote/end', { schema: { body: EndBody, response: { 200: Noted } } }, async (request) => {
      const { lines } = await trail.page(beforeOf(undefined), SOUGHT_LINES);
      const begun = lines.find(({ deed }) => deed === 'remote-asked-for');
      if (begun !== undefined) noteForAudit(request, { by: begun.what.by });
      return { noted: true as const };
    })
    .get('/console/api/audit', { schema: { querystring: Query, response: { 200: Page } } }, async (request) => {
      const { query } = request;
      const { lines, more } = await trail.page(beforeOf(query.cursor), LINES.sizeOf(query.limit));
      return { lines: [...lines], cursor: more ? String(lines.at(-1)?.n) : null };
    });
}
