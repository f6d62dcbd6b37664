/** Reads a file that settings name, which may be anything: a device that never ends, a pipe that nobody writes to. */
import { within } from '../../drivers/lib/async.ts';
import { codeOf } from '../../drivers/lib/errors.ts';
import { PlainFileError, readPlainFileAside } from '../store/plain-file.ts';

/** A bundle of all public authorities is half as large. */
export const MAX_CERTIFICATE_FILE_BYTES = 512 * 1024;
/** How long a file may take, such as one on a network that is away. */
export const CERTIFICATE_READ_LIMIT_MS = 3000;

/** Its message reads after "it". */
export class CertificateFileError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CertificateFileError';
  }
}

function inWords(cause: unknown): CertificateFileError {
  if (cause instanceof CertificateFileError) return cause;
  if (!(cause instanceof PlainFileError))
    return new CertificateFileError(`cannot be read (${codeOf(cause) ?? 'unknown'})`, cause);
  return new CertificateFileError(
    cause.code === 'TOO_LARGE' ? `${cause.message}: that is no certificate` : cause.message,
    cause,
  );
}

/** @throws {CertificateFileError} */
export async function readCertificateFile(path: string, limitMs = CERTIFICATE_READ_LIMIT_MS): Promise<Buffer> {
  const late = () => new CertificateFileError(`could not be read within ${limitMs / 1000} s`);
  try {
    return await within(readPlainFileAside(path, MAX_CERTIFICATE_FILE_BYTES), limitMs, late);
  } catch (cause) {
    throw inWords(cause);
  }
}
