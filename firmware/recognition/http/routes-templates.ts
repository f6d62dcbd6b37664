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
    { schema: { summary: 'Link an item to the camera image', body: ItemBody, response: answers(AddedAnswer) } },
    async (request) => {
      const { image, sid } = await recognition.addTemplate(cleanItem(request.body.id));
      return { code: CODES.ok, data: { image: base64(image), sid } };
    },
  );

  app.post(
    '/api/get_item_template_list',
    { schema: { summary: 'Templates of an item', body: ItemBody, response: answers(TemplateListAnswer) } },
    async (request) => {
      const id = cleanItem(request.body.id);
      return { code: CODES.ok, data: templates.sidsOf(id), max: templates.max };
    },
  );

  app.post(
    '/api/get_template_image',
    { schema: { summary: 'Picture of a template', body: TemplateBody, response: answers(ImageAnswer) } },
    async (request) => {
      const id = cleanItem(request.body.id);
      const image = templates.cropOf(id, request.body.sid);
      if (image === null) throw new RecognitionError('noTemplate', `item ${id} has no template ${request.body.sid}`);
      return { code: CODES.ok, data: { image: base64(image) } };
    },
  );

  app.post(
    '/api/delete_item_template',
    { schema: { summary: 'Delete one template', body: TemplateBody, response: answers(Done) } },
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
    { schema: { summary: 'All items with their number of templates', response: answers(ItemListAnswer) } },
    async () => ({ code: CODES.ok, data: templates.items() }),
  );

  app.post(
    '/api/delete_item',
    { schema: { summary: 'Delete all templates of an item', body: ItemBody, response: answers(Done) } },
    async (request) => {
      await templates.deleteItem(cleanItem(request.body.id));
      return DONE;
    },
  );

  app.post(
    '/api/clear_all_template',
    { schema: { summary: 'Delete all templates of all items', response: answers(Done) } },
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
      schema: { summary: 'Start an export', body: ExportBody, response: answers(Done) },
    },
    async (request) => {
      const ids = request.body.ids?.map((id, index) => cleanItem(id, `ids.${index}`));
      await recognition.startExport(ids ?? null);
      return DONE;
    },
  );

  app.get(
    '/api/export_template_status',
    { schema: { summary: 'State of the export', response: answers(TaskAnswer) } },
    async () => taskAnswer(tasks.exportState),
  );

  app.get(
    '/api/import_template_status',
    { schema: { summary: 'State of the import', response: answers(TaskAnswer) } },
    async () => taskAnswer(tasks.importState),
  );
}

/** Items to be deleted from all devices of a store. */
function addDeletionMarks(plain: FastifyInstance, { marks }: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  app.post(
    '/api/set_deletion_all_flag',
    { schema: { summary: 'Mark an item to be deleted everywhere', body: ItemBody, response: answers(Done) } },
    async (request) => {
      await marks.set(cleanItem(request.body.id));
      return DONE;
    },
  );

  app.post(
    '/api/clear_deletion_all_flag',
    { schema: { summary: 'Take the mark away', body: ItemBody, response: answers(Done) } },
    async (request) => {
      await marks.clear(cleanItem(request.body.id));
      return DONE;
    },
  );

  app.get(
    '/api/get_deletion_all_progress',
    { schema: { summary: 'Where marked items have been deleted', response: answers(DeletionProgressAnswer) } },
    async () => {
      const items = (await marks.progress()).map(({ id, SNs }) => ({ id, SNs: [...SNs] }));
      return { code: CODES.ok, data: { id: '', SNs: [], ...items[0], items } };
    },
  );
}
