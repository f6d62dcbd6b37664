/** The calls of the item template management for one template. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { CODES, RecognitionError } from '../codes.ts';
import type { Recognition } from '../recognition.ts';
import { originalCalls } from './original-calls.ts';
import { answerOf, ItemBody, ItemId, SID_EXAMPLE, Sid, taughtAnswerOf, warned } from './original-schemas.ts';
import { cleanItem, newItem } from './requests.ts';

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
    code: Type.Literal(CODES.ok),
    data: Type.Array(Sid),
    max: Type.Integer({ description: 'templates that an item may have' }),
  },
  { title: 'TemplateList', examples: [{ code: CODES.ok, data: [SID_EXAMPLE], max: 100 }] },
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
      return { data: { image: base64(image), sid }, ...warned(learning.warning) };
    },
  });

  post('get_item_template_list', {
    config: { role: 'till', audit: null },
    summary: 'Templates of an item',
    description: 'Their identifiers; an item that was never learned has none.',
    body: ItemBody,
    answer: TemplateListAnswer,
    does: ({ id }) => ({ data: templates.sidsOf(cleanItem(id)), max: templates.max }),
  });

  post('get_template_image', {
    config: { role: 'till', audit: null },
    summary: 'Picture of a template',
    description: 'What was learned, cut out of the picture.',
    body: TemplateBody,
    answer: ImageAnswer,
    does: ({ id, sid }) => {
      const image = templates.cropOf(cleanItem(id), sid);
      if (image === null) throw new RecognitionError('noTemplate', `item ${id} has no template ${sid}`);
      return { data: { image: base64(image) } };
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
