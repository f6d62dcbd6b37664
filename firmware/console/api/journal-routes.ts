/**
 * The calls for an inspector: the books of a period as one signed file, and the fingerprint of the key that signs it.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { begun } from '../../../drivers/lib/begun.ts';
import {
  type AuditLine,
  type AuditTrail,
  type JournalEntry,
  keyFingerprint,
  signedLines,
} from '../../core/audit/index.ts';
import { zoneNow } from '../../core/host/index.ts';
import { HttpFailure, NO_STORE } from '../../core/http/index.ts';
import { day, journalPayments, journalShifts, localDay, type Terminal } from '../../payments/index.ts';

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

/** How many lines of the audit trail are read at once. */
const LINES_AT_ONCE = 1000;

interface Period {
  /** First moment, and the moment before which the period ends; ms since 1970. */
  readonly from: number;
  readonly to: number;
}

/** @throws {HttpFailure} */
function periodOf({ from, to }: { readonly from: string; readonly to: string }): Period {
  const period = { from: localDay(from).from, to: localDay(to).to };
  if (period.to <= period.from) throw new HttpFailure('parameter', 'to must not be before from', { field: 'to' });
  return period;
}

/**
 * Lines of the audit trail in the period by the device's clock, oldest first. The whole trail is read: some thousand
 * lines.
 */
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
  // the last commit of the book of money: its own journal continues from this hash
  yield { kind: 'book', ...terminal.ledger.book.place };
}

export function addJournalRoutes(app: FastifyInstance, books: Books): void {
  app.get(
    '/console/api/journal',
    {
      config: { role: 'technician', audit: { event: 'journal-written' } }, // it shows all books and the audit trail
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
