/** The call for the totals of a day, and how a report of a day or a shift is sent: as a table, a workbook or a page to print. */

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { begun } from '../../../../drivers/lib/begun.ts';
import { type Language, RUSSIAN } from '../../../../drivers/lib/languages.ts';
import { MOST_REPORT_DAYS } from '../../../core/config/index.ts';
import { zoneNow } from '../../../core/host/index.ts';
import {
  LangField,
  languageOf,
  PRINT_HEADERS,
  reachedTill,
  requesterOf,
  withPrintBar,
} from '../../../core/http/index.ts';
import { type LocalDay, localDay, localDayOf } from '../../model/local-day.ts';
import { HourTotals, ProfileTotals, Totals } from '../../model/sums.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import { type BankWords, bankNames, MethodTotals, profileNames } from '../../model/words.ts';
import type { DayReport } from '../../reports/days/day-report.ts';
import { type AcceptedReport, acceptedOn, acceptedSheet, requireSound } from '../../reports/papers/accepted-sheet.ts';
import { acceptedCsv } from '../../reports/papers/export.ts';
import { dayPage, type Letterhead } from '../../reports/papers/print-page.ts';
import type { Sheet, TotalsSheet } from '../../reports/papers/sheet.ts';
import type { Terminal } from '../../terminal.ts';
import { day } from './fields.ts';
import { refusals } from './problem.ts';

/** Formats beside JSON. */
const FORMATS = Object.freeze([
  'html',
  'csv',
  'csv-ru',
  'xlsx',
  'payments',
  'payments-csv-ru',
  'payments-xlsx',
] as const);

export const FormatField = Type.Optional(
  Type.Enum(['json', ...FORMATS], {
    title: 'ReportFormat',
    description:
      'json when left out; html: a page to print; csv: the totals, for programs; csv-ru: for Excel with Russian settings (semicolons, roubles, local time); xlsx: a workbook of Excel; payments, payments-csv-ru, payments-xlsx: the same of the payments accepted in it, whose amounts add up to the totals',
  }),
);

const DAY_MS = 24 * 3_600_000;
/** Days from the first date to the last, both counted: from dates, as a day on which clocks change has 23 or 25 hours. */
const daysFrom = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;

const Query = Type.Object(
  {
    day: Type.Optional(day('in the time zone of the device; today when left out')),
    to: Type.Optional(
      day(
        `the last day of a period that begins with \`day\`, ${MOST_REPORT_DAYS} days at most: for the formats of payments. Those accepted in the period; \`refunded\` is what has gone back of each until now`,
      ),
    ),
    format: FormatField,
    lang: LangField,
  },
  { additionalProperties: false },
);

const NONE = { count: 0, sum: 0 };
const TOTALS_EXAMPLE = {
  accepted: { count: 2, sum: 24_690 },
  refunds: { count: 1, sum: 345 },
  net: 24_345,
  late: 0,
  withoutReceipt: NONE,
  open: NONE,
  openBefore: NONE,
  openRefunds: NONE,
  notFollowed: NONE,
};
const DAY_EXAMPLE = {
  day: '2026-11-21',
  today: '2026-11-21',
  timeZone: 'Europe/Moscow',
  from: '2026-11-20T21:00:00.000Z',
  to: '2026-11-21T21:00:00.000Z',
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...(hour === 11 ? { count: 2, sum: 24_690 } : NONE) })),
  profiles: [{ profile: 'sandbox', bank: 'Sandbox', ...TOTALS_EXAMPLE }],
  totals: TOTALS_EXAMPLE,
  methods: [{ method: 'sbp', count: 2, sum: 24_690 }],
  shifts: [3],
};

/** The period whose payments are written. @throws {TerminalError} 400 */
function periodOf(first: LocalDay, to: string | undefined, format: string): LocalDay {
  if (to === undefined) return first;
  if (!format.startsWith('payments')) throw TerminalError.invalid('to', 'is for the payments alone: name their format');
  const last = localDay(to, 'to');
  if (last.from < first.from) throw TerminalError.invalid('to', 'must not be before day');
  if (daysFrom(first.day, last.day) > MOST_REPORT_DAYS)
    throw TerminalError.invalid('to', `must end a period of ${MOST_REPORT_DAYS} days at most`);
  return { day: `${first.day}-${last.day}`, from: first.from, to: last.to };
}

export const DayAnswer = Type.Object(
  {
    day: Type.String({ description: 'the day that was asked for' }),
    today: Type.String({ description: 'the day of now' }),
    timeZone: Type.String({ description: 'the time zone of the device, by which days are counted' }),
    from: Type.String({ format: 'date-time', description: 'its first moment, UTC' }),
    to: Type.String({ format: 'date-time', description: 'the first moment of the next day' }),
    hours: Type.Array(HourTotals, { description: 'accepted in each hour of the day, by the clock of the device' }),
    profiles: Type.Array(ProfileTotals, { description: 'the same of each profile' }),
    totals: Totals,
    methods: Type.Array(MethodTotals, { description: 'accepted, by how it was paid; the largest sum first' }),
    shifts: Type.Array(Type.Integer(), { description: 'numbers of the shifts in which it was accepted or went back' }),
  },
  { title: 'DayReport', description: 'the totals of a day' },
);
const text = { schema: Type.String() };
const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The answers of a report beside JSON. */
export const REPORT_FILES = {
  'text/csv': text,
  'text/html': text,
  [WORKBOOK_TYPE]: { schema: { type: 'string', format: 'binary' } },
};

