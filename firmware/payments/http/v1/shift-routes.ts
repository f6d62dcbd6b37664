/** Calls that close, list and read shifts; as JSON, CSV or a page to print. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { RUSSIAN } from '../../../../drivers/lib/languages.ts';
import {
  beforeOf,
  HttpFailure,
  LangField,
  languageOf,
  markRepetition,
  reachedTill,
  requesterOf,
} from '../../../core/http/index.ts';
import { patternWithMessage } from '../../../core/schema/index.ts';
import { ofTill, turnoverOf } from '../../model/shift.ts';
import { type BankWords, bankNames, profileNames } from '../../model/words.ts';
import { type Letterhead, shiftPage } from '../../reports/papers/print-page.ts';
import type { Terminal } from '../../terminal.ts';
import { requesterWith } from '../caller.ts';
import { CashierField, KeyHeader, PAGES, pageFields } from './fields.ts';
import { refusals } from './problem.ts';
import { FormatField, REPORT_FILES, sendReport } from './report-routes.ts';
import { headOf, SHIFT_EXAMPLE, ShiftAnswer, ShiftsPage, shiftAnswer } from './shift-answer.ts';

/** The largest number of a shift: 15 digits, as in the path. */
const MAX_NUMBER = 999_999_999_999_999;
const ShiftPath = Type.Object({
  shift: Type.String({
    title: 'ShiftNumber',
    pattern: patternWithMessage('^(current|0|[1-9]\\d{0,14})$', 'must be the number of a shift, or current'),
    description: 'number of the shift; `current` for the one that is open',
  }),
});
const ShiftQuery = Type.Object(
  {
    format: FormatField,
    recount: Type.Optional(Type.Boolean({ description: 'true: `recounted`, from the rows of the ledgers' })),
    lang: LangField,
  },
  { additionalProperties: false },
);
const CloseBody = Type.Object(
  {
    cashier: CashierField,
    number: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NUMBER,
        description: 'of the shift that is meant: another one is not closed',
      }),
    ),
  },
  { title: 'ShiftClose', additionalProperties: false, examples: [{ cashier: 'Anna' }] },
);

const supervisorNeeded = (): HttpFailure =>
  new HttpFailure('forbidden', "closing the shift is a supervisor's: sign in as supervisor", { needs: 'supervisor' });

export function addShiftRoutes(
  app: FastifyInstance,
  terminal: Terminal,
  bankWords: BankWords,
  letterhead: () => Letterhead,
): void {
  const { shifts } = terminal;
  const content = { 'application/json': { schema: ShiftAnswer, example: SHIFT_EXAMPLE }, ...REPORT_FILES };

  app.post(
    '/v1/shifts/close',
    {
      config: { role: 'till', audit: { event: 'shift-closed', answers: ['number'] } }, // a cashier at a page is refused: only a supervisor may close a shift there
      schema: {
        operationId: 'closeShift',
        tags: ['shifts'],
        summary: 'Close the shift, and open the next one',
        description:
          'What is closed never changes: a payment that turns out to be paid later counts in the next shift, which names it. 201: the shift that this call has closed, also where nothing was sold in it. 200: the same, for the same `Idempotency-Key`, however long ago.',
        headers: Type.Object({ 'idempotency-key': KeyHeader }),
        body: CloseBody,
        response: {
          200: ShiftAnswer,
          201: ShiftAnswer,
          ...refusals('Payments.ShiftNotOpen', 'Payments.EntriesDamaged'),
        },
      },
    },
    async ({ headers, body }, reply) => {
      const requester = requesterWith(reply, body.cashier);
      const { till, cashier } = requester;
      if (requesterWith(reply).cashier === 'cashier') throw supervisorNeeded(); // by the PIN, whatever cashier the body names
      const { shift, isAgain } = await shifts.closeWhenSound(
        { till, cashier },
        headers['idempotency-key'],
        body.number,
      );
      if (isAgain) markRepetition(reply.request);
      return reply
        .code(isAgain ? 200 : 201)
        .header('location', `/v1/shifts/${shift.number}`)
        .send(shiftAnswer(ofTill(shift, reachedTill(requester))));
    },
  );

  app.get(
    '/v1/shifts',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'listShifts',
        tags: ['shifts'],
        summary: 'Shifts that are closed',
        description: 'Newest first, a page at a time: `cursor` of an answer asks for the next one.',
        querystring: Type.Object(pageFields('shifts'), { additionalProperties: false }),
        response: { 200: ShiftsPage },
      },
    },
    async ({ query }, reply) => {
      const limit = PAGES.sizeOf(query.limit);
      const found = await terminal.whenSound(() => shifts.list(beforeOf(query.cursor), limit + 1));
      const page = found.slice(0, limit);
      const till = reachedTill(requesterOf(reply));
      return {
        shifts: page.map((shift) => ({ ...headOf(shift), totals: turnoverOf(ofTill(shift, till).report.groups) })),
        cursor: found.length > limit ? String(page.at(-1)?.number) : null,
      };
    },
  );

  app.get(
    '/v1/shifts/:shift(^current$|^0$|^[1-9]\\d*$)',
    {
      config: { role: 'till' },
      ...// a GET of `close` is no shift, but a wrong method
      {
        schema: {
          operationId: 'getShift',
          tags: ['shifts'],
          summary: 'A shift: its totals by profile and cashier',
          description:
            'As JSON, CSV or a page to print; its payments as CSV or a workbook. A till that reaches only its own payments gets the totals of those.',
          params: ShiftPath,
          querystring: ShiftQuery,
          response: {
            200: { description: 'a shift', content },
            ...refusals('Payments.ShiftNotFound', 'Payments.EntriesDamaged'),
          },
        },
      },
    },
    async ({ params, query, headers }, reply) => {
      const number = params.shift === 'current' ? null : Number(params.shift);
      const whole = await terminal.whenSound(() => shifts.read(number));
      const till = reachedTill(requesterOf(reply));
      const shift = ofTill(whole, till);
      const language = query.lang ?? languageOf(headers['accept-language']);
      reply.header('cache-control', 'no-store');
      const { format = 'json' } = query;
      if (format === 'json') {
        const isCounted = query.recount === true && shift.closedAt !== null && till === null;
        return reply
          .type('application/json')
          .send(shiftAnswer(shift, isCounted ? await terminal.whenSound(() => shifts.recounted(shift)) : null));
      }
      const words = await bankWords(format.endsWith('-ru') ? RUSSIAN : language);
      const forms = {
        sheet: async () => (await import('../../reports/papers/sheet.ts')).shiftSheet(shift),
        page: async () => shiftPage(shift, language, terminal.now(), profileNames(words), letterhead()),
        accepted: {
          pieces: () => shifts.payments(shift),
          till,
          name: `shift-${shift.number}`,
          refundsOf: (id: string) => terminal.refunds.of(id),
          bankNamed: bankNames(words),
        },
      };
      return sendReport(reply, terminal, format, forms, language);
    },
  );
}
