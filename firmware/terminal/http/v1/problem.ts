/** How failures are told under `/v1`: problem details (RFC 9457) with a code that stays. */
import { STATUS_CODES } from 'node:http';
import Type from 'typebox';
import type { EncodedFailure, Envelope, HttpFailure } from '../../../http/failure.ts';
import { TerminalError } from '../../errors.ts';
import { wordOf } from '../envelope.ts';

/** What the paths of this interface begin with. */
export const V1 = '/v1/';

const Problem = Type.Object(
  {
    type: Type.String({ description: '`about:blank`: the code says what it is' }),
    title: Type.String({ description: 'of the HTTP status' }),
    status: Type.Integer({ description: 'the HTTP status' }),
    detail: Type.String({ description: 'a sentence that says what is wrong and what to do' }),
    code: Type.String({
      description: 'category and member of the table of errors, as `Payments.ExceedsPaid`: it never changes',
    }),
    field: Type.Optional(Type.String({ description: 'the field at fault, where one is' })),
  },
  { additionalProperties: true, description: 'refused or failed; other members are parameters of the sentence' },
);

/** Statuses of errors that the older calls tell under 400 or 500. */
const STATUS_OF_CODE = Object.freeze({
  'Payments.NotFound': 404,
  'Payments.NotAccepted': 409,
  'Payments.NotRefundable': 409,
  'Payments.ExceedsPaid': 409,
  'Payments.IdConflict': 409,
  'Payments.SameSaleOpen': 409,
  'Payments.Damaged': 500,
  'Payments.RefundOpen': 409,
  'Payments.NotLate': 409,
  'Payments.RefundNotFound': 404,
  'Payments.RefundFollowed': 409,
  'Payments.RefundDecided': 409,
  'Bank.NoCashLinks': 409,
  'Bank.PreviousPaid': 409,
  'Bank.PreviousOpen': 409,
  'Bank.PreviousUnknown': 503,
  'Bank.Unreachable': 503,
  'Bank.Refused': 502,
  'Bank.Contradiction': 502,
  'RequestParams.TooMany': 503,
} as const);
type Code = keyof typeof STATUS_OF_CODE;

const isCode = (code: string): code is Code => Object.hasOwn(STATUS_OF_CODE, code);

const MEDIA_TYPE = 'application/problem+json';

/** What a call answers beside success, by its status: to be spread into the responses of its schema. */
export function refusals(...codes: readonly Code[]): object {
  const statuses = new Set(codes.map((code) => STATUS_OF_CODE[code]));
  const described = (status: number) => ({
    description: codes.filter((code) => STATUS_OF_CODE[code] === status).join(', '),
    content: { [MEDIA_TYPE]: { schema: Problem } },
  });
  return Object.fromEntries([...statuses].map((status) => [status, described(status)]));
}

const encoded = (status: number, code: string, detail: string, more: object): EncodedFailure => ({
  status,
  body: { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, code, ...more },
});

const fieldOf = ({ field }: { readonly field: string | null }): object =>
  field === null || field === '' ? {} : { field };

export const problemEnvelope: Envelope = {
  failure: Problem,
  mediaType: MEDIA_TYPE,
  failsUnder200: false,

  fromFailure(failure: HttpFailure): EncodedFailure {
    return encoded(failure.status, wordOf(failure).join('.'), failure.message, fieldOf(failure));
  },

  fromError(error: unknown): EncodedFailure | null {
    if (!(error instanceof TerminalError)) return null;
    const code = `${error.category}.${error.member}`;
    return encoded(isCode(code) ? STATUS_OF_CODE[code] : error.status, code, error.message, {
      ...error.extra,
      ...error.parameters,
      ...(error.payment !== null && { payment: error.payment }),
      ...fieldOf(error),
    });
  },
};
