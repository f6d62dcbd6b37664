/** Receives a package: a form with one file, streamed to the disk while the place of the import is reserved. */
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import Type from 'typebox';
import { whileThereIsRoom } from '../../core/files/index.ts';
import { acceptFiles, HttpFailure, type LeastRate, readUpload, UPLOAD_RATE } from '../../core/http/index.ts';
import { absenceInWords } from '../../core/schema/index.ts';
import { withFailureCodes } from '../model/failures.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { Recognition } from '../service/recognition.ts';
import type { ImportSlot } from '../templates/package-tasks.ts';

const ImportBody = Type.Object(
  {
    file: Type.Unsafe<unknown>({
      type: 'string',
      format: 'binary',
      description: 'a package as `/download/{filename}` gives it, as a file of a form',
    }),
  },
  { title: 'Import' },
);

const NO_FORM = 'the package must be sent as multipart/form-data, in the field "file"';
/** Bytes that a form may add around its file. */
export const FORM_BYTES = 64 * 1024;
const FILE_FIELD = 'file';
/** Most parts of a form; fields other than the file are skipped, and a form has a handful of them. */
const MAX_FORM_PARTS = 100;
const TOO_MANY_PARTS: ReadonlySet<string> = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT']);

/** Whether a part is a file: the part `file` always is, because some programs send it without a file name. */
export const isPartAFile = (field?: string, type?: string, name?: string): boolean =>
  field === FILE_FIELD || name !== undefined || type === 'application/octet-stream';

/** Lets a scope receive packages. @param maxBytes the largest package, bytes */
export async function acceptPackages(scope: FastifyInstance, maxBytes: number): Promise<void> {
  acceptFiles(scope, {}, NO_FORM);
  await scope.register(multipart, {
    limits: {
      fileSize: maxBytes,
      files: MAX_FORM_PARTS,
      fields: MAX_FORM_PARTS,
      fieldSize: 1024,
      parts: MAX_FORM_PARTS,
    },
    isPartAFile,
    throwFileSizeLimit: false,
  });
}

/**
 * Stores the field `file` of a form; other fields are skipped.
 * @param reserve reserves the import once its file has begun; returns the path to write
 * @throws {HttpFailure} and what `reserve` throws
 */
async function receive(request: FastifyRequest, reserve: () => string): Promise<void> {
  let received = false;
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue;
    if (part.fieldname !== FILE_FIELD) {
      part.file.resume();
      continue;
    }
    if (received) throw new HttpFailure('parameter', 'file must be sent once', { field: FILE_FIELD });
    await save(part, reserve());
    received = true;
  }
  if (!received)
    throw new HttpFailure('parameter', `file ${absenceInWords(ImportBody, FILE_FIELD)}`, { field: FILE_FIELD });
}

async function save({ file }: MultipartFile, path: string): Promise<void> {
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  // a stream that is destroyed while it opens creates its file afterwards, which would fail the next upload
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  try {
    await withFailureCodes(() => pipeline(whileThereIsRoom(file, dirname(path)), output));
  } finally {
    await closed;
  }
  // a file over the limit ends early, as if it were whole
  if (file.truncated) throw new HttpFailure('too-large', 'the package is larger than recognition.packageMb allows');
}

/** Translates failures of the form itself. */
export function formFailure(error: unknown): unknown {
  if (error instanceof RecognitionError || error instanceof HttpFailure) return error;
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string };
  if (TOO_MANY_PARTS.has(code ?? ''))
    return new HttpFailure('parameter', `the form must have at most ${MAX_FORM_PARTS} fields`, { cause: error });
  if (statusCode === 413) return new HttpFailure('too-large', message ?? 'the form is too large', { cause: error });
  if (code?.startsWith('FST_') || message?.startsWith('Multipart') || /end of (form|multipart)/i.test(message ?? '')) {
    return new HttpFailure('parameter', `the form cannot be read: ${message}`, { cause: error });
  }
  return error;
}

/** Reads a refused body to its end: otherwise the next request of its connection would never come. */
export function passOverRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

/**
 * Receives a package, and starts its import.
 * @param rate least rate of the upload
 * @param reserve reserves the import once its file has begun; the place is free again when this fails
 * @throws {HttpFailure} and what `reserve` throws
 */
export async function receivePackage(
  request: FastifyRequest,
  reply: FastifyReply,
  rate: LeastRate,
  reserve: () => ImportSlot,
): Promise<void> {
  if (!request.isMultipart()) throw new HttpFailure('media-type', NO_FORM);
  const slots: ImportSlot[] = [];
  const reserveSlot = (): string => {
    const slot = reserve();
    slots.push(slot);
    return slot.file;
  };
  try {
    await readUpload(request, reply, rate, () => receive(request, reserveSlot));
    for (const slot of slots) await slot.start();
  } catch (error) {
    for (const slot of slots) slot.release();
    passOverRest(request);
    throw formFailure(error);
  }
}

export interface UploadLimits {
  /** The largest package, bytes. */
  readonly maxPackageBytes: number;
  /** The least rate of an upload; `UPLOAD_RATE` when left out. */
  readonly uploadRate?: LeastRate;
}

/** A call that receives a package. */
interface Upload {
  readonly url: string;
  readonly schema: FastifySchema;
  readonly answer: () => object;
}

export async function addUpload(
  app: FastifyInstance,
  { tasks }: Recognition,
  { maxPackageBytes: maxBytes, uploadRate = UPLOAD_RATE }: UploadLimits,
  { url, schema, answer }: Upload,
): Promise<void> {
  await app.register(async (scope) => {
    await acceptPackages(scope, maxBytes);
    scope.post(
      url,
      {
        bodyLimit: maxBytes + FORM_BYTES,
        config: { isUpload: true, role: 'supervisor', audit: { event: 'templates-imported' } },
        // the body is streamed to a file; the schema only describes it
        validatorCompiler: () => () => true,
        schema: { consumes: ['multipart/form-data'], body: ImportBody, ...schema },
      },
      async (request, reply) => {
        await receivePackage(request, reply, uploadRate, () => tasks.reserveImport());
        return answer();
      },
    );
  });
}
