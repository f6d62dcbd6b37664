/** The calls around a recognition: the result, its feedback, and statistics of results. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { describeNames, enumOf, maybe, orNull, patternWithMessage } from '../../../core/schema/index.ts';
import { VerdictSchema } from '../../matching/scoring.ts';
import type { Recognition } from '../../service/recognition.ts';
import { FLAWS } from '../../vision/quality.ts';
import { cleanItem, ItemId, newItem } from '../item-id.ts';
import { RANKS_EXAMPLE, RankView } from '../v1/rank-routes.ts';
import { originalCalls } from './calls.ts';
import { answerOf, success, taught, taughtAnswerOf } from './envelope.ts';

const ResultAnswer = answerOf(
  Type.Object({
    items: Type.Array(
      Type.Object({
        id: ItemId,
        score: Type.Number({ description: 'share of trust over this list; they sum to 1' }),
        similarity: Type.Number({
          description:
            'how similar the item is, -1 to 1: three quarters the cosine to its mean, one to its nearest template',
        }),
      }),
      { description: 'best first' },
    ),
    session: Type.String({ description: 'names this recognition in feedback' }),
    verdict: VerdictSchema,
    quality: Type.Array(enumOf(FLAWS, 'Flaw'), {
      description: `what would explain a bad answer: ${describeNames(FLAWS)}`,
    }),
  }),
  'Result',
  {
    items: [{ id: '4011', score: 1, similarity: 0.93 }],
    session: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11',
    verdict: { certain: true, unknown: false, reason: null },
    quality: [],
  },
);
const FeedbackBody = Type.Object(
  {
    session: Type.String({ minLength: 1, maxLength: 64, description: '`session` of an answer of `get_result`' }),
    id: orNull(ItemId, 'the right item; null: none of the offered ones'),
  },
  { title: 'Feedback', examples: [{ session: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11', id: '4011' }] },
);
const FeedbackAnswer = taughtAnswerOf(
  Type.Object({
    rank: orNull(Type.Integer(), 'where the item stood; null: not offered'),
    sid: orNull(Type.String(), 'of the template that was learned from it'),
    reason: orNull(Type.String(), 'why none was learned'),
  }),
  'FeedbackTaken',
  { rank: 1, sid: null, reason: 'the learning mode is not automatic' },
);
const Day = Type.String({
  title: 'Day',
  pattern: patternWithMessage('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'must be a day, as 2026-11-21'),
  description: 'YYYY-MM-DD, UTC',
});
const RankBody = Type.Object(
  { id: maybe(ItemId), from: maybe(Day), to: maybe(Day) },
  { title: 'RankQuestion', examples: [{ id: '4011', from: '2026-11-01', to: '2026-11-21' }] },
);

export const RankAnswer = answerOf(RankView, 'Ranks', RANKS_EXAMPLE);

export function addResultRoutes(app: FastifyInstance, recognition: Recognition): void {
  const { get, post } = originalCalls(app, 'recognition');
  get('get_result', {
    config: { role: 'till', work: 'look' },
    summary: 'Recognise what the camera sees',
    description: 'Looks at the newest picture. Read `verdict`, not `score`: scores are shares of the listed items.',
    answer: ResultAnswer,
    does: async () => {
      const { session, classification, flaws } = await recognition.answers.recognise();
      const { items, verdict } = classification;
      return success({ items: [...items], session, verdict, quality: [...flaws] });
    },
  });

  post('feedback', {
    config: {
      role: 'till',
      audit: { event: 'template-learned', fields: ['id'], answers: ['sid'], isDone: ({ sid }) => sid !== null },
    },
    operation: 'giveFeedback',
    summary: 'Say which item it was',
    description: 'Counts for the statistics; in the automatic learning mode the picture may be learned, too.',
    body: FeedbackBody,
    answer: FeedbackAnswer,
    does: async ({ session, id }) => {
      const { rank, sid, reason } = await recognition.answers.recordFeedback(session, id === null ? null : newItem(id));
      return taught({ rank, sid, reason }, sid === null ? null : recognition.learning.warning);
    },
  });

  post('get_rank_statistics', {
    config: { role: 'till', audit: null },
    summary: 'Ranks of the confirmed items',
    description: 'How often the right item stood first, second and so on, by feedback.',
    body: RankBody,
    answer: RankAnswer,
    does: ({ id = null, from = null, to = null }) =>
      success(recognition.ranks.report({ from, to, item: id === null ? null : cleanItem(id) })),
  });
}
