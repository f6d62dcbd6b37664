/** The calls that carry files: the camera's picture in both directions, packages in both directions. */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type FrameRefusalCode, FrameRefused, isPushCamera, MAX_JPEG_BYTES } from '../../../drivers/camera/contract.ts';
import { IncomingUpload, UPLOAD_RATE, type UploadRate } from '../../http/connections/upload-rate.ts';
import { type FailureKind, HttpFailure } from '../../http/failure.ts';
import type { TypeBoxProvider } from '../../http/server.ts';
import { CODES, RecognitionError } from '../codes.ts';
import { recognitionFailure, withFailureCodes } from '../failures.ts';
import type { ImportSlot } from '../packages/tasks.ts';
import type { Recognition } from '../recognition.ts';
import { answers, DONE } from './requests.ts';
import { Done, Failure, FrameAnswer, ImportBody } from './schemas.ts';

/** What a form adds around its file. */
const FORM_BYTES = 64 * 1024;
const FILE_FIELD = 'file';
/** Fields beside the file are passed over; a form has a handful of them. */
const MAX_FORM_PARTS = 100;
const TOO_MANY_PARTS: ReadonlySet<string> = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT']);

const KIND_OF: Readonly<Record<FrameRefusalCode, FailureKind>> = {
  'too-large': 'too-large',
  'not-jpeg': 'media-type',
  undecodable: 'undecodable',
};

async function putFrame(recognition: Recognition, jpeg: Buffer) {
  const { camera } = recognition;
  if (!isPushCamera(camera)) {
    throw new RecognitionError(
      'unknownCommand',
      `frames come from the camera driver "${camera.kind}" here: set camera.driver to "push" to send them`,
    );
  }
  try {
    const { width, height, sequence } = await camera.put(jpeg);
    return { code: CODES.ok, data: { width, height, sequence } };
  } catch (error) {
    if (error instanceof FrameRefused) throw new HttpFailure(KIND_OF[error.code], error.message, { cause: error });
    throw recognitionFailure(error);
  }
}

const NO_FORM = 'the package must be sent as multipart/form-data, in the field "file"';

/** Refuses a body of any type that the scope has no parser for. */
function refuseOtherTypes(scope: FastifyInstance, message: string): void {
  scope.addContentTypeParser('*', (_request, _body, done) => done(new HttpFailure('media-type', message)));
}

/** A scope of its own, in which pictures are bodies and nothing else is. */
async function addFrameRoute(plain: FastifyInstance, recognition: Recognition): Promise<void> {
  await plain.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('image/jpeg', { parseAs: 'buffer', bodyLimit: MAX_JPEG_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    refuseOtherTypes(scope, 'the picture must be sent as Content-Type: image/jpeg');
    scope.put(
      '/camera/frame',
      {
        bodyLimit: MAX_JPEG_BYTES,
        // the decoder judges the picture; the schema only describes it
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'putFrame',
          tags: ['camera'],
          summary: 'Set the current frame, where the camera driver is push',
          description: 'A JPEG, best of 1280×720. The next recognition looks at it.',
          body: { content: { 'image/jpeg': { schema: { type: 'string', format: 'binary' } } } },
          response: { ...answers(FrameAnswer), 422: Failure },
        },
      },
      async (request) => {
        if (!Buffer.isBuffer(request.body)) throw new HttpFailure('media-type', 'the body must be a JPEG');
        return await putFrame(recognition, request.body);
      },
    );
  });
}

