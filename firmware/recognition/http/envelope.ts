/** How the recognition device words a failure: `code`, `msg`, and no data. */
import type { EncodedFailure, Envelope, FailureKind, HttpFailure } from '../../core/http/index.ts';
import { CODES, type CodeName, RecognitionError } from '../codes.ts';
import { isDamage, recognitionFailure } from '../failures.ts';
import { Failure } from './original-schemas.ts';

const CODE_OF: Readonly<Record<FailureKind, CodeName>> = {
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
    return { status: failure.status, body: answer(CODES[CODE_OF[failure.kind]], failure.message) };
  },

  fromError(error: unknown): EncodedFailure | null {
    const own = isDamage(error) ? recognitionFailure(error) : error;
    return own instanceof RecognitionError ? { status: 200, body: answer(own.code, own.message) } : null;
  },
};
