/** The calls around a recognition: the result, its feedback, and how good the results are. */
import type { FastifyInstance } from 'fastify';
import type { Recognition } from '../recognition.ts';
import { originalCalls } from './original-calls.ts';
import { cleanItem } from './requests.ts';
import { FeedbackAnswer, FeedbackBody, RankAnswer, RankBody, ResultAnswer } from './schemas.ts';

export function addResultRoutes(app: FastifyInstance, recognition: Recognition): void {
  const { get, post } = originalCalls(app, 'recognition');
  get('get_result', {
    summary: 'Recognise what the camera sees',
    description: 'Looks at the newest picture. Read `verdict`, not `score`: scores are shares of the listed items.',
    answer: ResultAnswer,
    does: async () => {
      const { session, classification, flaws } = await recognition.recognise();
      const { items, verdict } = classification;
      return { data: { items: [...items], session, verdict, quality: [...flaws] } };
    },
  });

  post('feedback', {
    operation: 'giveFeedback',
    summary: 'Say which item it was',
    description: 'Counts for the statistics; in the automatic learning mode the picture may be learned, too.',
    body: FeedbackBody,
    answer: FeedbackAnswer,
    does: async ({ session, id }) => {
      const { rank, sid, reason } = await recognition.giveFeedback(session, id === null ? null : cleanItem(id));
      return { data: { rank, sid, reason } };
    },
  });

  post('get_rank_statistics', {
    summary: 'Ranks of the confirmed items',
    description: 'How often the right item stood first, second and so on, by feedback.',
    body: RankBody,
    answer: RankAnswer,
    does: ({ id = null, from = null, to = null }) => ({
      data: recognition.ranks.report({ from, to, item: id === null ? null : cleanItem(id) }),
    }),
  });
}