const answerOf = (
  { day, hours, profiles, totals: all, methods, shifts }: DayReport,
  now: number,
): Type.Static<typeof DayAnswer> => ({
  day: day.day,
  today: localDayOf(now).day,
  timeZone: zoneNow(),
  from: new Date(day.from).toISOString(),
  to: new Date(day.to).toISOString(),
  hours: [...hours],
  profiles: profiles.map((profile) => ({ ...profile })),
  totals: all,
  methods: [...methods],
  shifts: [...shifts],
});

const sendCsv = (reply: FastifyReply, name: string, text: string | Readable): FastifyReply =>
  reply.header('content-disposition', `attachment; filename="${name}.csv"`).type('text/csv; charset=utf-8').send(text);

/** Makes the head and the first rows before the answer begins, so that a failure of these is still answered as one. */
const begunCsv = async (lines: AsyncGenerator<string>): Promise<Readable> => Readable.from(await begun(lines, 2));

async function sendSheet<Row>(
  reply: FastifyReply,
  isWorkbook: boolean,
  sheet: Sheet<Row>,
  language: Language,
): Promise<FastifyReply> {
  const { russianCsv, sheetWorkbook } = await import('../../reports/papers/sheet.ts');
  if (!isWorkbook) return sendCsv(reply, sheet.name, await begunCsv(russianCsv(sheet)));
  return reply
    .header('content-disposition', `attachment; filename="${sheet.name}.xlsx"`)
    .type(WORKBOOK_TYPE)
    .send(await sheetWorkbook(sheet, language));
}

/** The forms in which a day or a shift is written. */
interface Report<Row> {
  readonly sheet: () => Promise<TotalsSheet<Row>>;
  readonly page: () => Promise<string>;
  readonly accepted: AcceptedReport;
}

/** Sends a report in any format but JSON. */
export async function sendReport<Row>(
  reply: FastifyReply,
  terminal: Pick<Terminal, 'whenSound'>,
  format: (typeof FORMATS)[number],
  { sheet, page, accepted }: Report<Row>,
  language: Language,
): Promise<FastifyReply> {
  if (format.startsWith('payments')) await terminal.whenSound(() => requireSound(accepted));
  switch (format) {
    case 'html':
      return reply
        .headers(PRINT_HEADERS)
        .type('text/html; charset=utf-8')
        .send(withPrintBar(await page(), language));
    case 'csv': {
      const { programCsv } = await import('../../reports/papers/sheet.ts');
      const totals = await sheet();
      return sendCsv(reply, totals.name, programCsv(totals));
    }
    case 'payments':
      return sendCsv(reply, `payments-${accepted.name}`, await begunCsv(acceptedCsv(accepted)));
    case 'payments-csv-ru':
    case 'payments-xlsx':
      return sendSheet(reply, format === 'payments-xlsx', acceptedSheet(accepted), language);
    default:
      return sendSheet(reply, format === 'xlsx', await sheet(), language);
  }
}

export function addReportRoutes(
  app: FastifyInstance,
  terminal: Terminal,
  bankWords: BankWords,
  letterhead: () => Letterhead,
): void {
  const content = {
    'application/json': { schema: DayAnswer, example: DAY_EXAMPLE },
    ...REPORT_FILES,
  };
  app.get(
    '/v1/reports/day',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getDayReport',
        tags: ['reports'],
        summary: 'Totals of a day by profile',
        description:
          'What was accepted and what went back on that day, and what is still open. As JSON, CSV or a page to print; the payments themselves as CSV or a workbook. A till that reaches only its own payments gets those alone.',
        querystring: Query,
        response: { 200: { description: 'the totals of a day', content }, ...refusals('Payments.EntriesDamaged') },
      },
    },
    async ({ query, headers }, reply) => {
      const till = reachedTill(requesterOf(reply));
      const { format = 'json' } = query;
      const day = query.day === undefined ? localDayOf(terminal.now()) : localDay(query.day);
      const period = periodOf(day, query.to, format); // refuses before anything is counted
      const report = await terminal.whenSound(() => terminal.accounts.dayReport(day, till));
      const language = query.lang ?? languageOf(headers['accept-language']);
      reply.header('cache-control', 'no-store');
      if (format === 'json') return reply.type('application/json').send(answerOf(report, terminal.now()));
      const words = await bankWords(format.endsWith('-ru') ? RUSSIAN : language);
      const forms = {
        sheet: async () => (await import('../../reports/papers/sheet.ts')).daySheet(report),
        page: async () => dayPage(report, language, terminal.now(), profileNames(words), letterhead()),
        accepted: {
          pieces: () => acceptedOn(terminal.ledger, period),
          till,
          name: period.day,
          refundsOf: (id: string) => terminal.refunds.of(id),
          bankNamed: bankNames(words),
        },
      };
      return sendReport(reply, terminal, format, forms, language);
    },
  );
}
