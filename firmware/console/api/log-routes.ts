/** The call that lists the latest lines of the device's own log. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { KEPT_LINES, LEVELS, LOG_PARTS, type LogRing } from '../../core/host/index.ts';
import { NO_STORE, ordinal, Paging } from '../../core/http/index.ts';

export const MAX_SEARCH_CHARACTERS = 200;
const LOG_PAGES = new Paging(200, KEPT_LINES);

const LevelSchema = Type.Enum([...LEVELS]);
const PartSchema = Type.Enum([...LOG_PARTS], { description: 'which part of the device writes' });
const LogQuery = Type.Object(
  {
    after: Type.Optional(ordinal('only lines with a greater number')),
    limit: LOG_PAGES.limit('lines'),
    level: Type.Optional(Type.Enum([...LEVELS], { description: 'only lines as grave as this, and graver ones' })),
    part: Type.Optional(PartSchema),
    text: Type.Optional(
      Type.String({
        maxLength: MAX_SEARCH_CHARACTERS,
        description: 'only lines that have this in them, capitals or not',
      }),
    ),
  },
  { additionalProperties: false },
);
const LogLine = Type.Object({
  n: Type.Integer({ description: 'greater by one with each line since the device started' }),
  at: Type.String({ description: 'ISO 8601, UTC; empty where it is not known' }),
  level: LevelSchema,
  part: PartSchema,
  message: Type.String({ description: 'in English' }),
  details: Type.String({ description: 'what else the line has, as JSON; `{}` where there is nothing' }),
});
const LogPage = Type.Object({
  lines: Type.Array(LogLine, { description: 'newest first' }),
  last: Type.Integer({ description: 'number of the newest of all; 0 before the first' }),
});

export function addLogRoutes(app: FastifyInstance, ring: LogRing): void {
  app.get(
    '/console/api/log',
    {
      config: { role: 'technician' }, // the log tells who calls, and what fails
      schema: { querystring: LogQuery, response: { 200: LogPage } },
    },
    async ({ query: { after = 0, limit, level = 'trace', part = null, text = '' } }, reply) => {
      reply.headers(NO_STORE);
      const lines = ring.list({ after, limit: LOG_PAGES.sizeOf(limit), level, part, text });
      return {
        lines: lines.map(({ details, ...line }) => ({ ...line, details: JSON.stringify(details) })),
        last: ring.last,
      };
    },
  );
}
