/** The calls on all templates: how many each item has, and their deletion. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Recognition } from '../../service/recognition.ts';
import { ItemId } from '../item-id.ts';
import { refusals, WRITING } from './problem.ts';

const LearnedList = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: ItemId,
          templates: Type.Integer(),
          named: Type.Boolean({
            description: 'whether `GET /v1/items` has it, with a name, a price or a code',
          }),
        },
        { title: 'LearnedItem', examples: [] },
      ),
      { description: 'those with at least one template' },
    ),
  },
  {
    title: 'LearnedItems',
    description: 'how much was learned of each item',
    examples: [{ items: [{ id: '4011', templates: 3, named: true }] }],
  },
);
const Forgotten = Type.Object(
  { forgotten: Type.Integer({ description: 'templates that were deleted' }) },
  { title: 'Forgotten', description: 'all templates are deleted', examples: [{ forgotten: 120 }] },
);
export function addLearned(app: FastifyInstance, { templates, items }: Recognition): void {
  app.get(
    '/v1/templates',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'listLearned',
        tags: ['items'],
        summary: 'All items that were learned, with their number of templates',
        description: 'Those without a name, too; `GET /v1/items` lists what is sold.',
        response: { 200: LearnedList },
      },
    },
    async () => {
      const named = items.ids();
      return {
        items: templates.reader.items().map(({ id, count }) => ({ id, templates: count, named: named.has(id) })),
      };
    },
  );

  app.delete(
    '/v1/templates',
    {
      config: { role: 'technician', audit: { event: 'all-templates-deleted', answers: ['forgotten'] } },
      schema: {
        operationId: 'forgetEverything',
        tags: ['items'],
        summary: 'Delete all templates of all items of this device',
        description:
          'It cannot be taken back: export first. In a store the others keep theirs, and give them again; `PUT /console/api/store/wipes/{id}` deletes on all.',
        response: { 200: Forgotten, ...refusals(...WRITING) },
      },
    },
    async () => {
      const forgotten = templates.reader.templateCount();
      await templates.clear();
      return { forgotten };
    },
  );
}
