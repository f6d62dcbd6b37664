/** The calls around a recognition: the result, its feedback, and how good the results are. */
import type { FastifyInstance } from 'fastify';
import type { TypeBoxProvider } from '../../http/server.ts';
import { CODES } from '../codes.ts';
import type { Recognition } from '../recognition.ts';
import { answers, cleanItem } from './requests.ts';
import { FeedbackAnswer, FeedbackBody, RankAnswer, RankBody, ResultAnswer } from './schemas.ts';

export function addResultRoutes(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.get(
    '/api/get_result',
    { schema: { summary: 'Recognise what the camera sees', response: answers(ResultAnswer) } },
    async () => {
      const { session, classification, flaws } = await recognition.recognise();
      const { items, verdict } = classification;
      return { code: CODES.ok, data: { items: [...items], session, verdict, quality: [...flaws] } };
    },
  );

  app.post(
    '/api/feedback',
    { schema: { summary: 'Say which item it was', body: FeedbackBody, response: answers(FeedbackAnswer) } },
    async (request) => {
      const { session, id } = request.body;
      const { rank, sid, reason } = await recognition.giveFeedback(session, id === null ? null : cleanItem(id));
      return { code: CODES.ok, data: { rank, sid, reason } };
    },
  );

  app.post(
    '/api/get_rank_statistics',
    {
      schema: { summary: 'Ranks of the confirmed items', body: RankBody, response: answers(RankAnswer) },
    },
    async (request) => {
      const { id = null, from = null, to = null } = request.body;
      const item = id === null ? null : cleanItem(id);
      const { positions, none, total, items } = recognition.ranks.report({ from, to, item });
      const plainItems = items.map((entry) => ({ ...entry, positions: [...entry.positions] }));
      return { code: CODES.ok, data: { positions: [...positions], none, total, items: plainItems } };
    },
  );
}
