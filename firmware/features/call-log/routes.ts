/** The calls that list the logged calls, and return one with its bodies. */

import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { isoTime } from '../../../drivers/lib/iso-time.ts';
import { RecordedError } from '../../../drivers/lib/records.ts';
import { CREDENTIALS } from '../../core/audit/index.ts';
import { ordinal, Paging } from '../../core/http/index.ts';
import { orNull, patternWithMessage } from '../../core/schema/index.ts';
import { timestamp } from '../../payments/index.ts';
import { type CallLog, KEPT_CALLS, type NumberedCall, ORIGINS, PORTS } from './call-log.ts';
import { CALL_ERRORS } from './error-records.ts';
import { type ShownBody, WITHHELD } from './shown-body.ts';

const number = Type.Integer({ description: 'greater by one with each call; it begins at 1 when the device starts' });
const CALLS = new Paging(KEPT_CALLS, KEPT_CALLS);
const CallPath = Type.Object({ n: ordinal('`n` of the call') });
const CallsQuery = Type.Object(
  {
    after: Type.Optional(ordinal('only calls with a greater number')),
    limit: CALLS.limit('calls'),
    path: Type.Optional(Type.String({ maxLength: 200, description: 'only calls whose path has this in it' })),
    status: Type.Optional(
      Type.String({
        pattern: patternWithMessage('^[1-5]([0-9]{2})?$', 'must be an HTTP status, or its first digit'),
        description: 'only calls that were answered so: `404`, or `4` for all from 400 to 499',
      }),
    ),
    origin: Type.Optional(Type.Enum([...ORIGINS], { description: 'only calls of these' })),
  },
  { additionalProperties: false },
);

const fields = {
  n: number,
  at: timestamp('when it was over, by the clock of the device'),
  port: Type.Enum([...PORTS], { description: 'where it came in' }),
  origin: Type.Enum([...ORIGINS], {
    description: 'till: a program. page: a page in a browser. watch: somebody looks whether the device is well',
  }),
  method: Type.String(),
  path: Type.String({ description: 'with its query, secrets masked' }),
  status: Type.Integer({ description: 'HTTP status of the answer' }),
  hungUp: Type.Boolean({ description: 'the caller was gone before it had the answer whole' }),
  stream: Type.Boolean({ description: 'it stays open: reported once, when it begins' }),
  ms: Type.Number({ description: 'how long it took' }),
  requestId: Type.String({ description: '`Laneware-Request-Id` of the answer, `reqId` in the log' }),
  error: orNull(Type.String(), 'the code of the failure that the answer reports'),
  address: Type.String({ description: 'of the caller' }),
  credential: Type.Enum([...CREDENTIALS], { description: 'how it was let in' }),
  till: orNull(Type.String(), 'name of the till whose token it sent'),
};

const Body = Type.Object({
  bytes: Type.Integer({ description: 'how long it was' }),
  text: Type.String({ description: 'JSON without blanks, secrets masked, or what else was sent' }),
  cut: Type.Boolean({ description: 'only its beginning is returned' }),
  withheld: orNull(
    Type.Enum([...WITHHELD]),
    'why `text` is empty. binary: no text. secret: it may contain a secret that cannot be distinguished from the rest, or quote one. unread: the device has not kept it',
  ),
});

const Summary = Type.Object(fields);
export const CallsPage = Type.Object({
  calls: Type.Array(Summary, { description: 'newest first' }),
  last: Type.Integer({ description: 'number of the newest of all; 0 before the first' }),
});
export const CallAnswer = Type.Object({
  ...fields,
  key: orNull(Type.String(), '`Idempotency-Key`'),
  request: orNull(Body, 'null: none'),
  answer: orNull(Body, 'null: none'),
});

/** Milliseconds, rounded to tenths. */
const tenth = (ms: number): number => Math.round(ms * 10) / 10;

const summary = ({ isStream, at, ms, key: _, request: __, answer, ...call }: NumberedCall) => ({
  ...call,
  at: isoTime(at),
  ms: tenth(ms),
  stream: isStream,
  error: answer?.error ?? null,
});

const shownBody = (body: ShownBody | null): Static<typeof Body> | null =>
  body === null ? null : { bytes: body.bytes, text: body.text.toString(), cut: body.cut, withheld: body.withheld };

const callAnswer = (call: NumberedCall): Static<typeof CallAnswer> => ({
  ...summary(call),
  key: call.key,
  request: shownBody(call.request),
  answer: shownBody(call.answer),
});

export function addCallRoutes(app: FastifyInstance, log: CallLog): void {
  app.get(
    '/console/api/calls',
    {
      config: { role: 'technician' }, // the log shows what each till sends, and who pays for what
      schema: {
        querystring: CallsQuery,
        response: { 200: CallsPage },
      },
    },
    async ({ query: { after = 0, limit, path = '', status = '', origin = null } }) => ({
      calls: log.list({ after, limit: CALLS.sizeOf(limit), path, status, origin }).map(summary),
      last: log.last,
    }),
  );

  app.get(
    '/console/api/calls/:n',
    {
      config: { role: 'technician' },
      schema: {
        params: CallPath,
        response: { 200: CallAnswer },
      },
    },
    async ({ params: { n } }) => {
      const call = log.find(n);
      if (call === null)
        throw new RecordedError(
          ['Calls', CALL_ERRORS],
          'NotFound',
          `no call of the number ${n} is kept: only the last ones are`,
        );
      return callAnswer(call);
    },
  );
}
