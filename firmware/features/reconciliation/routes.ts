/** The call that compares a bank's registry with the ledgers, and its schemas. */

import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { isoTimeOrNull } from '../../../drivers/lib/iso-time.ts';
import { HttpFailure, requesterOf, requireReachOfAll } from '../../core/http/index.ts';
import { maybe, orNull } from '../../core/schema/index.ts';
import {
  day,
  MAX_PROFILE_NAME,
  PaymentMethodName,
  profileName,
  refusals,
  sum,
  type Terminal,
} from '../../payments/index.ts';
import { KnownOperations, RegistryColumns } from './config.ts';
import { Difference } from './differences.ts';
import { DayPayout, MethodPayout, OwedDay, Payout } from './payouts.ts';
import type { Reconciliations, SentFile } from './reconciliations.ts';
import { OperationTotals } from './registry-file.ts';

/** Most bytes of a registry: enough for a hundred thousand lines. */
const FILE_BYTES = 16 * 1024 * 1024;
const BASE64_CHARACTERS = 4 * Math.ceil(FILE_BYTES / 3);
/** Most bytes of a statement: enough for ten months of a shop's account. */
const STATEMENT_BYTES = 4 * 1024 * 1024;
/** Most faults of a statement in an answer: with more, a person looks at the file itself. */
const MOST_UNREAD = 100;
/** Most bytes of the body's other fields. */
const OTHER_BYTES = 16 * 1024;

const FileField = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: BASE64_CHARACTERS,
    contentEncoding: 'base64',
    description: `${what} (a workbook of Excel, .xlsx, or CSV in UTF-8, UTF-16, windows-1251, cp866 or KOI8-R), base64, up to ${FILE_BYTES} bytes`,
  });
/** Fields that say how to read a file. */
const reading = {
  columns: maybe(RegistryColumns),
  dates: maybe(
    Type.Enum(['day-first', 'month-first'], {
      title: 'DateOrder',
      description: 'what stands first in a date like 11/12/2026; left out: such a file is refused (`unclear-dates`)',
    }),
  ),
  registry: maybe(
    Type.String({
      maxLength: MAX_PROFILE_NAME,
      description:
        'the name in `terminal.registries` of the configuration that its columns are named under; that of the profile when left out, without a profile the only one whose columns the file has',
    }),
  ),
  /** Payment method of lines that name none. */
  method: maybe(PaymentMethodName),
};
/** Most further files: a shop has at most one contract for each payment method. */
const MOST_OTHERS = 4;

const Body = Type.Object(
  {
    from: day('the first day, in `timeZone` of the answer'),
    to: maybe(day('the last day; the first when left out')),
    file: FileField('the registry as the bank sent it'),
    others: maybe(
      Type.Array(
        Type.Object(
          { file: FileField('the file as the bank sent it'), ...reading },
          { title: 'OtherRegistry', additionalProperties: false },
        ),
        {
          maxItems: MOST_OTHERS,
          description:
            'other files of the same days, such as a statement of digital roubles, whose lines do not say their `method`: each line is found by its order id, operation or code; an operation that two files name by the same id counts once. Together they must fit into the limit of the body',
        },
      ),
    ),
    profile: maybe(profileName('whose registry it is; all when left out')),
    statement: maybe(
      Type.String({
        minLength: 1,
        maxLength: 4 * Math.ceil(STATEMENT_BYTES / 3),
        contentEncoding: 'base64',
        description: `a statement of the shop's account in the form of 1C (\`1CClientBankExchange\`, versions 1.01 to 1.03, in windows-1251, cp866 or UTF-8), base64, up to ${STATEMENT_BYTES} bytes: each payout is looked for in it. Together with \`file\` it must fit into the limit of the body`,
      }),
    ),
    operations: maybe(KnownOperations),
    ...reading,
  },
  {
    title: 'Registry',
    additionalProperties: false,
    examples: [
      {
        from: '2026-11-21',
        file: Buffer.from('order,amount\n7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219,123.45\n').toString('base64'),
        columns: { order: 'order', amount: 'amount' },
      },
    ],
  },
);

