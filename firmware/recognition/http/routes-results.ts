/** The calls around a recognition: the result, its feedback, and how good the results are. */
import type { FastifyInstance } from 'fastify';
import type { TypeBoxProvider } from '../../http/index.ts';
import { CODES } from '../codes.ts';
import type { Recognition } from '../recognition.ts';
import { answers, cleanItem, ranksReport } from './requests.ts';
import { FeedbackAnswer, FeedbackBody, RankAnswer, RankBody, ResultAnswer } from './schemas.ts';

export function addResultRoutes(plain: FastifyInstance, recognition: Recognition): void {
  addResult(plain, recognition);
  addFeedback(plain, recognition);
  addRanks(plain, recognition);
}

function addResult(plain: FastifyInstance, recognition: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/api/get_result',
    {
      schema: {
        operationId: 'getResult',
        tags: ['original device: recognition'],
        summary: 'Recognise what the camera sees',
        description: 'Looks at the newest picture. Read `verdict`, not `score`: scores are shares of the listed items.',
        response: answers(ResultAnswer),
      },
    },
    async () => {
      const { session, classification, flaws } = await recognition.recognise();
      const { items, verdict } = classification;
      return { code: CODES.ok, data: { items: [...items], session, verdict, quality: [...flaws] } };
    },
  );
}

function addFeedback(plain: FastifyInstance, recognition: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/feedback',
    {
      schema: {
        operationId: 'giveFeedback',
        tags: ['original device: recognition'],
        summary: 'Say which item it was',
        description: 'Counts for the statistics; in the automatic learning mode the picture may be learned, too.',
        body: FeedbackBody,
        response: answers(FeedbackAnswer),
      },
    },
    async (request) => {
      const { session, id } = request.body;
      const { rank, sid, reason } = await recognition.giveFeedback(session, id === null ? null : cleanItem(id));
      return { code: CODES.ok, data: { rank, sid, reason } };
    },
  );
}

function addRanks(plain: FastifyInstance, { ranks }: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/get_rank_statistics',
    {
      schema: {
        operationId: 'getRankStatistics',
        tags: ['original device: recognition'],
        summary: 'Ranks of the confirmed items',
        description: 'How often the right item stood first, second and so on, by feedback.',
        body: RankBody,
        response: answers(RankAnswer),
      },
    },
    async (request) => {
      const { id = null, from = null, to = null } = request.body;
      const item = id === null ? null : cleanItem(id);
      return { code: CODES.ok, data: ranksReport(ranks.report({ from, to, item })) };
    },
  );
}
