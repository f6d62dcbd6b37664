/** The error of a call whose file cannot be written. */
import { codeOf, messageOf } from '../../../../drivers/lib/errors.ts';
import { type ErrorCode, TerminalError } from '../../model/terminal-error.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'File.OpenError',
  EACCES: 'File.PermissionsError',
  EPERM: 'File.PermissionsError',
  EROFS: 'File.PermissionsError',
  ENOSPC: 'File.ResourceError',
  EDQUOT: 'File.ResourceError',
  EMFILE: 'File.ResourceError',
};

/** @param what the file, as a sentence begins */
export function fileFailure(error: unknown, what: string): TerminalError {
  if (error instanceof TerminalError) return error;
  const code = CODES[codeOf(error) ?? ''] ?? 'File.WriteError';
  return TerminalError.coded(code, `${what} could not be written: ${messageOf(error)}`, { cause: error });
}
