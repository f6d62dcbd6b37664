/** The last answers that were not certain: listed, shown, and said afterwards what they were. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { NO_STORE } from '../../core/http/index.ts';
import type { Assignment } from '../feedback/assignments.ts';
import { ReviewError, type UncertainAnswer } from '../feedback/review-queue.ts';
import type { Recognition } from '../recognition.ts';
import { newItem, sendJpeg } from './requests.ts';
import { AssignBody, AssignmentAnswer, AssignmentPath, UncertainList, UncertainPath } from './uncertain-schemas.ts';

/** Candidates that are returned of each. */
const MAX_CANDIDATES = 3;

type Uncertain = Static<typeof UncertainList>['answers'][number];

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
  const { item, answers, judged, ...rest } = assignment;
  return {
    ...rest,
    item,
    name: item === null ? null : items.nameOf(item),
    answers: [...answers],
    templates: [...assignment.templates],
    judged: judged.map((one) => ({ ...one })),
    warning: assignment.templates.length === 0 ? null : learning.warning,
    ofItem: item === null ? 0 : templates.countOf(item),
  };
}

function addList(app: FastifyInstance, recognition: Recognition): void {
  /** What was thought of each, as long as nothing is learned or said meanwhile: a look at thousands of items each. */
  const thought = new WeakMap<UncertainAnswer, { readonly revision: number; readonly now: Uncertain['now'] }>();
  const judged = (answer: UncertainAnswer): Uncertain['now'] => {
    const before = thought.get(answer);
    const revision = recognition.revision.number;
    if (before?.revision === revision) return before.now;
    const now = nowOf(recognition, answer);
    thought.set(answer, { revision, now });
    return now;
  };
  const asRead = (answer: UncertainAnswer): Uncertain => ({
    id: answer.id,
    at: new Date(answer.at).toISOString(),
    times: answer.times,
    picture: `/console/api/recognition/uncertain/${encodeURIComponent(answer.id)}/picture`,
    told: answer.reported === null ? null : { item: answer.reported, name: recognition.items.nameOf(answer.reported) },
    now: judged(answer),
  });
  app.get(
    '/console/api/recognition/uncertain',
    { config: { role: 'till' }, schema: { response: { 200: UncertainList } } },
    async () => {
      for (const answer of recognition.reviewQueue.all()) {
        judged(answer);
        await yieldToEventLoop(); // others have their turn
      }
      // of one moment: answers that were assigned meanwhile are returned with the list without them
      const answers = recognition.reviewQueue.all().map(asRead);
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
      }, // no more than was just learned
      schema: { params: AssignmentPath, response: { 200: AssignmentAnswer } },
    },
    async ({ params: { id } }) => assignmentOf(recognition, await recognition.assignments.takeBack(id)),
  );
}