type FileOfBody = Pick<Static<typeof Body>, 'file' | keyof typeof reading>;

const LaneAnswer = Type.Object(
  {
    lane: Type.String({ description: 'serial number of the device' }),
    payments: Type.Integer({ description: 'lines that agree with its payments' }),
    refunds: Type.Integer({ description: 'lines that agree with its refunds' }),
    taken: Type.Integer({ description: 'kopecks of these payments' }),
    returned: Type.Integer({ description: 'kopecks of these refunds' }),
    differences: Type.Integer({ description: 'those of its payments' }),
    reportedAt: orNull(Type.String(), 'when it had sent all of its payments to this device; null: never'),
    missing: Type.Boolean({ description: 'whether payments of these days may be missing here' }),
  },
  { title: 'ReconciledLane' },
);
const PAYOUT_EXAMPLE = { sum: 24_690, refunds: 345, commission: 98, payout: 24_247, stated: 24_247, difference: 0 };
const CREDIT_EXAMPLE = {
  line: 14,
  number: '5181',
  day: '2026-11-23',
  amount: 24_247,
  purpose: 'Возмещение по СБП за 21.11.2026',
};

export const ReconciliationAnswer = Type.Object(
  {
    payments: Type.Integer({ description: 'lines that agree with payments of the ledger' }),
    refunds: Type.Integer({ description: 'lines that agree with refunds of the ledger' }),
    differences: Type.Array(Difference, { description: 'the first ten thousand; unreadable lines in front' }),
    more: Type.Integer({ description: 'differences beside those' }),
    tests: sum('payments of those days in which no money moves, and which no line names: no difference'),
    operations: Type.Array(OperationTotals, {
      description: 'lines that are neither a sale nor a refund, by the words of the bank: in no sum',
    }),
    lanes: Type.Array(LaneAnswer, { description: 'this device first; at the master of a store all of its devices' }),
    master: orNull(Type.String(), 'serial number of the master that reconciles the whole store; null: no other device'),
    days: Type.Array(DayPayout, {
      description: "what the bank owes, by the registry's own lines: a line of the shop's account",
    }),
    methods: Type.Array(MethodPayout, {
      description:
        'the same by how it was paid: as the line says it, else as the ledger does; the largest sum first. A commission is that of the method',
    }),
    total: Payout,
    others: Type.Array(
      Type.Object(
        {
          days: Type.Array(OwedDay, { description: 'what it adds to the days of the first file' }),
          total: Payout,
          timeZone: Type.String(),
          columns: RegistryColumns,
          header: Type.Array(Type.String()),
        },
        { title: 'ReconciledOther' },
      ),
      { description: 'of each of `others`; `total` and `methods` are of all files' },
    ),
    statement: orNull(
      Type.Object({
        from: orNull(Type.String(), 'its first day; null where it does not say it'),
        to: orNull(Type.String(), 'its last day'),
        credits: Type.Integer({ description: 'lines that brought money' }),
        unread: Type.Array(Type.String(), {
          description: `what cannot be read in it, with its line: the first ${MOST_UNREAD}`,
        }),
      }),
      'null where none was sent',
    ),
    timeZone: Type.String({ description: 'the time zone of the days' }),
    columns: RegistryColumns,
    header: Type.Array(Type.String(), { description: 'all columns of the file' }),
  },
  {
    title: 'Reconciliation',
    description: 'the differences between registry and ledger',
    examples: [
      {
        ...{
          payments: 2,
          refunds: 1,
          differences: [],
          more: 0,
          tests: { count: 0, sum: 0 },
          operations: [],
          master: null,
        },
        lanes: [
          {
            lane: 'LW000042',
            payments: 2,
            refunds: 1,
            taken: 24_690,
            returned: 345,
            differences: 0,
            reportedAt: '2026-11-22T06:00:00.000Z',
            missing: false,
          },
        ],
        days: [{ day: '2026-11-21', ...PAYOUT_EXAMPLE, arrival: { state: 'arrived', credits: [CREDIT_EXAMPLE] } }],
        methods: [{ method: 'sbp', count: 2, ...PAYOUT_EXAMPLE }],
        total: PAYOUT_EXAMPLE,
        others: [],
        statement: { from: '2026-11-21', to: '2026-11-30', credits: 1, unread: [] },
        timeZone: 'Europe/Moscow',
        columns: { order: 'id заказа', amount: 'Сумма', commission: 'Комиссия', payout: 'К перечислению' },
        header: ['id заказа', 'Сумма', 'Комиссия', 'К перечислению'],
      },
    ],
  },
);

