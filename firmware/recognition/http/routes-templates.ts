/** The calls of the item template management for one template. */
import type { FastifyInstance } from 'fastify';
import type { TypeBoxProvider } from '../../http/index.ts';
import { CODES, RecognitionError } from '../codes.ts';
import type { Recognition } from '../recognition.ts';
import { answers, cleanItem, DONE } from './requests.ts';
import { AddedAnswer, Done, ImageAnswer, ItemBody, TemplateBody, TemplateListAnswer } from './schemas.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export function addTemplateRoutes(plain: FastifyInstance, recognition: Recognition): void {
  addLearning(plain, recognition);
  addList(plain, recognition);
  addPicture(plain, recognition);
  addDeletion(plain, recognition);
}

function addLearning(plain: FastifyInstance, recognition: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/add_item_template',
    {
      schema: {
        operationId: 'addItemTemplate',
        tags: ['original device: templates'],
        summary: 'Link an item to the camera image',
        description: 'Learns what lies on the tray now as one more template of the item.',
        body: ItemBody,
        response: answers(AddedAnswer),
      },
    },
    async (request) => {
      const { image, sid } = await recognition.learning.add(cleanItem(request.body.id));
      return { code: CODES.ok, data: { image: base64(image), sid } };
    },
  );
}

function addList(plain: FastifyInstance, { templates }: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/get_item_template_list',
    {
      schema: {
        operationId: 'getItemTemplateList',
        tags: ['original device: templates'],
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
}

function addPicture(plain: FastifyInstance, { templates }: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/get_template_image',
    {
      schema: {
        operationId: 'getTemplateImage',
        tags: ['original device: templates'],
        summary: 'Picture of a template',
        description: 'What was learned, cut out of the picture.',
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
}

function addDeletion(plain: FastifyInstance, recognition: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/delete_item_template',
    {
      schema: {
        operationId: 'deleteItemTemplate',
        tags: ['original device: templates'],
        summary: 'Delete one template',
        description: 'Recognition forgets it at once. Refused while learning is locked.',
        body: TemplateBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await recognition.learning.delete(cleanItem(request.body.id), request.body.sid);
      return DONE;
    },
  );
}
