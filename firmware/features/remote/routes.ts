/** The calls with which `lanectl remote` records in the audit trail that remote access begins, and how it ended. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { AuditTrail } from '../../core/audit/index.ts';
import { addAuditFacts, beforeOf } from '../../core/http/index.ts';

const RemoteBody = Type.Object(
  {
    by: Type.String({ description: 'who comes in, as the audit trail names them', minLength: 1, maxLength: 64 }),
    minutes: Type.Integer({ description: 'for how long the way is open', minimum: 1, maximum: 480 }),
  },
  { additionalProperties: false, examples: [{ by: 'Ivanova', minutes: 60 }] },
);
/**
 * `time`: the time was over; `closed`: by a person, or with the machine; `failed`: the chain's program ended by itself.
 */
const ENDS = ['time', 'closed', 'failed'] as const;
export type RemoteEnd = (typeof ENDS)[number];
const EndBody = Type.Object(
  { how: Type.Enum([...ENDS], { description: 'how it ended' }) },
  { additionalProperties: false, examples: [{ how: 'time' }] },
);
/** How many lines of the audit trail are searched for the beginning of the access. */
const SOUGHT_LINES = 1000;
const Noted = Type.Object({ noted: Type.Literal(true) });

export function addRemoteRoutes(app: FastifyInstance, trail: AuditTrail): void {
  app
    .post(
      '/console/api/remote',
      {
        config: { role: 'technician', audit: { event: 'remote-asked-for', fields: ['by', 'minutes'] } },
        schema: { body: RemoteBody, response: { 200: Noted } },
      },
      async () => ({
        noted: true as const,
      }),
    )
    .post(
      '/console/api/remote/end',
      {
        config: { role: 'technician', audit: { event: 'remote-ended', fields: ['how'] } }, // the handler adds who
        schema: { body: EndBody, response: { 200: Noted } },
      },
      async (request) => {
        const { lines } = await trail.page(beforeOf(undefined), SOUGHT_LINES);
        const begun = lines.find(({ deed }) => deed === 'remote-asked-for');
        if (begun !== undefined) addAuditFacts(request, { by: begun.what.by });
        return { noted: true as const };
      },
    );
}
