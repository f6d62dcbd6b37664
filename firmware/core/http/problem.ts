/** Failures of `/v1`, of the console's calls and of the pages about codes: problem details (RFC 9457) with a code. */
import { STATUS_CODES } from 'node:http';
import Type from 'typebox';
import type { ErrorRecord } from '../../../drivers/lib/records.ts';
import { codeOfKind, type EncodedFailure, type Envelope, type HttpFailure } from './failure.ts';

export const V1 = '/v1/';
/** Path of the calls of the console and of lanectl: no document promises them. */
export const CONSOLE_API = '/console/api/';

/** Whether a call takes only what its schema names. */
export const isStrict = (path: string): boolean => path.startsWith(V1) || path.startsWith(CONSOLE_API);

const PROBLEM_TYPE = 'application/problem+json';

/** Path of the pages about codes: `type` of a problem is one of them. */
export const ERRORS_PATH = '/errors';

/** Whether a call fails with a problem. Programs, too, read a page about a code. */
export const failsWithProblem = (path: string): boolean => isStrict(path) || path.startsWith(`${ERRORS_PATH}/`);

const Problem = Type.Object(
  {
    type: Type.String({
      description:
        'names the kind of problem: `/errors/` and the code. It never changes, and is a path on the device that says what to do, as a page or as JSON',
    }),
    title: Type.String({ description: 'of the HTTP status' }),
    status: Type.Integer({ description: 'the HTTP status' }),
    detail: Type.String({ description: 'a sentence that says what is wrong and what to do' }),
    code: Type.String({
      description: 'category and member, as `Payments.ExceedsPaid` or `Items.NotFound`: it never changes',
    }),
    field: Type.Optional(Type.String({ description: 'the field at fault, where one is' })),
    payment: Type.Optional(Type.String({ description: '`id` of the payment that it is about' })),
    payments: Type.Optional(Type.Array(Type.String(), { description: 'the same of several' })),
    repeat: Type.Optional(
      Type.Boolean({ description: 'of a failed sale: whether the same key is to be sent again; else it is used up' }),
    ),
    differs: Type.Optional(
      Type.Array(Type.String(), { description: 'fields by which a call differs from the one of the same key' }),
    ),
    left: Type.Optional(Type.Integer({ description: 'kopecks of a payment that can still go back' })),
    amount: Type.Optional(Type.Integer({ description: 'kopecks of the refund that the key stands for' })),
  },
  { additionalProperties: true, description: 'refused or failed; other members are parameters of the sentence' },
);

/** A failure as problem details. @param more parameters of the sentence, and the field at fault */
export const problem = (status: number, code: string, detail: string, more: object): EncodedFailure => ({
  status,
  body: { type: `${ERRORS_PATH}/${code}`, title: STATUS_CODES[status] ?? 'Error', status, detail, code, ...more },
});

export const fieldAtFault = ({ field }: { readonly field: string | null }): object =>
  field === null || field === '' ? {} : { field };

/** Fields of such a failure beside its sentence. */
const moreOf = (failure: HttpFailure): object => ({
  ...fieldAtFault(failure),
  ...(failure.needs !== null && { needs: failure.needs }),
});

/**
 * The envelope of a module's failures as problem details.
 * @param fromError null for an error that is not the module's
 * @param codeOf the code of a failure before or around a handler
 */
export const problemEnvelope = (
  fromError: Envelope['fromError'],
  codeOf = ({ kind }: HttpFailure): string => codeOfKind(kind),
): Envelope => ({
  failure: Problem,
  mediaType: PROBLEM_TYPE,
  failsUnder200: false,
  fromFailure: (failure) => problem(failure.status, codeOf(failure), failure.message, moreOf(failure)),
  fromError,
});

/** The refusals of a call by status, to spread into the responses of its schema. */
export function problemsOf<Code extends string>(
  records: Readonly<Record<Code, ErrorRecord>>,
  codes: readonly Code[],
): object {
  const described = (status: number) => ({
    description: codes.filter((code) => records[code].status === status).join(', '),
    content: { [PROBLEM_TYPE]: { schema: Problem } },
  });
  return Object.fromEntries(
    [...new Set(codes.map((code) => records[code].status))].map((status) => [status, described(status)]),
  );
}
