/** A backup as it comes: a form with the passphrase and the file, which is read as it comes and judged at its end. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptFiles, HttpFailure, IncomingUpload, type UploadRate } from '../../core/http/index.ts';
import { formFailure, isPartAFile, passOverRest, withFailureCodes } from '../../recognition/index.ts';
import type { Backups } from './backups.ts';
import { MAX_PASSPHRASE } from './sealed-stream.ts';
import type { Mark } from './swap.ts';

/** Many times what a lane keeps in years. */
export const MAX_BACKUP_BYTES = 4 * 1024 * 1024 * 1024;
const NO_FORM = 'the backup must be sent as multipart/form-data, in the field "file", after "passphrase"';
const MAX_PARTS = 10;
/** Letters of Russian have two bytes, others up to four. */
const MAX_FIELD_BYTES = MAX_PASSPHRASE * 4;

/** In a scope of its own. */
export async function acceptBackups(scope: FastifyInstance): Promise<void> {
  acceptFiles(scope, {}, NO_FORM);
  await scope.register(multipart, {
    limits: { fileSize: MAX_BACKUP_BYTES, files: 1, fields: MAX_PARTS, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS },
    isPartAFile,
    throwFileSizeLimit: false,
  });
}

async function receive(request: FastifyRequest, backups: Backups): Promise<Mark> {
  const fields = new Map<string, string>();
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      fields.set(part.fieldname, String(part.value));
      continue;
    }
    const passphrase = fields.get('passphrase') ?? '';
    if (passphrase === '')
      throw new HttpFailure('parameter', 'passphrase is missing: it must come before the file', {
        field: 'passphrase',
      });
    const isForced = fields.get('overNewerPayments') === 'true';
    const bytes = Number(request.headers['content-length'] ?? 0);
    try {
      return await backups.prepare({ file: part.file, passphrase, isForced }, bytes);
    } catch (error) {
      // a file over the limit ends early, as if it were cut
      if (part.file.truncated) throw new HttpFailure('too-large', 'the backup is larger than any that a lane makes');
      throw error;
    }
  }
  throw new HttpFailure('parameter', 'file is missing: it must be that of a backup', { field: 'file' });
}

/** @throws {HttpFailure} @throws {BackupError} @throws {RecognitionError} of the storage */
export async function receiveBackup(
  request: FastifyRequest,
  reply: FastifyReply,
  rate: UploadRate,
  backups: Backups,
): Promise<Mark> {
  if (!request.isMultipart()) throw new HttpFailure('media-type', NO_FORM);
  const incoming = new IncomingUpload(request, reply, rate);
  try {
    return await withFailureCodes(() => incoming.read(() => receive(request, backups)));
  } catch (error) {
    passOverRest(request);
    throw formFailure(error);
  }
}