/**
 * Decodes base64, and refuses text that is not base64. This is faster than a pattern in the schema.
 * @throws {HttpFailure}
 */
function decoded(field: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  if (text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding) return bytes;
  const must = 'must be the whole file in base64 (A to Z, a to z, 0 to 9, + and /), without line breaks';
  throw new HttpFailure('parameter', `${field} ${must}`, { field });
}

const sentFile = (field: string, { file, columns, registry, dates, method }: FileOfBody): SentFile => ({
  file: decoded(field, file),
  columns: columns ?? null,
  registry: registry ?? null,
  dates: dates ?? null,
  method: method ?? null,
});

export function addReconciliationRoutes(
  app: FastifyInstance,
  terminal: Terminal,
  reconciliations: Reconciliations,
): void {
  app.post(
    '/v1/reconciliations',
    {
      config: {
        role: 'till',
        audit: { event: 'registry-reconciled', fields: ['from', 'to', 'profile'], isRepeatable: true },
      },
      bodyLimit: BASE64_CHARACTERS + OTHER_BYTES,
      schema: {
        operationId: 'reconcile',
        tags: ['reports'],
        summary: "Lay a bank's registry beside the ledger, and name each difference",
        description:
          'Each line of the file is looked for in the ledger, and each payment of those days in the file; at the master of a store in the ledgers of all its devices. Columns with names of another bank are guessed, and not taken: a refusal has them in `guess`, to be sent as `columns`. With a statement of the account, `arrival` says which payout has come. Nothing is changed.',
        body: Body,
        response: { 200: ReconciliationAnswer, ...refusals('Payments.EntriesDamaged') },
      },
    },
    async ({ body }, reply) => {
      requireReachOfAll(requesterOf(reply));
      const { from, to, statement, profile, operations, others } = body;
      const wanted = { from, to: to ?? from, profile: profile ?? null, operations: operations ?? {} };
      const account = statement ? decoded('statement', statement) : null;
      const files = (others ?? []).map((other, at) => sentFile(`others.${at}.file`, other));
      const sent = [sentFile('file', body), ...files] as const;
      const reconciled = await terminal.whenSound(() => reconciliations.reconcile(sent, wanted, account));
      const { differences, operations: unknown, lanes, days, methods, header, statement: read, ...rest } = reconciled;
      const laneAnswers = lanes.map(({ reportedAt, isMissing, ...totals }) => ({
        ...totals,
        reportedAt: isoTimeOrNull(reportedAt),
        missing: isMissing,
      }));
      return {
        ...rest,
        others: rest.others.map((other) => ({ ...other, days: [...other.days], header: [...other.header] })),
        differences: [...differences],
        operations: [...unknown],
        lanes: laneAnswers,
        days: [...days],
        methods: [...methods],
        statement: read && {
          from: read.from,
          to: read.to,
          credits: read.credits.length,
          unread: read.unread.slice(0, MOST_UNREAD).map(({ reason }) => `the statement ${reason}`),
        },
        header: [...header],
      };
    },
  );
}
