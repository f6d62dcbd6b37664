/** The envelope of the original device's answers: `code`, below 0 for a failure; `msg`, its sentence or a warning; `data`. */
import Type, { type TSchema } from 'typebox';
import type { EncodedFailure, Envelope, FailureKind, HttpFailure } from '../../../core/http/index.ts';
import { isDamage, recognitionFailure } from '../../model/failures.ts';
import { type CodeName, numberOf, RecognitionError } from '../../model/recognition-error.ts';

/** `code` of each success. */
export const OK = 0 as const;

/** The envelope of a success. @param title name of the answer in the document @param examples of its data */
export const answerOf = <Data extends TSchema>(data: Data, title: string, ...examples: unknown[]) =>
  Type.Object(
    { code: Type.Literal(OK), data },
    { title, examples: examples.map((example) => ({ code: OK, data: example })) },
  );
/** The envelope of a call that teaches: `msg` is there only with a warning. */
export const taughtAnswerOf = <Data extends TSchema>(data: Data, title: string, example: object) =>
  Type.Object(
    {
      code: Type.Literal(OK),
      data,
      msg: Type.Optional(Type.String({ description: 'what may be wrong with what was learned; else left out' })),
    },
    { title, examples: [{ code: OK, data: example }] },
  );
/** A success with its data. */
export const success = <Data>(data: Data): { readonly code: typeof OK; readonly data: Data } => ({
  code: OK,
  data,
});
/** A success of a call that teaches. @param warning what may be wrong with what was learned; null where nothing is */
export const taught = <Data>(data: Data, warning: string | null) => ({
  ...success(data),
  ...(warning !== null && { msg: warning }),
});
export const Done = answerOf(Type.Null(), 'Done', null);
/** The failure that every call may answer; `code` says which. */
export const Failure = Type.Object(
  { code: Type.Integer(), msg: Type.String({ description: 'what is wrong and what to do' }), data: Type.Null() },
  {
    title: 'Failure',
    description: 'refused or failed; nothing has changed unless the message says so',
    examples: [{ code: numberOf('Camera.Lost'), msg: 'the camera is not there: /health says more', data: null }],
  },
);

/** The codes that the original device has: it counts, for example, a body that is too large as a wrong parameter. */
const CODE_OF_KIND: Readonly<Record<FailureKind, CodeName>> = {
  json: 'JsonParse.*',
  parameter: 'RequestParams.InvalidField',
  request: 'RequestParams.InvalidField',
  unauthorised: 'RequestParams.NotAuthorised',
  forbidden: 'RequestParams.NotAuthorised',
  'not-found': 'RequestParams.UnknownPath',
  method: 'RequestParams.UnknownPath',
  timeout: 'RequestParams.InvalidField',
  'too-large': 'RequestParams.InvalidField',
  'media-type': 'RequestParams.InvalidField',
  undecodable: 'Camera.NoPicture',
  headers: 'RequestParams.InvalidField',
  encryption: 'RequestParams.NotAuthorised',
  'too-many': 'RequestParams.TooMany',
  busy: 'RequestParams.TooMany',
  internal: 'Internal.UnexpectedError',
  storage: 'Internal.StorageFull',
  'storage-refused': 'Internal.StorageRefused',
};

const answer = (code: number, msg: string) => ({ code, msg, data: null });

export const recognitionEnvelope: Envelope = {
  failure: Failure,
  failsUnder200: true,

  fromFailure(failure: HttpFailure): EncodedFailure {
    return { status: failure.status, body: answer(numberOf(CODE_OF_KIND[failure.kind]), failure.message) };
  },

  fromError(error: unknown): EncodedFailure | null {
    const typed = isDamage(error) ? recognitionFailure(error) : error;
    return typed instanceof RecognitionError
      ? { status: 200, body: answer(numberOf(typed.codeName), typed.message) }
      : null;
  },
};
