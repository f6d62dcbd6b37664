/** Reads a file that settings name, which may be anything: a device that never ends, a pipe that nobody writes to. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { within } from '../../drivers/display/deadline.ts';

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

function mustBePlain(file: Stats): void {
  if (!file.isFile()) throw new CertificateFileError('is no plain file (a folder, a device or a pipe)');
}

/** No more than may be: what a file says of its size is not believed. */
async function readBounded(file: FileHandle): Promise<Buffer> {
  const room = Buffer.alloc(MAX_CERTIFICATE_FILE_BYTES + 1);
  let size = 0;
  while (size < room.length) {
    const { bytesRead } = await file.read(room, size, room.length - size, size);
    if (bytesRead === 0) return Buffer.from(room.subarray(0, size));
    size += bytesRead;
  }
  throw new CertificateFileError(`has more than ${MAX_CERTIFICATE_FILE_BYTES} bytes: that is no certificate`);
}

async function readPlainFile(path: string): Promise<Buffer> {
  mustBePlain(await stat(path)); // before it is opened: opening some devices has effects
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    mustBePlain(await file.stat()); // it may have been replaced meanwhile
    return await readBounded(file);
  } finally {
    await file.close();
  }
}

/** @throws {CertificateFileError} */
export async function readCertificateFile(path: string, limitMs = CERTIFICATE_READ_LIMIT_MS): Promise<Buffer> {
  const late = () => new CertificateFileError(`could not be read within ${limitMs / 1000} s`);
  try {
    return await within(readPlainFile(path), limitMs, late);
  } catch (cause) {
    if (cause instanceof CertificateFileError) throw cause;
    throw new CertificateFileError(`cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`, cause);
  }
}
