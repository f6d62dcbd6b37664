/** The calls of the item template management, but for the two that carry files. */
import type { FastifyInstance } from 'fastify';
import type { TypeBoxProvider } from '../../http/server.ts';
import { CODES, RecognitionError } from '../codes.ts';
import type { TaskState } from '../packages/task-states.ts';
import type { Recognition } from '../recognition.ts';
import { answers, cleanItem, DONE } from './requests.ts';
import {
  AddedAnswer,
  DeletionProgressAnswer,
  Done,
  EXPORT_BODY_BYTES,
  ExportBody,
  ImageAnswer,
  ItemBody,
  ItemListAnswer,
  TaskAnswer,
  TemplateBody,
  TemplateListAnswer,
} from './schemas.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function taskAnswer({ status, msg, filename }: TaskState) {
  return { code: CODES.ok, status, msg, ...(filename === null ? {} : { filename }) };
}

export function addTemplateRoutes(plain: FastifyInstance, recognition: Recognition): void {
  addOneByOne(plain, recognition);
  addItems(plain, recognition);
  addPackages(plain, recognition);
  addDeletionMarks(plain, recognition);
}

/** Templates one by one. */
function addOneByOne(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const { templates } = recognition;
  app.post(
    '/api/add_item_template',
    {
      schema: {
        operationId: 'addItemTemplate',
        tags: ['templates'],
        summary: 'Link an item to the camera image',
        description: 'Learns what lies on the tray now as one more template of the item.',
        body: ItemBody,
        response: answers(AddedAnswer),
      },
    },
    async (request) => {
      const { image, sid } = await recognition.addTemplate(cleanItem(request.body.id));
      return { code: CODES.ok, data: { image: base64(image), sid } };
    },
  );

  app.post(
    '/api/get_item_template_list',
    {
      schema: {
        operationId: 'getItemTemplateList',
        tags: ['templates'],
        summary: 'Templates of an item',
        description: 'Their identifiers; an item that was never learned has none.',
        body: ItemBody,
        response: answers(TemplateListAnswer),
      },
    },
    async (request) => {
      const id = cleanItem(request.body.id);
      return { code: CODES.ok, data: templates.sidsOf(id), max: templates.max };
    },
  );

  app.post(
    '/api/get_template_image',
    {
      schema: {
        operationId: 'getTemplateImage',
        tags: ['templates'],
        summary: 'Picture of a template',
        description: 'What was learned, as it was cut out of the picture.',
        body: TemplateBody,
        response: answers(ImageAnswer),
      },
    },
    async (request) => {
      const id = cleanItem(request.body.id);
      const image = templates.cropOf(id, request.body.sid);
      if (image === null) throw new RecognitionError('noTemplate', `item ${id} has no template ${request.body.sid}`);
      return { code: CODES.ok, data: { image: base64(image) } };
    },
  );

  app.post(
    '/api/delete_item_template',
    {
      schema: {
        operationId: 'deleteItemTemplate',
        tags: ['templates'],
        summary: 'Delete one template',
        description: 'Recognition forgets it at once. Refused while learning is locked.',
        body: TemplateBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await recognition.deleteTemplate(cleanItem(request.body.id), request.body.sid);
      return DONE;
    },
  );
}

function addItems(plain: FastifyInstance, { templates }: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  app.get(
    '/api/get_item_list',
    {
      schema: {
        operationId: 'getItemList',
        tags: ['templates'],
        summary: 'All items with their number of templates',
        description: 'Items with at least one template.',
        response: answers(ItemListAnswer),
      },
    },
    async () => ({ code: CODES.ok, data: templates.items() }),
  );

  app.post(
    '/api/delete_item',
    {
      schema: {
        operationId: 'deleteItem',
        tags: ['templates'],
        summary: 'Delete all templates of an item',
        description: 'Recognition forgets the item at once.',
        body: ItemBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await templates.deleteItem(cleanItem(request.body.id));
      return DONE;
    },
  );

  app.post(
    '/api/clear_all_template',
    {
      schema: {
        operationId: 'clearAllTemplate',
        tags: ['templates'],
        summary: 'Delete all templates of all items',
        description: 'Recognition forgets everything. It cannot be taken back: export first.',
        response: answers(Done),
      },
    },
    async () => {
      await templates.clear();
      return DONE;
    },
  );
}

/** Packages, but for what carries the file. */
function addPackages(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const { tasks } = recognition;
  app.post(
    '/api/export_template',
    {
      bodyLimit: EXPORT_BODY_BYTES,
      schema: {
        operationId: 'exportTemplate',
        tags: ['packages'],
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
        tags: ['packages'],
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
        tags: ['packages'],
        summary: 'State of the import',
        description: 'Of the last package that was sent.',
        response: answers(TaskAnswer),
      },
    },
    async () => taskAnswer(tasks.importState),
  );
}

/** Items to be deleted from all devices of a store. */
function addDeletionMarks(plain: FastifyInstance, { marks }: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  app.post(
    '/api/set_deletion_all_flag',
    {
      schema: {
        operationId: 'setDeletionAllFlag',
        tags: ['templates'],
        summary: 'Mark an item to be deleted everywhere',
        description: 'Each device of the store deletes it at its next synchronisation.',
        body: ItemBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await marks.set(cleanItem(request.body.id));
      return DONE;
    },
  );

  app.post(
    '/api/clear_deletion_all_flag',
    {
      schema: {
        operationId: 'clearDeletionAllFlag',
        tags: ['templates'],
        summary: 'Take the mark away',
        description: 'From then on no device deletes the item because of it.',
        body: ItemBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await marks.clear(cleanItem(request.body.id));
      return DONE;
    },
  );

  app.get(
    '/api/get_deletion_all_progress',
    {
      schema: {
        operationId: 'getDeletionAllProgress',
        tags: ['templates'],
        summary: 'Where marked items have been deleted',
        description: 'The devices that have done so, by their serial numbers.',
        response: answers(DeletionProgressAnswer),
      },
    },
    async () => {
      const items = (await marks.progress()).map(({ id, SNs }) => ({ id, SNs: [...SNs] }));
      return { code: CODES.ok, data: { id: '', SNs: [], ...items[0], items } };
    },
  );
}
