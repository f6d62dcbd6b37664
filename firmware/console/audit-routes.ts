/** The call by which a technician reads the audit trail, on the recognition port. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AuditLineSchema } from '../audit/line.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { TypeBoxProvider } from '../http/server.ts';
import { wholeNumber } from '../store/schema.ts';

const LINES = 100;
const MAX_LINES = 1000;

const number = (digits: number, description: string) =>
  Type.Optional(Type.String({ pattern: wholeNumber(digits), description }));
const Query = Type.Object(
  {
    before: number(15, 'only lines with a lower number: `n` of the last line of the page before'),
    limit: number(4, `lines at most, ${MAX_LINES} in any case; ${LINES} when left out`),
  },
  { additionalProperties: false },
);
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
    more: Type.Boolean({ description: 'whether there are older ones' }),
  },
  { title: 'AuditPage', description: 'some of the lines', examples: [{ lines: [EXAMPLE], more: false }] },
);

export function addAuditRoutes(plain: FastifyInstance, trail: AuditTrail): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/audit',
    {
      schema: {
        operationId: 'getAuditTrail',
        tags: ['device'],
        summary: 'Who has done what to this device, and who was refused',
        description: 'Newest first, a page at a time: `before` asks for the lines before one.',
        querystring: Query,
        response: { 200: Page },
      },
    },
    async (request) => {
      const { before, limit } = request.query;
      const page = await trail.page(
        before === undefined ? Number.POSITIVE_INFINITY : Number(before),
        limit === undefined ? LINES : Math.min(Number(limit), MAX_LINES),
      );
      return { lines: [...page.lines], more: page.more };
    },
  );
}
