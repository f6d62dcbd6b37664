/** How `/v1` answers the failures of the terminal: as problems (RFC 9457) with stable codes. */

import {
  codeOfKind,
  type EncodedFailure,
  fieldAtFault,
  type HttpFailure,
  problem,
  problemEnvelope,
  problemsOf,
} from '../../../core/http/index.ts';
import { statusOf, TERMINAL_PROBLEMS, TerminalError } from '../../model/terminal-error.ts';

/** The code of the table that comes nearest to the JSON parser's message. */
function jsonMember(message: string): string {
  if (/UTF-8/.test(message)) return 'IllegalUTF8String';
  if (/nests deeper/.test(message)) return 'DeepNesting';
  if (/after JSON/.test(message)) return 'GarbageAtEnd';
  if (/Unterminated string/.test(message)) return 'UnterminatedString';
  if (/end of JSON|empty/.test(message)) return 'UnterminatedObject';
  if (/escaped/.test(message)) return 'IllegalEscapeSequence';
  return 'IllegalValue';
}

/** The code of the error table for a failure before or around a handler: `JsonParse.DeepNesting`. */
export const codeOfFailure = ({ kind, message }: HttpFailure): string =>
  kind === 'json' ? `JsonParse.${jsonMember(message)}` : codeOfKind(kind);

/** The refusals of a call by status, to spread into the responses of its schema. */
export const refusals = (...codes: readonly (keyof typeof TERMINAL_PROBLEMS)[]): object =>
  problemsOf(TERMINAL_PROBLEMS, codes);

function problemOf(error: unknown): EncodedFailure | null {
  if (!(error instanceof TerminalError)) return null;
  const code = `${error.category}.${error.member}`;
  return problem(statusOf(code), code, error.message, {
    ...error.extra,
    ...error.parameters,
    ...(error.payment !== null && { payment: error.payment }),
    ...fieldAtFault(error),
  });
}

/** How the terminal's failures are answered under `/v1`. */
export const terminalProblems = problemEnvelope(problemOf, codeOfFailure);