/**
 * Stores the field `file` of a form; other fields are passed over.
 * @param reserve takes the place of the import, once there is a file for it; returns where it goes
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
  if (!received) throw new HttpFailure('parameter', 'file is required', { field: FILE_FIELD });
}

async function save({ file }: MultipartFile, path: string): Promise<void> {
  await withFailureCodes(() => pipeline(file, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
  // a file over the limit ends early, as if it were whole
  if (file.truncated) throw new HttpFailure('too-large', 'the package is larger than recognition.packageMb allows');
}

/** Failures of the form itself, in our kinds. */
function formFailure(error: unknown): unknown {
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

/** @param arrive is given what takes the place of the import, which is free again when it fails */
async function receiveInto(reserve: () => ImportSlot, arrive: (taking: () => string) => Promise<void>): Promise<void> {
  const slots: ImportSlot[] = [];
  try {
    await arrive(() => {
      const slot = reserve();
      slots.push(slot);
      return slot.file;
    });
  } catch (error) {
    for (const slot of slots) slot.release();
    throw formFailure(error);
  }
  for (const slot of slots) await slot.start();
}

/** What is refused halfway is still sent to its end: nobody reads it, or the next request of its connection never comes. */
function passOverRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

async function addImportRoute(
  plain: FastifyInstance,
  recognition: Recognition,
  { maxPackageBytes: maxBytes, uploadRate = UPLOAD_RATE }: UploadLimits,
): Promise<void> {
  await plain.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    refuseOtherTypes(scope, NO_FORM);
    await scope.register(multipart, {
      limits: {
        fileSize: maxBytes,
        files: MAX_FORM_PARTS,
        fields: MAX_FORM_PARTS,
        fieldSize: 1024,
        parts: MAX_FORM_PARTS,
      },
      throwFileSizeLimit: false,
    });
    scope.withTypeProvider<TypeBoxProvider>().post(
      '/api/import_template',
      {
        bodyLimit: maxBytes + FORM_BYTES,
        config: { isUpload: true },
        // the body is streamed to a file; the schema only describes it
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'importTemplate',
          tags: ['packages'],
          summary: 'Start the import of a package',
          description:
            'A package as an export made it, in the field `file` of a form. Its state is asked for with import_template_status.',
          consumes: ['multipart/form-data'],
          body: ImportBody,
          response: answers(Done),
        },
      },
      async (request, reply) => {
        if (!request.isMultipart()) throw new HttpFailure('media-type', NO_FORM);
        const incoming = new IncomingUpload(request, reply, uploadRate);
        try {
          await receiveInto(
            () => recognition.tasks.reserveImport(incoming),
            (reserve) => incoming.read(() => receive(request, reserve)),
          );
        } catch (error) {
          passOverRest(request);
          throw error;
        }
        return DONE;
      },
    );
  });
}

async function sendPackage(recognition: Recognition, filename: string, reply: FastifyReply): Promise<FastifyReply> {
  const found = recognition.packageStore.find(filename);
  if (found === null) {
    return reply.code(404).send({ code: CODES.fileMissing, msg: `there is no package "${filename}" here`, data: null });
  }
  return reply
    .type('application/zip')
    .header('content-length', found.bytes)
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(createReadStream(found.path));
}

const PackagePath = Type.Object({ filename: Type.String({ description: '`filename` of the state of an export' }) });

/** An answer that is a file, for OpenAPI; it is sent as it is. */
const binary = (type: string, description: string) => ({
  200: { description, content: { [type]: { schema: { type: 'string', format: 'binary' } } } },
});

export interface UploadLimits {
  /** Largest package. */
  readonly maxPackageBytes: number;
  /** How fast an upload must come; as `UPLOAD_RATE` says when left out. */
  readonly uploadRate?: UploadRate;
}

export async function addFileRoutes(
  plain: FastifyInstance,
  recognition: Recognition,
  limits: UploadLimits,
): Promise<void> {
  plain.get(
    '/api/get_image',
    {
      schema: {
        operationId: 'getImage',
        tags: ['camera'],
        summary: 'The current frame, a JPEG of 1280×720',
        description: 'The newest picture of the camera.',
        response: binary('image/jpeg', 'the frame'),
      },
    },
    async (_, reply) => reply.type('image/jpeg').send(Buffer.from(await recognition.recogniser.image())),
  );
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/download/:filename',
    {
      schema: {
        operationId: 'downloadPackage',
        tags: ['packages'],
        summary: 'An exported package',
        description: 'The file that the state of an export names.',
        params: PackagePath,
        response: { ...binary('application/zip', 'the package'), 404: Failure },
      },
    },
    async (request, reply) => sendPackage(recognition, request.params.filename, reply),
  );
  await addFrameRoute(plain, recognition);
  await addImportRoute(plain, recognition, limits);
}
