/** The calls of packages: an export and its file, an import and its file. */
import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifySchema } from 'fastify';
import Type from 'typebox';
import { type LeastRate, UPLOAD_RATE } from '../../../core/http/index.ts';
import { CODES } from '../../model/codes.ts';
import type { Recognition } from '../../service/recognition.ts';
import type { TaskState } from '../../templates/package-task-states.ts';
import { acceptPackages, FORM_BYTES, receivePackage } from '../package-upload.ts';
import { binary, cleanItem, FAILS_AS_JSON } from '../requests.ts';
import { Done, EXPORT_BODY_BYTES, ExportBody, Failure, ImportBody, originalCalls } from './schemas.ts';

const TaskAnswer = Type.Object(
  {
    code: Type.Literal(CODES.ok),
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
        code: CODES.ok,
        status: 3,
        msg: 'ready',
        counts: { templates: 3, items: 1 },
        filename: 'laneware-1763712000000.zip',
      },
    ],
  },
);

const stateOf = ({ status, msg, counts, filename }: TaskState) => ({
  status,
  msg,
  ...(Object.keys(counts).length > 0 && { counts }),
  ...(filename !== null && { filename }),
});

/** Calls of packages without those that carry the file. */
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

/** Begins an export of some items, or of all. @throws {HttpFailure} `parameter` @throws {RecognitionError} */
export const startExport = ({ tasks }: Recognition, ids: readonly string[] | null | undefined): Promise<void> =>
  tasks.startExport(ids?.map((id, index) => cleanItem(id, `ids.${index}`)) ?? null);

/**
 * A range of one part: first and last byte, from the first one on, or a number of bytes at the end. The unit may be in
 * capitals.
 */
const ONE_PART = /^bytes=\s*(?!-\s*$)(\d*)-(\d*)\s*$/i;

interface ByteRange {
  /** First and last byte, both included. */
  readonly start: number;
  readonly end: number;
}

/**
 * Sets status and headers of the answer for a client that continues an interrupted download (RFC 9110, section 14).
 * @param range the header; several parts, other units and unreadable headers get the whole file, as the RFC allows
 * @returns the part to send; null where it lies beyond the file
 */
function answerRange(reply: FastifyReply, range: string | undefined, bytes: number): ByteRange | null {
  const whole = { start: 0, end: bytes - 1 };
  reply.header('accept-ranges', 'bytes');
  // there are no entity tags, so that If-Range asks for the whole
  const asked = reply.request.headers['if-range'] === undefined ? range : undefined;
  const [part, first = '', last = ''] = ONE_PART.exec(asked ?? '') ?? [];
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? whole.end : Math.min(Number(last), whole.end);
  if (part === undefined || (last !== '' && Number(first) > Number(last))) {
    reply.header('content-length', bytes);
    return whole;
  }
  if (start > whole.end) {
    reply.code(416).header('content-range', `bytes */${bytes}`);
    return null;
  }
  reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${bytes}`)
    .header('content-length', end - start + 1);
  return { start, end };
}

/** Sends a package or the requested part of it. @param refuse answers where there is no such package or part */
export async function sendPackage(
  { packageStore }: Recognition,
  filename: string,
  reply: FastifyReply,
  refuse: (why: 'NotFound' | 'BeyondEnd', sentence: string) => FastifyReply,
): Promise<FastifyReply> {
  const found = packageStore.find(filename);
  if (found === null) return refuse('NotFound', `there is no package "${filename}" here`);
  const part = answerRange(reply, reply.request.headers.range, found.bytes);
  if (part === null)
    return refuse(
      'BeyondEnd',
      `Range: the package has ${found.bytes} bytes, and that part lies beyond them: fetch it without Range`,
    );
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(createReadStream(found.path, part));
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
          ? reply.code(404).send({ code: CODES.fileMissing, msg, data: null })
          : reply.send({ code: CODES.parameter, msg, data: null }),
      ),
  );
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
    answer: () => ({ code: CODES.ok, data: null }),
  });
