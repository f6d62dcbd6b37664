/** The calls of deletions that can be undone for half a minute. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { orNull } from '../../core/store/index.ts';
import { ItemError } from '../items/item.ts';
import type { Recognition } from '../recognition.ts';
import { nameOrNull } from './item-schemas.ts';
import { ItemId, SID_EXAMPLE, Sid } from './original-schemas.ts';
import { cleanItem } from './requests.ts';

const DeletionBody = Type.Object(
  {
    item: ItemId,
    template: Type.Optional(orNull(Sid, 'one of it; null, or left out: the item with all of them')),
  },
  { additionalProperties: false, examples: [{ item: '4011', template: SID_EXAMPLE }] },
);

const DeletionView = Type.Object({
  id: Type.String(),
  item: ItemId,
  name: nameOrNull,
  template: orNull(Type.String(), 'null: the item with all of them'),
  templates: Type.Integer({ description: 'templates that are deleted' }),
  leftMs: Type.Integer({ description: 'how long it can be taken back' }),
});
export const DeletionList = Type.Object({
  deletions: Type.Array(DeletionView, { description: 'in the order in which they were asked for' }),
});

const DeletionPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64, description: 'of the deletion' }) });

export function addDeletions(app: FastifyInstance, recognition: Recognition): void {
  const { items, deletions } = recognition;
  const viewOf = (deletion: Omit<Static<typeof DeletionView>, 'name'>): Static<typeof DeletionView> => ({
    ...deletion,
    name: items.nameOf(deletion.item),
  });

  app.post(
    '/console/api/deletions',
    {
      config: {
        role: 'supervisor',
        audit: { event: 'deletion-asked-for', fields: ['item', 'template'], answers: ['id'] },
      },
      schema: { body: DeletionBody, response: { 200: DeletionView, 201: DeletionView } },
    },
    async ({ body }, reply) => {
      const item = cleanItem(body.item, 'item');
      const template = body.template ?? null;
      if (template === null && items.find(item) === null && recognition.templates.countOf(item) === 0)
        throw new ItemError('NotFound', `there is no item ${item}: there is nothing to delete`, { item });
      if (template !== null) recognition.learning.requireUnlocked();
      const { deletion, isNew } = await deletions.ask(item, template);
      return reply.code(isNew ? 201 : 200).send(viewOf(deletion));
    },
  );

  app.get(
    '/console/api/deletions',
    { config: { role: 'till' }, schema: { response: { 200: DeletionList } } },
    async () => ({
      deletions: deletions.all().map(viewOf),
    }),
  );

  app.delete(
    '/console/api/deletions/:id',
    {
      config: {
        role: 'supervisor',
        audit: { event: 'deletion-taken-back', fields: ['id'], answers: ['item', 'template'] },
      },
      schema: { params: DeletionPath, response: { 200: DeletionView } },
    },
    async ({ params: { id } }) => viewOf(await deletions.takeBack(id)),
  );
}
