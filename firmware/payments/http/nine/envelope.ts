/** How the nine calls answer a failure: `status`, then category, message and number of the error, which `/v1` names by a code. */

import type { EncodedFailure, Envelope, HttpFailure } from '../../../core/http/index.ts';
import { categoryAndNumber, TerminalError } from '../../model/terminal-error.ts';
import { codeOfFailure } from '../v1/problem.ts';
import { Failure } from './schemas.ts';

function answer(
  category: string,
  code: number,
  message: string,
  extra: Readonly<Record<string, string | number>> = {},
) {
  return { status: 'error', ...extra, error_category: category, error_message: message, error_code: code };
}

export const terminalEnvelope: Envelope = {
  failure: Failure,
  failsUnder200: false,

  fromFailure(failure: HttpFailure): EncodedFailure {
    return { status: failure.status, body: answer(...categoryAndNumber(codeOfFailure(failure)), failure.message) };
  },

  fromError(error: unknown): EncodedFailure | null {
    if (!(error instanceof TerminalError)) return null;
    return { status: error.status, body: answer(error.category, error.errorCode, error.message, error.extra) };
  },
};
