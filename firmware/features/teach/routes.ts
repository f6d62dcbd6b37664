/**
 * The calls of the latest uncertain answers: they list the answers, return a picture, assign answers to an item, and
 * undo that.
 */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { NO_STORE } from '../../core/http/index.ts';
import { orNull } from '../../core/schema/index.ts';
import {
  type Assignment,
  ItemId,
  MAX_QUEUED,
  nameOrNull as name,
  newItem,
  type Recognition,
  ReviewError,
  SurenessSchema,
  sendJpeg,
  similarity,
  surenessOf,
  type UncertainAnswer,
  Warning,
} from '../../recognition/index.ts';

const ANSWER = '3f0e8a52-93d1-4a53-8a2e-0a9b5c0e6d11';
const AnswerId = Type.String({ minLength: 1, maxLength: 64, description: 'of the recognition' });

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
type Uncertain = Static<typeof Uncertain>;

export const AssignmentAnswer = Type.Object({
  id: Type.String(),
  item: orNull(ItemId, 'null: nothing to learn from'),
  name,
  answers: Type.Array(Type.String(), { description: 'that were assigned to it' }),
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

/** Most candidates of each answer in the list. */
const MAX_CANDIDATES = 3;

export function addUncertain(app: FastifyInstance, recognition: Recognition): void {
  addList(app, recognition);
  addPicture(app, recognition);
  addAssigning(app, recognition);
}

function nowOf(recognition: Recognition, answer: UncertainAnswer): Uncertain['now'] {
  const { items, verdict } = recognition.learning.classifyNow(answer) ?? {
    items: [],
    verdict: { certain: false, reason: null },
  };
  const candidates = items.slice(0, MAX_CANDIDATES).map(({ id, similarity }) => ({
    item: id,
    name: recognition.items.nameOf(id),
    similarity,
  }));
  return { certain: verdict.certain, reason: verdict.reason, candidates };
}

function assignmentOf(
  { items, learning, templates }: Recognition,
  assignment: Assignment,
): Static<typeof AssignmentAnswer> {
  const { id, item, answers, templates: made, judged, leftMs } = assignment;
  return {
    id,
    templates: [...made],
    leftMs,
    item,
    name: item === null ? null : items.nameOf(item),
    answers: [...answers],
    judged: judged.map(({ answer, before, after }) => ({
      answer,
      before: surenessOf(before),
      after: surenessOf(after),
    })),
    warning: made.length === 0 ? null : learning.warning,
    ofItem: item === null ? 0 : templates.reader.countOf(item),
  };
}

function addList(app: FastifyInstance, recognition: Recognition): void {
  const asRead = (answer: UncertainAnswer): Uncertain => ({
    id: answer.id,
    at: new Date(answer.at).toISOString(),
    times: answer.times,
    picture: `/console/api/recognition/uncertain/${encodeURIComponent(answer.id)}/picture`,
    told: answer.reported === null ? null : { item: answer.reported, name: recognition.items.nameOf(answer.reported) },
    now: nowOf(recognition, answer),
  });
  app.get(
    '/console/api/recognition/uncertain',
    { config: { role: 'till' }, schema: { response: { 200: UncertainList } } },
    async () => {
      const read: Uncertain[] = [];
      for (const answer of recognition.reviewQueue.all()) {
        read.push(asRead(answer));
        await nextTurn(); // each answer is compared with thousands of items: other work gets its turn
      }
      // answers that were assigned meanwhile are not returned beside their assignment
      const answers = read.filter(({ id }) => recognition.reviewQueue.find(id) !== null);
      return { answers, assignments: recognition.assignments.all().map((one) => assignmentOf(recognition, one)) };
    },
  );
}

function addPicture(app: FastifyInstance, { reviewQueue }: Recognition): void {
  app.get(
    '/console/api/recognition/uncertain/:id/picture',
    { config: { role: 'till' }, schema: { params: UncertainPath } },
    async ({ params: { id } }, reply) => {
      const answer = reviewQueue.find(id);
      if (answer === null) throw new ReviewError('NotFound', `the answer ${id} is not kept any more`);
      return sendJpeg(reply, answer.crop, NO_STORE);
    },
  );
}

function addAssigning(app: FastifyInstance, recognition: Recognition): void {
  app.post(
    '/console/api/recognition/uncertain/assignments',
    {
      config: {
        role: 'till',
        audit: { event: 'uncertain-answers-assigned', fields: ['item'], answers: ['id', 'templates'] },
      },
      schema: { body: AssignBody, response: { 200: AssignmentAnswer, 201: AssignmentAnswer } },
    },
    async ({ body }, reply) => {
      const item = body.item === null ? null : newItem(body.item, 'item');
      const { assignment, isNew } = await recognition.assignments.assign(item, body.answers);
      return reply.code(isNew ? 201 : 200).send(assignmentOf(recognition, assignment));
    },
  );

  app.delete(
    '/console/api/recognition/uncertain/assignments/:id',
    {
      config: {
        role: 'till',
        audit: { event: 'assignment-taken-back', fields: ['id'], answers: ['item', 'templates'] },
      }, // a till may undo it: it removes no more than was just learned
      schema: { params: AssignmentPath, response: { 200: AssignmentAnswer } },
    },
    async ({ params: { id } }) => assignmentOf(recognition, await recognition.assignments.undo(id)),
  );
}
