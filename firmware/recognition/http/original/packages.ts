/** The calls of packages: an export and its file, an import and its file. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { numberOf } from '../../model/recognition-error.ts';
import type { Recognition } from '../../service/recognition.ts';
import type { TaskState } from '../../templates/package-task-states.ts';
import { binary } from '../file-answers.ts';
import { sendPackage } from '../package-download.ts';
import { addUpload, type UploadLimits } from '../package-upload.ts';
import { EXPORT_BODY_BYTES, startExport, WantedExport } from '../v1/package-routes.ts';
import { FAILS_AS_JSON, originalCalls } from './calls.ts';
import { Done, Failure, OK, success } from './envelope.ts';

const ExportBody = Type.Object(WantedExport.properties, { title: 'Export', examples: [{ ids: ['4011'] }] });

const TaskAnswer = Type.Object(
  {
    code: Type.Literal(OK),
    status: Type.Integer({
      description:
        'export: 0 none, 1 preparing, 3 ready, 6 failed; import: 0 none, 2 importing, 3 checking, 4 completed, 5 failed, 7 refused',
    }),
    msg: Type.String(),
    counts: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          'the numbers of `msg`: `done` of `total` while it runs; `templates` of `items` of an export; `imported`, `known`, `beyondLimit` and `deleted` of an import',
      }),
    ),
    filename: Type.Optional(Type.String({ description: 'to be fetched from /download/<filename>' })),
  },
  {
    title: 'TaskState',
    examples: [
      {
        code: OK,
        status: 3,
        msg: 'ready',
        counts: { templates: 3, items: 1 },
        filename: 'laneware-1763712000000.zip',
      },
    ],
  },
);

const stateOf = ({ status, msg, counts, filename }: TaskState) => ({
  code: OK,
  status,
  msg,
  ...(Object.keys(counts).length > 0 && { counts }),
  ...(filename !== null && { filename }),
});

/** The calls of packages whose bodies and answers are no files. */
export function addPackageTaskRoutes(app: FastifyInstance, recognition: Recognition): void {
  const { get, post } = originalCalls(app, 'packages');
  const { tasks } = recognition;
  post('export_template', {
    config: { role: 'supervisor', audit: { event: 'templates-exported', fields: ['ids'], isRepeatable: true } },
    bodyLimit: EXPORT_BODY_BYTES,
    summary: 'Start an export',
    description: 'Of all items, or of those named. Its state is asked for with export_template_status.',
    body: ExportBody,
    does: ({ ids }) => startExport(recognition, ids),
  });

  get('export_template_status', {
    config: { role: 'till' },
    operation: 'getExportStatus',
    summary: 'State of the export',
    description: 'Where it is ready, `filename` names the package to fetch.',
    answer: TaskAnswer,
    does: () => stateOf(tasks.exportState),
  });

  get('import_template_status', {
    config: { role: 'till' },
    operation: 'getImportStatus',
    summary: 'State of the import',
    description: 'Of the last package that was sent.',
    answer: TaskAnswer,
    does: () => stateOf(tasks.importState),
  });
}

const PackagePath = Type.Object({ filename: Type.String({ description: '`filename` of the state of an export' }) });

export function addDownloadRoute(app: FastifyInstance, recognition: Recognition): void {
  app.get(
    '/download/:filename',
    {
      config: { role: 'supervisor', audit: { event: 'package-downloaded', fields: ['filename'], isRepeatable: true } },
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
    async (request, reply) =>
      sendPackage(recognition, request.params.filename, reply, (why, msg) =>
        why === 'NotFound'
          ? reply.code(404).send({ code: numberOf('Templates.Damaged'), msg, data: null })
          : reply.send({ code: numberOf('RequestParams.InvalidField'), msg, data: null }),
      ),
  );
}

export const addImportRoute = (app: FastifyInstance, recognition: Recognition, limits: UploadLimits): Promise<void> =>
  addUpload(app, recognition, limits, {
    url: '/api/import_template',
    schema: {
      operationId: 'importTemplate',
      tags: ['original device: packages'],
      summary: 'Start the import of a package',
      description:
        'A package as an export made it, in the field `file` of a form. Its state is asked for with import_template_status.',
      response: { 200: Done },
    },
    answer: () => success(null),
  });
