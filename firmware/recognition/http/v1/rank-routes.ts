/** The call on how often the right item was offered first. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { KEPT_DAYS } from '../../feedback/rank-statistics.ts';
import type { Recognition } from '../../service/recognition.ts';

const ranks = {
  positions: Type.Array(Type.Integer(), { description: 'how often the confirmed item stood at rank 1, 2, 3, 4, 5' }),
  none: Type.Integer({ description: 'how often it stood further down, was not offered, or none was right' }),
  total: Type.Integer(),
};
export const RANKS_EXAMPLE = {
  positions: [8, 1, 0, 0, 0],
  none: 1,
  total: 10,
  items: [{ id: '4011', positions: [8, 1, 0, 0, 0], none: 1, total: 10 }],
};
export const RankView = Type.Object(
  { ...ranks, items: Type.Array(Type.Object({ id: Type.String(), ...ranks })) },
  { title: 'ItemRanks', description: 'of all confirmations in those days, and by item', examples: [RANKS_EXAMPLE] },
);
const RankQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: KEPT_DAYS,
      description: 'how many days back, by the clock of the device',
    }),
  },
  { additionalProperties: false },
);

export function addRanks(app: FastifyInstance, { ranks }: Recognition): void {
  app.get(
    '/console/api/recognition/ranks',
    { config: { role: 'till' }, schema: { querystring: RankQuery, response: { 200: RankView } } },
    async ({ query: { days } }) => ranks.lately(days),
  );
}
