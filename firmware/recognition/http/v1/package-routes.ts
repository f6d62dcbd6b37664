/** The calls that make, fetch and import packages of templates, and report their progress. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { maybe, orNull } from '../../../core/schema/index.ts';
import type { Recognition } from '../../service/recognition.ts';
import { PackageRefusal } from '../../templates/package-store.ts';
import { EXPORT_STATUS, IMPORT_STATUS, type TaskState } from '../../templates/package-task-states.ts';
import { binary } from '../file-answers.ts';
import { cleanItem, ItemId } from '../item-id.ts';
import { sendPackage } from '../package-download.ts';
import { addUpload, type UploadLimits } from '../package-upload.ts';
import { refusals, WRITING } from './problem.ts';

const STATES = ['none', 'running', 'checking', 'done', 'failed', 'refused'] as const;
type State = (typeof STATES)[number];

const STATE_OF: Readonly<Record<'export' | 'import', Readonly<Record<number, State>>>> = {
  export: {
    [EXPORT_STATUS.preparing]: 'running',
    [EXPORT_STATUS.ready]: 'done',
    [EXPORT_STATUS.failed]: 'failed',
  },
  import: {
    [IMPORT_STATUS.importing]: 'running',
    [IMPORT_STATUS.checking]: 'checking',
    [IMPORT_STATUS.completed]: 'done',
    [IMPORT_STATUS.failed]: 'failed',
    [IMPORT_STATUS.refused]: 'refused',
  },
};

export const PackageTask = Type.Object(
  {
    state: Type.Enum(STATES, {
      title: 'PackageState',
      description: 'refused: what was brought in is no package of this device; none: nothing was begun',
    }),
    detail: Type.String({ description: 'the same as a sentence, with why it failed' }),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description:
        '`done` of `total` while it runs; `templates` of `items` of an export; `imported`, `known`, `beyondLimit` and `deleted` of an import',
    }),
    filename: orNull(Type.String(), 'of an export that is done: `GET /v1/packages/{filename}` gives it'),
  },
  {
    title: 'PackageTask',
    description: 'how it stands',
    examples: [
      {
        state: 'done',
        detail: 'ready',
        counts: { templates: 3, items: 1 },
        filename: 'laneware-1763712000000.zip',
      },
    ],
  },
);

const taskOf = (
  kind: 'export' | 'import',
  { status, msg, counts, filename }: TaskState,
): Static<typeof PackageTask> => ({
  state: STATE_OF[kind][status] ?? 'none',
  detail: msg,
  counts: { ...counts },
  filename,
});

const MAX_EXPORT_IDS = 10_000;
/** Ten thousand ids of 64 characters, three bytes each. */
export const EXPORT_BODY_BYTES = 2 * 1024 * 1024;
export const WantedExport = Type.Object(
  { ids: maybe(Type.Array(ItemId, { minItems: 1, maxItems: MAX_EXPORT_IDS, description: 'absent: all items' })) },
  { title: 'WantedExport', additionalProperties: false, examples: [{}] },
);
const PackagePath = Type.Object({
  filename: Type.String({ description: '`filename` of `GET /v1/packages/export`' }),
});

export async function addPackages(app: FastifyInstance, recognition: Recognition, limits: UploadLimits): Promise<void> {
  addExport(app, recognition);
  addFile(app, recognition);
  await addImport(app, recognition, limits);
}

/** Begins an export of some items, or of all. @throws {HttpFailure} `parameter` @throws {RecognitionError} */
export const startExport = ({ tasks }: Recognition, ids: readonly string[] | null | undefined): Promise<void> =>
  tasks.startExport(ids?.map((id, index) => cleanItem(id, `ids.${index}`)) ?? null);

function addExport(app: FastifyInstance, recognition: Recognition): void {
  app.get(
    '/v1/packages/export',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getPackageExport',
        tags: ['items'],
        summary: 'How far the latest export is',
        description: 'It goes on when the program that asks restarts.',
        response: { 200: PackageTask },
      },
    },
    async () => taskOf('export', recognition.tasks.exportState),
  );

  app.post(
    '/v1/packages/export',
    {
      config: { role: 'supervisor', audit: { event: 'templates-exported', fields: ['ids'], isRepeatable: true } },
      bodyLimit: EXPORT_BODY_BYTES,
      schema: {
        operationId: 'exportPackage',
        tags: ['items'],
        summary: 'Pack what was learned, of all items or of some',
        description: 'Answers when it has begun.',
        body: WantedExport,
        response: { 200: PackageTask, ...refusals('Packages.Running', ...WRITING) },
      },
    },
    async ({ body }) => {
      await startExport(recognition, body.ids);
      return taskOf('export', recognition.tasks.exportState);
    },
  );
}

function addFile(app: FastifyInstance, recognition: Recognition): void {
  app.get(
    '/v1/packages/:filename',
    {
      config: { role: 'supervisor', audit: { event: 'package-downloaded', fields: ['filename'], isRepeatable: true } },
      schema: {
        operationId: 'getPackage',
        tags: ['items'],
        summary: 'A package, as a ZIP file',
        description: 'With `Range`, the part of it that a download is short of.',
        params: PackagePath,
        response: {
          ...binary('application/zip', 'the package'),
          206: binary('application/zip', 'the part of it that Range asks for')[200],
          ...refusals('Packages.NotFound', 'Packages.BeyondEnd'),
        },
      },
    },
    async ({ params: { filename } }, reply) =>
      sendPackage(recognition, filename, reply, (why, sentence) => {
        throw new PackageRefusal(why, sentence);
      }),
  );
}

async function addImport(app: FastifyInstance, recognition: Recognition, limits: UploadLimits): Promise<void> {
  const imported = () => taskOf('import', recognition.tasks.importState);
  app.get(
    '/v1/packages/import',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getPackageImport',
        tags: ['items'],
        summary: 'How far the latest import is',
        description: 'Of the last package that was sent.',
        response: { 200: PackageTask },
      },
    },
    async () => imported(),
  );
  await addUpload(app, recognition, limits, {
    url: '/v1/packages/import',
    schema: {
      operationId: 'importPackage',
      tags: ['items'],
      summary: 'Bring a package in',
      description: 'In the field `file` of a form. Answers when it is here; the import goes on by itself.',
      response: { 200: PackageTask, ...refusals('Packages.Running', ...WRITING) },
    },
    answer: imported,
  });
}
