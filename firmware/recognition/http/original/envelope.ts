/** The envelope of each answer of the original device: `code`, below 0 of a failure, with `msg`; and `data`. */
import Type, { type TSchema } from 'typebox';
import type { EncodedFailure, Envelope, FailureKind, HttpFailure } from '../../../core/http/index.ts';
import { CODES, type CodeName, RecognitionError } from '../../model/codes.ts';
import { isDamage, recognitionFailure } from '../../model/failures.ts';

/** The envelope of a success. @param title name of the answer in the document @param examples of its data */
export const answerOf = <Data extends TSchema>(data: Data, title: string, ...examples: unknown[]) =>
  Type.Object(
    { code: Type.Literal(CODES.ok), data },
    { title, examples: examples.map((example) => ({ code: CODES.ok, data: example })) },
  );
/** The envelope of a call that teaches: `msg` is there only with a warning. */
export const taughtAnswerOf = <Data extends TSchema>(data: Data, title: string, example: object) =>
  Type.Object(
    {
      code: Type.Literal(CODES.ok),
      data,
      msg: Type.Optional(Type.String({ description: 'what may be wrong with what was learned; else left out' })),
    },
    { title, examples: [{ code: CODES.ok, data: example }] },
  );
/** A success with its data. */
export const success = <Data>(data: Data): { readonly code: typeof CODES.ok; readonly data: Data } => ({
  code: CODES.ok,
  data,
});
/** The same of a call that teaches. @param warning what may be wrong with what was learned; null where nothing is */
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
    examples: [{ code: CODES.cameraLost, msg: 'the camera is not there: /health says more', data: null }],
  },
);

const CODE_OF_KIND: Readonly<Record<FailureKind, CodeName>> = {
  json: 'json',
  parameter: 'parameter',
  request: 'parameter',
  unauthorised: 'notAuthorised',
  forbidden: 'notAuthorised',
  'not-found': 'unknownCommand',
  method: 'unknownCommand',
  timeout: 'parameter',
  'too-large': 'parameter',
  'media-type': 'parameter',
  undecodable: 'frameUnusable',
  headers: 'parameter',
  encryption: 'notAuthorised',
  'too-many': 'tooMany',
  busy: 'tooMany',
  internal: 'unknown',
  storage: 'storageFull',
  'storage-refused': 'fileWrite',
};

const answer = (code: number, msg: string) => ({ code, msg, data: null });

export const recognitionEnvelope: Envelope = {
  failure: Failure,
  failsUnder200: true,

  fromFailure(failure: HttpFailure): EncodedFailure {
    return { status: failure.status, body: answer(CODES[CODE_OF_KIND[failure.kind]], failure.message) };
  },

  fromError(error: unknown): EncodedFailure | null {
    const own = isDamage(error) ? recognitionFailure(error) : error;
    return own instanceof RecognitionError ? { status: 200, body: answer(own.code, own.message) } : null;
  },
};
