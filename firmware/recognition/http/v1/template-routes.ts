/**
 * The calls of an item's templates: learn what lies on the tray, list, show and delete. And the calls of deletions, of an
 * item or of one template, that can be undone for half a minute.
 */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { orNull } from '../../../core/schema/index.ts';
import { ItemError } from '../../model/item.ts';
import { RecognitionError } from '../../model/recognition-error.ts';
import type { Recognition } from '../../service/recognition.ts';
import { ASKED_AGAIN, binary, sendJpeg } from '../file-answers.ts';
import { cleanItem, ItemId, newItem, SID_EXAMPLE, Sid } from '../item-id.ts';
import { ItemPath, nameOrNull, templatePictureOf } from './item-schemas.ts';
import { refusals, WRITING } from './problem.ts';
import { NOT_SURE, SURE, SurenessSchema, surenessOf, Warning } from './sureness.ts';

const EXAMPLE = Object.freeze({
  template: SID_EXAMPLE,
  picture: `/v1/items/4011/templates/${SID_EXAMPLE}/picture`,
});
const count = Type.Integer({ description: 'templates that the item has now' });
const picture = Type.String({ description: 'path of its picture on this port' });

const TemplatePath = Type.Object({ ...ItemPath.properties, template: Sid });
export const LearnedTemplate = Type.Object(
  {
    item: ItemPath.properties.id,
    template: Sid,
    picture,
    templates: count,
    before: SurenessSchema,
    after: SurenessSchema,
    warning: Warning,
  },
  {
    title: 'LearnedTemplate',
    description:
      'the item is recognised by it from now on; how sure recognition was of this very picture before it was learned, and is after',
    examples: [{ item: '4011', ...EXAMPLE, templates: 1, before: NOT_SURE, after: SURE, warning: null }],
  },
);
const LearningQuery = Type.Object(
  {
    unlike: Type.Optional(
      Type.Enum(['learn', 'refuse'], {
        description:
          'what is done with a look that is unlike those that the item has, or clearly more like another item: for who takes pictures without looking at each. `learn` when left out',
      }),
    ),
  },
  { additionalProperties: false },
);
const TemplateList = Type.Object(
  {
    templates: Type.Array(Type.Object({ template: Sid, picture }), { description: 'the oldest first' }),
    most: Type.Integer({ description: 'templates that an item may have' }),
  },
  { title: 'TemplatesOfItem', description: 'what was learned of it', examples: [{ templates: [EXAMPLE], most: 30 }] },
);
const Forgotten = Type.Object(
  { item: ItemPath.properties.id, template: Sid, templates: count },
  {
    title: 'ForgottenTemplate',
    description: 'it is gone',
    examples: [{ item: '4011', template: SID_EXAMPLE, templates: 0 }],
  },
);

export function addItemTemplates(app: FastifyInstance, recognition: Recognition): void {
  addLearning(app, recognition);
  addList(app, recognition);
  addPicture(app, recognition);
  addForgetting(app, recognition);
}

function addLearning(app: FastifyInstance, recognition: Recognition): void {
  app.post(
    '/v1/items/:id/templates',
    {
      config: { role: 'till', audit: { event: 'template-learned', fields: ['id'], answers: ['template'] } }, // the learning mode decides
      schema: {
        operationId: 'learnTemplate',
        tags: ['items'],
        summary: 'Learn what lies on the tray as the item',
        description:
          'One more template of it, of the newest picture: five, with the item turned in between, are a good start. The item need not have been put before. Sent again after a lost answer it learns the same again, which does no harm.',
        params: ItemPath,
        querystring: LearningQuery,
        response: {
          201: LearnedTemplate,
          ...refusals(
            ...(['Tray.Empty', 'Templates.Locked', 'Templates.Full', 'Templates.Marked', 'Templates.Unlike'] as const),
            ...(['Camera.NoPicture', 'Camera.Lost', 'Model.NotReady'] as const),
            ...WRITING,
          ),
        },
      },
    },
    async ({ params, query }, reply) => {
      const item = newItem(params.id);
      const { sid, before, after } = await recognition.learning.add(item, query.unlike === 'refuse');
      return reply.code(201).send({
        item,
        template: sid,
        picture: templatePictureOf(item, sid),
        templates: recognition.templates.reader.countOf(item),
        before: surenessOf(before),
        after: surenessOf(after),
        warning: recognition.learning.warning,
      });
    },
  );
}

function addList(app: FastifyInstance, { templates }: Recognition): void {
  app.get(
    '/v1/items/:id/templates',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'listTemplates',
        tags: ['items'],
        summary: 'What was learned of an item',
        description: 'Nothing, where nothing was: also of an unknown id.',
        params: ItemPath,
        response: { 200: TemplateList },
      },
    },
    async ({ params: { id } }) => ({
      templates: templates.reader
        .sidsOf(id)
        .map((template) => ({ template, picture: templatePictureOf(id, template) })),
      most: templates.max,
    }),
  );
}

function addPicture(app: FastifyInstance, { templates }: Recognition): void {
  app.get(
    '/v1/items/:id/templates/:template/picture',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getTemplatePicture',
        tags: ['items'],
        summary: 'Picture of a template',
        description: 'What was learned, cut out of the picture of the camera: a JPEG.',
        params: TemplatePath,
        response: {
          ...binary('image/jpeg', 'the picture'),
          ...refusals('Templates.NotFound', 'Templates.Damaged', 'Internal.StorageRefused'),
        },
      },
    },
    async ({ params: { id, template } }, reply) => {
      const jpeg = templates.reader.cropOf(id, template);
      if (jpeg === null) throw new RecognitionError('Templates.NotFound', `item ${id} has no template ${template}`);
      return sendJpeg(reply, jpeg, ASKED_AGAIN);
    },
  );
}

function addForgetting(app: FastifyInstance, recognition: Recognition): void {
  app.delete(
    '/v1/items/:id/templates/:template',
    {
      config: { role: 'supervisor', audit: { event: 'template-deleted', fields: ['id', 'template'] } },
      schema: {
        operationId: 'forgetTemplate',
        tags: ['items'],
        summary: 'Delete one template of an item',
        description: 'Recognition forgets it at once, on all devices of the store. Refused while learning is locked.',
        params: TemplatePath,
        response: { 200: Forgotten, ...refusals('Templates.NotFound', 'Templates.Locked', ...WRITING) },
      },
    },
    async ({ params: { id, template } }) => {
      await recognition.learning.delete(id, template);
      return { item: id, template, templates: recognition.templates.reader.countOf(id) };
    },
  );
}

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
  const viewOf = ({
    id,
    item,
    template,
    templates,
    leftMs,
  }: Omit<Static<typeof DeletionView>, 'name'>): Static<typeof DeletionView> => ({
    id,
    item,
    template,
    templates,
    leftMs,
    name: items.nameOf(item),
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
      if (template === null && items.find(item) === null && recognition.templates.reader.countOf(item) === 0)
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
    async ({ params: { id } }) => viewOf(await deletions.undo(id)),
  );
}
