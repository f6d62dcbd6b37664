/** The calls of packages: an export and its file, an import and its file. */
import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { UPLOAD_RATE, type UploadRate } from '../../http/connections/upload-rate.ts';
import type { TypeBoxProvider } from '../../http/server.ts';
import { CODES } from '../codes.ts';
import type { TaskState } from '../packages/task-states.ts';
import type { Recognition } from '../recognition.ts';
import { answerRange } from './byte-range.ts';
import { acceptPackages, FORM_BYTES, receivePackage } from './package-upload.ts';
import { answers, binary, cleanItem, DONE, FAILS_AS_JSON } from './requests.ts';
import { Done, EXPORT_BODY_BYTES, ExportBody, Failure, ImportBody, TaskAnswer } from './schemas.ts';

function taskAnswer({ status, msg, counts, filename }: TaskState) {
  return {
    code: CODES.ok,
    status,
    msg,
    ...(Object.keys(counts).length === 0 ? {} : { counts }),
    ...(filename === null ? {} : { filename }),
  };
}

/** Packages, but for what carries the file. */
export function addPackageTaskRoutes(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const { tasks } = recognition;
  app.post(
    '/api/export_template',
    {
      bodyLimit: EXPORT_BODY_BYTES,
      schema: {
        operationId: 'exportTemplate',
        tags: ['original device: packages'],
        summary: 'Start an export',
        description: 'Of all items, or of those named. Its state is asked for with export_template_status.',
        body: ExportBody,
        response: answers(Done),
      },
    },
    async (request) => {
      const ids = request.body.ids?.map((id, index) => cleanItem(id, `ids.${index}`));
      await recognition.startExport(ids ?? null);
      return DONE;
    },
  );

  app.get(
    '/api/export_template_status',
    {
      schema: {
        operationId: 'getExportStatus',
        tags: ['original device: packages'],
        summary: 'State of the export',
        description: 'Where it is ready, `filename` names the package to fetch.',
        response: answers(TaskAnswer),
      },
    },
    async () => taskAnswer(tasks.exportState),
  );

  app.get(
    '/api/import_template_status',
    {
      schema: {
        operationId: 'getImportStatus',
        tags: ['original device: packages'],
        summary: 'State of the import',
        description: 'Of the last package that was sent.',
        response: answers(TaskAnswer),
      },
    },
    async () => taskAnswer(tasks.importState),
  );
}

async function sendPackage(recognition: Recognition, filename: string, reply: FastifyReply): Promise<FastifyReply> {
  const { headers } = reply.request;
  const found = recognition.packageStore.find(filename);
  if (found === null) {
    return reply.code(404).send({ code: CODES.fileMissing, msg: `there is no package "${filename}" here`, data: null });
  }
  const part = answerRange(reply, headers.range, found.bytes);
  if (part === null) {
    const msg = `Range: the package has ${found.bytes} bytes, and that part lies beyond them: fetch it without Range`;
    return reply.send({ code: CODES.parameter, msg, data: null });
  }
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(createReadStream(found.path, part));
}

const PackagePath = Type.Object({ filename: Type.String({ description: '`filename` of the state of an export' }) });

export function addDownloadRoute(plain: FastifyInstance, recognition: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/download/:filename',
    {
      schema: {
        operationId: 'downloadPackage',
        tags: ['original device: packages'],
        summary: 'An exported package',
        description: `The file that the state of an export names; with Range, the part of it that a download is short of. ${FAILS_AS_JSON}`,
        params: PackagePath,
        response: {
          ...binary('application/zip', 'the package'),
          206: binary('application/zip', 'the part of it that Range asks for')[200],
          404: Failure,
          416: Failure,
        },
      },
    },
    async (request, reply) => sendPackage(recognition, request.params.filename, reply),
  );
}

export interface UploadLimits {
  /** Largest package. */
  readonly maxPackageBytes: number;
  /** How fast an upload must come; as `UPLOAD_RATE` says when left out. */
  readonly uploadRate?: UploadRate;
}

export async function addImportRoute(
  plain: FastifyInstance,
  recognition: Recognition,
  { maxPackageBytes: maxBytes, uploadRate = UPLOAD_RATE }: UploadLimits,
): Promise<void> {
  await plain.register(async (scope) => {
    await acceptPackages(scope, maxBytes);
    scope.withTypeProvider<TypeBoxProvider>().post(
      '/api/import_template',
      {
        bodyLimit: maxBytes + FORM_BYTES,
        config: { isUpload: true },
        // the body is streamed to a file; the schema only describes it
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'importTemplate',
          tags: ['original device: packages'],
          summary: 'Start the import of a package',
          description:
            'A package as an export made it, in the field `file` of a form. Its state is asked for with import_template_status.',
          consumes: ['multipart/form-data'],
          body: ImportBody,
          response: answers(Done),
        },
      },
      async (request, reply) => {
        await receivePackage(request, reply, uploadRate, (incoming) => recognition.tasks.reserveImport(incoming));
        return DONE;
      },
    );
  });
}
