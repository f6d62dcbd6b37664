/** How the terminal's failures are answered under `/v1`. */

import { statusOf, TERMINAL_PROBLEMS, TerminalError } from '../../banks/index.ts';
import { type EncodedFailure, fieldAtFault, problem, problemEnvelope, problemsOf } from '../../core/http/index.ts';
import { codeOfFailure } from './envelope.ts';

/** What a call answers beside success, by its status: to be spread into the responses of its schema. */
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

export const terminalProblems = problemEnvelope(problemOf, codeOfFailure);
