/** The calls that manage templates: one, all of an item, all of all items; and the marks that delete an item in a whole store. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { COMES_BACK } from '../../model/deletion-marks.ts';
import { RecognitionError } from '../../model/recognition-error.ts';
import type { TemplateName } from '../../model/template.ts';
import type { Recognition } from '../../service/recognition.ts';
import { cleanItem, ItemId, newItem, SID_EXAMPLE, Sid } from '../item-id.ts';
import { originalCalls } from './calls.ts';
import { answerOf, Done, OK, success, taught, taughtAnswerOf } from './envelope.ts';

const ItemBody = Type.Object({ id: ItemId }, { title: 'ItemOf', examples: [{ id: '4011' }] });

/** The beginning of a JPEG, for the document. */
const JPEG_EXAMPLE = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgc';
const TemplateBody = Type.Object(
  { id: ItemId, sid: Sid },
  { title: 'TemplateOf', examples: [{ id: '4011', sid: SID_EXAMPLE }] },
);
const AddedAnswer = taughtAnswerOf(
  Type.Object({ image: Type.String({ description: 'JPEG of the template, base64' }), sid: Sid }),
  'AddedTemplate',
  { image: JPEG_EXAMPLE, sid: SID_EXAMPLE },
);
const ImageAnswer = answerOf(Type.Object({ image: Type.String({ description: 'JPEG, base64' }) }), 'TemplateImage', {
  image: JPEG_EXAMPLE,
});
const TemplateListAnswer = Type.Object(
  {
    code: Type.Literal(OK),
    data: Type.Array(Sid),
    max: Type.Integer({ description: 'templates that an item may have' }),
  },
  { title: 'TemplateList', examples: [{ code: OK, data: [SID_EXAMPLE], max: 100 }] },
);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export function addTemplateRoutes(app: FastifyInstance, { learning, templates }: Recognition): void {
  const { post } = originalCalls(app, 'templates');
  post('add_item_template', {
    config: { role: 'till', audit: { event: 'template-learned', fields: ['id'], answers: ['sid'] } },
    summary: 'Link an item to the camera image',
    description: 'Learns what lies on the tray now as one more template of the item.',
    body: ItemBody,
    answer: AddedAnswer,
    does: async ({ id }) => {
      const { image, sid } = await learning.add(newItem(id));
      return taught({ image: base64(image), sid }, learning.warning);
    },
  });

  post('get_item_template_list', {
    config: { role: 'till', audit: null },
    summary: 'Templates of an item',
    description: 'Their identifiers; an item that was never learned has none.',
    body: ItemBody,
    answer: TemplateListAnswer,
    does: ({ id }) => ({ code: OK, data: templates.reader.sidsOf(cleanItem(id)), max: templates.max }),
  });

  post('get_template_image', {
    config: { role: 'till', audit: null },
    summary: 'Picture of a template',
    description: 'What was learned, cut out of the picture.',
    body: TemplateBody,
    answer: ImageAnswer,
    does: ({ id, sid }) => {
      const image = templates.reader.cropOf(cleanItem(id), sid);
      if (image === null) throw new RecognitionError('Templates.NotFound', `item ${id} has no template ${sid}`);
      return success({ image: base64(image) });
    },
  });

  post('delete_item_template', {
    config: { role: 'supervisor', audit: { event: 'template-deleted', fields: ['id', 'sid'] } },
    summary: 'Delete one template',
    description: 'Recognition forgets it at once. Refused while learning is locked.',
    body: TemplateBody,
    does: ({ id, sid }) => learning.delete(cleanItem(id), sid),
  });
}

/** The warning that synchronisation will undo a deletion on this device alone; absent where it will not. */
const DeletedHere = Type.Object(
  {
    ...Done.properties,
    msg: Type.Optional(Type.String({ description: 'that synchronisation brings templates back, and what would not' })),
  },
  { title: 'DeletedHere', examples: [{ code: OK, data: null, msg: COMES_BACK }] },
);
const ItemListAnswer = answerOf(Type.Array(Type.Object({ id: ItemId, count: Type.Integer() })), 'ItemCounts', [
  { id: '4011', count: 3 },
]);
const Progress = Type.Object({ id: Type.String(), SNs: Type.Array(Type.String()) }, { title: 'DeletedItem' });
const DeletionProgressAnswer = answerOf(
  Type.Object({
    id: Type.String({ description: 'of the latest mark; empty where there is none' }),
    SNs: Type.Array(Type.String(), { description: 'serial numbers of the devices that have deleted it' }),
    items: Type.Array(Progress, { description: 'every mark, the latest first' }),
  }),
  'DeletionProgress',
  { id: '4011', SNs: ['LW000042'], items: [{ id: '4011', SNs: ['LW000042'] }] },
);

export function addItemTemplateRoutes(app: FastifyInstance, { templates, exchange, marks }: Recognition): void {
  const { get, post } = originalCalls(app, 'templates');
  const done = (deleted: readonly TemplateName[]) => ({
    ...success(null),
    ...(marks.bringsBack(deleted) && { msg: COMES_BACK }),
  });
  get('get_item_list', {
    config: { role: 'till' },
    summary: 'All items with their number of templates',
    description: 'Items with at least one template.',
    answer: ItemListAnswer,
    does: () => success(templates.reader.items().map(({ id, count }) => ({ id, count }))),
  });

  post('delete_item', {
    config: { role: 'supervisor', audit: { event: 'item-deleted', fields: ['id'] } },
    summary: 'Delete all templates of an item',
    description: 'Recognition forgets the item at once. In a store the templates may come back: then `msg` says so.',
    body: ItemBody,
    answer: DeletedHere,
    does: async ({ id }) => {
      const deleted = exchange.namesOf(cleanItem(id));
      await templates.deleteItem(id);
      return done(deleted);
    },
  });

  post('clear_all_template', {
    config: { role: 'technician', audit: { event: 'all-templates-deleted' } },
    summary: 'Delete all templates of all items',
    description:
      'Recognition forgets everything. It cannot be taken back: export first. In a store the templates may come back: then `msg` says so.',
    answer: DeletedHere,
    does: async () => {
      const deleted = exchange.names();
      await templates.clear();
      return done(deleted);
    },
  });
}

/** Calls of the items that all devices of a store delete. */
export function addDeletionMarkRoutes(app: FastifyInstance, { marks }: Recognition): void {
  const { get, post } = originalCalls(app, 'templates');
  post('set_deletion_all_flag', {
    config: { role: 'technician', audit: { event: 'item-marked-for-deletion-everywhere', fields: ['id'] } },
    summary: 'Mark an item to be deleted everywhere',
    description: 'Each device of the store deletes it at its next synchronisation.',
    body: ItemBody,
    does: ({ id }) => marks.set(cleanItem(id)),
  });

  post('clear_deletion_all_flag', {
    config: { role: 'technician', audit: { event: 'mark-for-deletion-taken-back', fields: ['id'] } },
    summary: 'Take the mark away',
    description: 'From then on no device deletes the item because of it.',
    body: ItemBody,
    does: ({ id }) => marks.clear(cleanItem(id)),
  });

  get('get_deletion_all_progress', {
    config: { role: 'till' },
    summary: 'Where marked items have been deleted',
    description: 'The devices that have done so, by their serial numbers.',
    answer: DeletionProgressAnswer,
    does: async () => {
      const items = (await marks.progress()).map(({ id, SNs }) => ({ id, SNs: [...SNs] }));
      const [latest = { id: '', SNs: [] }] = items;
      return success({ id: latest.id, SNs: latest.SNs, items });
    },
  });
}
