/** Reads a file that settings name, which may be anything: a device that never ends, a pipe without a writer. */
import { within } from '../../../drivers/lib/async.ts';
import { CodedError, codeOf } from '../../../drivers/lib/errors.ts';
import { isStoreError, readPlainFileAside } from '../store/index.ts';

/** A bundle of all public authorities is half as large. */
export const MAX_CERTIFICATE_FILE_BYTES = 512 * 1024;
/** How long a file may take, such as one on a network that is away. */
const CERTIFICATE_READ_LIMIT_MS = 3000;

export type CertificateErrorCode =
  /** It cannot be read, or is no file as one should be. */
  | 'file'
  /** It was sent to the device, and is not kept there, or not so that it opens. */
  | 'not-kept'
  /** What was read is no certificate that can be used. */
  | 'certificate'
  /** What was read is no key, or not that of the certificate. */
  | 'key';

/** What is wrong with a certificate or its key. The message reads after the name of the file. */
export class CertificateError extends CodedError<CertificateErrorCode> {}

function inWords(cause: unknown): CertificateError {
  if (cause instanceof CertificateError) return cause;
  if (!isStoreError(cause, 'NOT_PLAIN', 'TOO_LARGE'))
    return new CertificateError('file', `cannot be read (${codeOf(cause) ?? 'unknown'})`, { cause });
  const isLarge = cause.code === 'TOO_LARGE';
  return new CertificateError('file', isLarge ? `${cause.message}: that is no certificate` : cause.message, { cause });
}

/** @throws {CertificateError} */
export async function readCertificateFile(path: string, limitMs = CERTIFICATE_READ_LIMIT_MS): Promise<Buffer> {
  const late = () => new CertificateError('file', `could not be read within ${limitMs / 1000} s`);
  try {
    return await within(readPlainFileAside(path, MAX_CERTIFICATE_FILE_BYTES), limitMs, late);
  } catch (cause) {
    throw inWords(cause);
  }
}
