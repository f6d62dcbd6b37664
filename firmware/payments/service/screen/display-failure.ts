/** The error where a picture could not be drawn: the display's own code, and whether it may have been seen. */
import { DisplayError, type DisplayErrorCode } from '../../../../drivers/display/contract.ts';
import { displayFailure } from '../../../../drivers/display/registry.ts';
import { terminalFailure } from '../../model/failures.ts';
import { TerminalError } from '../../model/terminal-error.ts';

/** Failures during a drawing: the display may have received enough of it. */
const HALF_DRAWN: ReadonlySet<DisplayErrorCode> = new Set(['lost', 'timeout']);

/** @param drawn what should be on the display, as a sentence begins @returns an unexpected error unchanged */
export function drawingFailure(error: unknown, drawn: string): unknown {
  if (!(error instanceof DisplayError)) return terminalFailure(error);
  const outcome = HALF_DRAWN.has(error.code) ? `${drawn} may have been seen` : 'nothing is shown';
  // "not connected" says less than why it is not
  const { code } = error.cause instanceof DisplayError ? error.cause : error;
  return TerminalError.coded(displayFailure({ kind: error.kind, code }), `${error.message}; ${outcome}`, {
    cause: error,
  });
}
