/** Deletions that can be taken back for half a minute. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { TypeBoxProvider } from '../../../http/index.ts';
import { ItemError } from '../../items/item.ts';
import type { Recognition } from '../../recognition.ts';
import { UNDO_MS } from '../../templates/deletions.ts';
import { cleanItem } from '../requests.ts';
import { ItemId, SID_EXAMPLE, Sid } from '../schemas.ts';
import { refusals } from './problem.ts';

const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;
const SECONDS = UNDO_MS / 1000;

const DeletionBody = Type.Object(
  {
    item: ItemId,
    template: Type.Optional(
      Type.Union([Sid, Type.Null()], { description: 'one of it; null, or left out: the item with all of them' }),
    ),
  },
  { title: 'DeletionWish', additionalProperties: false, examples: [{ item: '4011', template: SID_EXAMPLE }] },
);

const EXAMPLE = {
  id: '0c6f5f0e-5f57-4d1c-9a53-1f6f3f1f7c11',
  item: '4011',
  name: 'Bananas',
  template: SID_EXAMPLE,
  templates: 1,
  leftMs: UNDO_MS,
};
export const DeletionView = Type.Object(
  {
    id: Type.String(),
    item: ItemId,
    name: Type.Union([Type.String(), Type.Null()], { description: 'what people call it; null where it has no name' }),
    template: Type.Union([Type.String(), Type.Null()], { description: 'null: the item with all of them' }),
    templates: Type.Integer({ description: 'templates that are deleted' }),
    leftMs: Type.Integer({ description: 'how long it can be taken back' }),
  },
  { title: 'Deletion', description: 'what is deleted soon', examples: [EXAMPLE] },
);
export const DeletionList = Type.Object(
  { deletions: Type.Array(DeletionView, { description: 'in the order in which they were asked for' }) },
  { title: 'Deletions', description: 'what can be taken back', examples: [{ deletions: [EXAMPLE] }] },
);

const DeletionPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64, description: 'of the deletion' }) });

export function addDeletions(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const { items, deletions } = recognition;
  const viewOf = (deletion: Omit<Static<typeof DeletionView>, 'name'>): Static<typeof DeletionView> => ({
    ...deletion,
    name: items.find(deletion.item)?.name ?? null,
  });

  app.post(
    '/console/api/deletions',
    {
      schema: {
        operationId: 'deleteLater',
        tags: ['items'],
        summary: 'Delete an item or one template of it, so that it can be taken back',
        description: `It is done ${SECONDS} seconds later, also where the device was switched off meanwhile; until then the item is sold and recognised as before. Of an item go its name, price and picture, and the templates that it has now: what is learned or said of it meanwhile stays. In a store the templates go on all devices. The same one asked for again is that of before (200).`,
        body: DeletionBody,
        response: {
          200: DeletionView,
          201: DeletionView,
          ...refusals('Items.NotFound', 'Templates.NotFound', 'Templates.Locked', 'RequestParams.TooMany', ...WRITING),
        },
      },
    },
    async ({ body }, reply) => {
      const item = cleanItem(body.item, 'item');
      const template = body.template ?? null;
      if (template === null && items.find(item) === null && recognition.templates.countOf(item) === 0)
        throw new ItemError('NotFound', `there is no item ${item}: there is nothing to delete`, { item });
      const { deletion, isNew } = await recognition.deleteLater(item, template);
      return reply.code(isNew ? 201 : 200).send(viewOf(deletion));
    },
  );

  app.get(
    '/console/api/deletions',
    {
      schema: {
        operationId: 'listDeletions',
        tags: ['items'],
        summary: 'What is deleted soon',
        description: 'What was asked for and can still be taken back.',
        response: { 200: DeletionList },
      },
    },
    async () => ({ deletions: deletions.all().map(viewOf) }),
  );

  app.delete(
    '/console/api/deletions/:id',
    {
      schema: {
        operationId: 'takeDeletionBack',
        tags: ['items'],
        summary: 'Take a deletion back',
        description: 'Nothing has happened then. Refused once it has begun.',
        params: DeletionPath,
        response: { 200: DeletionView, ...refusals('Deletions.NotFound', ...WRITING) },
      },
    },
    async ({ params: { id } }) => viewOf(await deletions.takeBack(id)),
  );
}
