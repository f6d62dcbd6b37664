/** Calls that close, list and read shifts; as JSON, CSV or a page to print. */

import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../../drivers/lib/iso-time.ts';
import { RUSSIAN } from '../../../../drivers/lib/languages.ts';
import { zoneNow } from '../../../core/host/index.ts';
import {
  askerOf,
  beforeOf,
  HttpFailure,
  LangField,
  languageOf,
  noteRepetition,
  reachedTill,
} from '../../../core/http/index.ts';
import { orNull, patternWithMessage } from '../../../core/schema/index.ts';
import {
  Closer,
  methodsOf,
  NamedPayment,
  ofTill,
  type Shift,
  Turnover,
  turnover,
  turnoverBy,
  turnoverOf,
} from '../../model/shift.ts';
import { type BankWords, bankNames, MethodTotals, profileNames } from '../../model/words.ts';
import { type Letterhead, shiftPage } from '../../reports/papers/print-page.ts';
import type { Recounted } from '../../reports/shifts/shifts.ts';
import type { Terminal } from '../../terminal.ts';
import { askerWith } from '../caller.ts';
import { CashierField, KeyHeader, PAGES, pageFields, timestamp, timestampOrNull } from './fields.ts';
import { refusals } from './problem.ts';
import { FormatField, REPORT_FILES, sendReport } from './report-routes.ts';

const head = {
  number: Type.Integer({ description: 'each has one more than the one before' }),
  openedAt: timestamp('when it was opened'),
  closedAt: timestampOrNull('when it was closed, UTC; null while it is open'),
  closedBy: orNull(Closer, 'null while it is open, and where the device has closed it by itself'),
};
const TURNOVER_EXAMPLE = {
  accepted: { count: 2, sum: 24_690 },
  refunds: { count: 1, sum: 345 },
  net: 24_345,
  withoutReceipt: { count: 0, sum: 0 },
};
const HEAD_EXAMPLE = {
  number: 3,
  openedAt: '2026-11-20T19:58:00.000Z',
  closedAt: '2026-11-21T20:01:00.000Z',
  closedBy: { till: 'till', cashier: 'Anna' },
};
const SHIFT_EXAMPLE = {
  ...HEAD_EXAMPLE,
  timeZone: 'Europe/Moscow',
  totals: TURNOVER_EXAMPLE,
  profiles: [{ profile: 'sandbox', bank: 'Sandbox', ...TURNOVER_EXAMPLE }],
  cashiers: [{ till: 'till', cashier: 'Anna', ...TURNOVER_EXAMPLE }],
  methods: [{ method: 'sbp', count: 2, sum: 24_690 }],
  earlier: [{ id: 'b4a78e1a-b533-806e-81b5-6f333cd777e6', number: 9, amount: 12_345, till: 'till', askedShift: 2 }],
  returned: [],
  recounted: null,
};
export const ShiftAnswer = Type.Object(
  {
    ...head,
    timeZone: Type.String({ description: 'of the device' }),
    totals: Turnover,
    profiles: Type.Array(Type.Object({ profile: Type.String(), bank: Type.String(), ...turnover }), {
      description: 'the same of each profile',
    }),
    cashiers: Type.Array(
      Type.Object({
        till: orNull(Type.String(), 'name of the credential; null where none was asked for'),
        cashier: orNull(Type.String(), 'null where nothing said who sat there'),
        ...turnover,
      }),
      { description: 'sales by who asked for them, refunds by who gave them' },
    ),
    methods: Type.Array(MethodTotals, {
      description:
        'accepted, by how it was paid; the largest sum first; `unknown` of a shift that was closed before that was known',
    }),
    earlier: Type.Array(NamedPayment, {
      description: 'accepted in this shift, and asked for in an earlier one, which stays as it is',
    }),
    returned: Type.Array(NamedPayment, {
      description:
        'given back by the bank without a refund here: part of `refunds`. A negative amount takes back what an earlier shift has counted so',
    }),
    recounted: orNull(
      Type.Object({ accepted: turnover.accepted, refunds: turnover.refunds }),
      'the same from the rows of the ledgers now: another figure than in `totals` means that those are damaged; null where it was not asked for, while the shift is open, and for a till that reaches only its own payments',
    ),
  },
  { title: 'Shift', description: 'a shift', examples: [SHIFT_EXAMPLE] },
);
export const ShiftsPage = Type.Object(
  {
    shifts: Type.Array(Type.Object({ ...head, totals: Turnover }), { description: 'newest first' }),
    cursor: orNull(Type.String(), 'of the next page; null where there is none'),
  },
  {
    title: 'ShiftsPage',
    description: 'shifts that are closed',
    examples: [{ shifts: [{ ...HEAD_EXAMPLE, totals: TURNOVER_EXAMPLE }], cursor: null }],
  },
);
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

const headOf = ({ number, openedAt, closedAt, closedBy }: Shift) => ({
  number,
  openedAt: isoTime(openedAt),
  closedAt: isoTimeOrNull(closedAt),
  closedBy,
});

export const shiftAnswer = (shift: Shift, recounted: Recounted | null = null): Static<typeof ShiftAnswer> => {
  const { groups, earlier, returned } = shift.report;
  return {
    ...headOf(shift),
    timeZone: zoneNow(),
    totals: turnoverOf(groups),
    profiles: turnoverBy(groups, ['profile', 'bank']).map(
      ({ of: { profile, bank }, turnover: { accepted, refunds, net, withoutReceipt } }) => ({
        profile,
        bank,
        accepted,
        refunds,
        net,
        withoutReceipt,
      }),
    ),
    methods: methodsOf(groups),
    cashiers: turnoverBy(groups, ['till', 'cashier']).map(
      ({ of: { till, cashier }, turnover: { accepted, refunds, net, withoutReceipt } }) => ({
        till,
        cashier,
        accepted,
        refunds,
        net,
        withoutReceipt,
      }),
    ),
    earlier: [...earlier],
    returned: [...returned],
    recounted,
  };
};

const requireSupervisor = (): HttpFailure =>
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
      const asker = askerWith(reply, body.cashier);
      const { till, cashier } = asker;
      if (askerWith(reply).cashier === 'cashier') throw requireSupervisor(); // by the PIN, whatever is sent
      const { shift, isAgain } = await shifts.closeWhenSound(
        { till, cashier },
        headers['idempotency-key'],
        body.number,
      );
      if (isAgain) noteRepetition(reply.request);
      return reply
        .code(isAgain ? 200 : 201)
        .header('location', `/v1/shifts/${shift.number}`)
        .send(shiftAnswer(ofTill(shift, reachedTill(asker))));
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
      const till = reachedTill(askerOf(reply));
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
      const till = reachedTill(askerOf(reply));
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
      const written = {
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
      return sendReport(reply, terminal, format, written, language);
    },
  );
}
