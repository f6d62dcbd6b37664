/** The calls of the item template management for all templates of an item, and of all items. */
import type { FastifyInstance } from 'fastify';
import type { TypeBoxProvider } from '../../http/index.ts';
import { CODES } from '../codes.ts';
import { COMES_BACK } from '../deletion-marks.ts';
import type { Recognition } from '../recognition.ts';
import type { TemplateName } from '../templates/template-name.ts';
import { answers, cleanItem, DONE } from './requests.ts';
import { DeletedHere, DeletionProgressAnswer, Done, ItemBody, ItemListAnswer } from './schemas.ts';

export function addItemTemplateRoutes(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const { templates, exchange, marks } = recognition;
  const done = (deleted: readonly TemplateName[]) => (marks.bringsBack(deleted) ? { ...DONE, msg: COMES_BACK } : DONE);
  app.get(
    '/api/get_item_list',
    {
      schema: {
        operationId: 'getItemList',
        tags: ['original device: templates'],
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
        tags: ['original device: templates'],
        summary: 'Delete all templates of an item',
        description:
          'Recognition forgets the item at once. In a store the templates may come back: then `msg` says so.',
        body: ItemBody,
        response: answers(DeletedHere),
      },
    },
    async (request) => {
      const id = cleanItem(request.body.id);
      const deleted = exchange.namesOf(id);
      await templates.deleteItem(id);
      return done(deleted);
    },
  );

  app.post(
    '/api/clear_all_template',
    {
      schema: {
        operationId: 'clearAllTemplate',
        tags: ['original device: templates'],
        summary: 'Delete all templates of all items',
        description:
          'Recognition forgets everything. It cannot be taken back: export first. In a store the templates may come back: then `msg` says so.',
        response: answers(DeletedHere),
      },
    },
    async () => {
      const deleted = exchange.names();
      await templates.clear();
      return done(deleted);
    },
  );
}

/** Items to be deleted from all devices of a store. */
export function addDeletionMarkRoutes(plain: FastifyInstance, { marks }: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const change = (word: 'set' | 'clear', summary: string, description: string) =>
    app.post(
      `/api/${word}_deletion_all_flag`,
      {
        schema: {
          operationId: `${word}DeletionAllFlag`,
          tags: ['original device: templates'],
          summary,
          description,
          body: ItemBody,
          response: answers(Done),
        },
      },
      async (request) => {
        await marks[word](cleanItem(request.body.id));
        return DONE;
      },
    );
  change(
    'set',
    'Mark an item to be deleted everywhere',
    'Each device of the store deletes it at its next synchronisation.',
  );
  change('clear', 'Take the mark away', 'From then on no device deletes the item because of it.');

  app.get(
    '/api/get_deletion_all_progress',
    {
      schema: {
        operationId: 'getDeletionAllProgress',
        tags: ['original device: templates'],
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
