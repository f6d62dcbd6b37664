/** The calls that list contradicted certain answers and show their pictures. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { NO_STORE } from '../../../core/http/index.ts';
import { KOPECKS, orNull } from '../../../core/schema/index.ts';
import { type Contradiction, MAX_CONTRADICTIONS } from '../../feedback/contradictions.ts';
import { ReviewError } from '../../feedback/review-queue.ts';
import type { Recognition } from '../../service/recognition.ts';
import { binary, sendJpeg } from '../file-answers.ts';
import { nameOrNull as name } from './item-schemas.ts';
import { refusals } from './problem.ts';

const PATH = '/v1/contradictions';

const SoldThen = Type.Object(
  {
    id: Type.String({ description: 'of the item' }),
    name,
    plu: Type.String({ description: 'the code that the till sells it under' }),
    price: orNull(Type.Integer(KOPECKS), 'kopecks, at that moment'),
  },
  { title: 'SoldThen' },
);
const EXAMPLE = {
  id: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11',
  at: '2026-11-21T08:00:00.000Z',
  recognition: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11',
  thing: null,
  certain: { id: '4961', name: 'Mangoes', plu: '4961', price: 59_900 },
  taken: { id: '4093', name: 'Onions', plu: '4093', price: 4_990 },
  picture: `${PATH}/5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11/picture`,
};
export const ContradictionSchema = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time', description: 'when the other item was taken, UTC' }),
    recognition: Type.String({ description: '`id` of the recognition that was answered' }),
    thing: orNull(Type.Integer(), 'which of several things, from 1; null: the tray as a whole'),
    certain: SoldThen,
    taken: SoldThen,
    picture: orNull(Type.String(), 'path of its picture on this port; null where none was kept'),
  },
  {
    title: 'Contradiction',
    description: 'the answer was certain of one item, and a person took another',
    examples: [EXAMPLE],
  },
);
const List = Type.Object(
  {
    contradictions: Type.Array(ContradictionSchema, { description: `the latest first, ${MAX_CONTRADICTIONS} at most` }),
  },
  { title: 'Contradictions', examples: [{ contradictions: [EXAMPLE] }] },
);
export type ContradictionList = Static<typeof List>;
const PicturePath = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 80, description: 'of the contradiction' }),
});

const soldThen = ({ id, name, plu, price }: Contradiction['taken']): Static<typeof SoldThen> => ({
  id,
  name,
  plu,
  price,
});

export const contradictionOf = (one: Contradiction): Static<typeof ContradictionSchema> => ({
  recognition: one.recognition,
  thing: one.thing,
  certain: soldThen(one.certain),
  taken: soldThen(one.taken),
  id: one.id,
  at: new Date(one.at).toISOString(),
  picture: one.crop === null ? null : `${PATH}/${encodeURIComponent(one.id)}/picture`,
});

export function addContradictions(app: FastifyInstance, { contradictions }: Recognition): void {
  app.get(
    PATH,
    {
      config: { role: 'supervisor' },
      schema: {
        operationId: 'listContradictions',
        tags: ['recognition'],
        summary: 'Where the answer was certain, and a person took another item',
        description:
          'Such a pick is never refused: the answer may be wrong. Kept until the next start; none where `recognition.contradictions` is off.',
        response: { 200: List },
      },
    },
    async () => ({ contradictions: contradictions.all().map(contradictionOf) }),
  );

  app.get(
    `${PATH}/:id/picture`,
    {
      config: { role: 'supervisor' },
      schema: {
        operationId: 'getContradictionPicture',
        tags: ['recognition'],
        summary: 'Picture of what was taken for another item',
        description: 'What lay there, cut out of the picture of the camera: a JPEG.',
        params: PicturePath,
        response: { ...binary('image/jpeg', 'the picture'), ...refusals('Uncertain.NotFound') },
      },
    },
    async ({ params: { id } }, reply) => {
      const crop = contradictions.find(id)?.crop ?? null;
      if (crop === null) throw new ReviewError('NotFound', `no picture of the contradiction ${id} is kept`);
      return sendJpeg(reply, crop, NO_STORE);
    },
  );
}
