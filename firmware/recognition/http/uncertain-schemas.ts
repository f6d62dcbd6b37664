/** What the calls about uncertain answers take and answer. */
import Type from 'typebox';
import { orNull } from '../../core/store/index.ts';
import { MAX_QUEUED } from '../feedback/review-queue.ts';
import { nameOrNull as name } from './item-schemas.ts';
import { ItemId } from './original-schemas.ts';

const similarity = Type.Number({ description: 'how similar it looks, -1 to 1' });

const ANSWER = '3f0e8a52-93d1-4a53-8a2e-0a9b5c0e6d11';
const AnswerId = Type.String({ minLength: 1, maxLength: 64, description: 'of the recognition' });

/** A warning to the person who teaches. */
export const Warning = orNull(
  Type.String(),
  'what may be wrong with what was learned: the empty tray is not known, and is to be learned first. Null where nothing was learned, or nothing is wrong',
);

export const SurenessSchema = Type.Object(
  {
    certain: Type.Boolean({ description: 'whether the item is what would be returned as certain' }),
    rank: orNull(Type.Integer(), 'where the item stands, from 1; null: not among the candidates'),
    similarity: orNull(similarity, 'how similar the picture is to the item, -1 to 1; null as above'),
  },
  { title: 'Sureness' },
);
export const NOT_SURE = { certain: false, rank: 2, similarity: 0.71 };
export const SURE = { certain: true, rank: 1, similarity: 0.97 };

export const UncertainPath = Type.Object({ id: AnswerId });
export const AssignmentPath = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'of the assignment' }),
});

const Uncertain = Type.Object({
  id: AnswerId,
  at: Type.String({ format: 'date-time', description: 'when it was seen last, UTC' }),
  times: Type.Integer({ description: 'how often it was seen, looking the same' }),
  picture: Type.String({ description: 'path of its picture on this port' }),
  told: orNull(
    Type.Object({ item: ItemId, name }),
    'what its feedback said that it was, where nothing was learned from that; null without feedback',
  ),
  now: Type.Object(
    {
      certain: Type.Boolean({ description: 'whether the first candidate would be certain now' }),
      reason: orNull(Type.String(), 'why it would not be, in the words of recognition; null where it would'),
      candidates: Type.Array(Type.Object({ item: ItemId, name, similarity }), {
        description: 'what it looks like, the most similar first',
      }),
    },
    { description: 'what would be answered now, by looks alone' },
  ),
});

export const AssignmentAnswer = Type.Object({
  id: Type.String(),
  item: orNull(ItemId, 'null: nothing to learn from'),
  name,
  answers: Type.Array(Type.String(), { description: 'of which it was said' }),
  templates: Type.Array(Type.String(), { description: 'that were made of them, in the same order' }),
  judged: Type.Array(
    Type.Object({
      answer: Type.String(),
      before: SurenessSchema,
      after: SurenessSchema,
    }),
    { description: 'how sure recognition was of each that it is the item, and is with what was learned' },
  ),
  warning: Warning,
  ofItem: Type.Integer({ description: 'templates that the item has now' }),
  leftMs: Type.Integer({ description: 'how long it can be taken back' }),
});

export const UncertainList = Type.Object({
  answers: Type.Array(Uncertain, { description: 'the latest first' }),
  assignments: Type.Array(AssignmentAnswer, { description: 'what can be taken back, the latest first' }),
});

export const AssignBody = Type.Object(
  {
    item: orNull(ItemId, 'what they were; null: nothing to learn from'),
    answers: Type.Array(AnswerId, { minItems: 1, maxItems: MAX_QUEUED, description: 'of the list' }),
  },
  { additionalProperties: false, examples: [{ item: '4011', answers: [ANSWER] }] },
);
