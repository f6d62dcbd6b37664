/**
 * The calls of the audit trail, by pages; of a period's books as one signed file for an inspector; and of the latest
 * lines of the device's own log. All are on the recognition port.
 */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { begun } from '../../../drivers/lib/begun.ts';
import {
  type AuditLine,
  AuditLineSchema,
  type AuditTrail,
  type JournalEntry,
  keyFingerprint,
  signedLines,
} from '../../core/audit/index.ts';
import { KEPT_LINES, LEVELS, LOG_PARTS, type LogRing, zoneNow } from '../../core/host/index.ts';
import { beforeOf, cursor, HttpFailure, NO_STORE, ordinal, Paging } from '../../core/http/index.ts';
import { day, journalPayments, journalShifts, localDay, type Terminal } from '../../payments/index.ts';

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

interface Books {
  readonly terminal: Pick<Terminal, 'ledger' | 'refunds' | 'shifts' | 'now' | 'whenRestored'>;
  readonly audit: Pick<AuditTrail, 'page'>;
  readonly device: string;
  readonly version: string;
  /** The private key of the device. */
  readonly key: () => KeyObject;
}

const JournalQuery = Type.Object(
  { from: day('the first of the days, in the time zone of the device'), to: day('the last of them') },
  { additionalProperties: false },
);
const Key = Type.Object({ fingerprint: Type.String({ description: 'SHA-256 of the key that signs the journal' }) });

/** How many lines of the trail are read at once. */
const LINES_AT_ONCE = 1000;

interface Period {
  /** ms since 1970; the period ends before the second timestamp. */
  readonly from: number;
  readonly to: number;
}

/** @throws {HttpFailure} */
function periodOf({ from, to }: { readonly from: string; readonly to: string }): Period {
  const period = { from: localDay(from).from, to: localDay(to).to };
  if (period.to <= period.from) throw new HttpFailure('parameter', 'to must not be before from', { field: 'to' });
  return period;
}

/** Lines of the period by the device's clock, oldest first: the trail holds some thousand lines. */
async function linesOf(audit: Books['audit'], { from, to }: Period): Promise<AuditLine[]> {
  const found: AuditLine[] = [];
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { lines, more } = await audit.page(before, LINES_AT_ONCE);
    found.push(...lines.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to));
    const last = lines.at(-1);
    if (!more || last === undefined) return found.reverse();
    before = last.n;
  }
}

async function* entriesOf({ terminal, audit }: Books, period: Period): AsyncGenerator<JournalEntry> {
  yield* journalPayments(terminal, period);
  yield* journalShifts(terminal, period);
  for (const line of await linesOf(audit, period)) yield { kind: 'audit', ...line };
  // where the book of money stood: its own journal goes on from this hash
  yield { kind: 'book', ...terminal.ledger.book.place };
}

export function addJournalRoutes(app: FastifyInstance, books: Books): void {
  app.get(
    '/console/api/journal',
    {
      config: { role: 'technician', audit: { event: 'journal-written' } }, // all books, and who did what
      schema: { querystring: JournalQuery },
    },
    async ({ query }, reply) => {
      const period = periodOf(query);
      const { device, version, terminal } = books;
      const [from = '', to = '', madeAt = ''] = [period.from, period.to, terminal.now()].map((ms) =>
        new Date(ms).toISOString(),
      );
      const about = { device, version, from, to, timeZone: zoneNow(), madeAt };
      const lines = await begun(signedLines(about, entriesOf(books, period), books.key()), 2);
      return reply
        .headers({
          ...NO_STORE,
          'content-disposition': `attachment; filename="journal-${query.from}-${query.to}.jsonl"`,
        })
        .type('application/jsonl; charset=utf-8')
        .send(Readable.from(lines));
    },
  );
  app.get('/console/api/journal/key', { config: { role: 'till' }, schema: { response: { 200: Key } } }, async () => ({
    fingerprint: keyFingerprint(createPublicKey(books.key())),
  }));
}

export const MAX_SOUGHT_CHARACTERS = 200;
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
        maxLength: MAX_SOUGHT_CHARACTERS,
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
      config: { role: 'technician' }, // who calls, and what goes wrong
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
