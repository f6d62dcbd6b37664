/** The calls by which a store joins its chain and leaves it, on the recognition device's port. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { type Chain, ChainError, faultIn, JoinFile } from '../../chain/index.ts';
import { HttpFailure } from '../../http/index.ts';
import { RecognitionError, withFailureCodes } from '../../recognition/index.ts';
import { orNull } from '../../store/index.ts';

export const ChainAnswer = Type.Object({
  joined: Type.Boolean({ description: 'whether this device, as the master of its store, has joined a chain' }),
  chain: orNull(Type.String(), 'what the chain is called'),
  store: orNull(Type.String(), 'what the chain calls this store'),
  servers: Type.Array(Type.String(), { description: 'of the chain’s hub: any of them will do' }),
  joinedAt: orNull(Type.String({ format: 'date-time' }), 'by the clock of the device, UTC'),
  connected: Type.Boolean({ description: 'whether the chain answered when it was last asked' }),
  since: orNull(Type.String({ format: 'date-time' }), 'since when it does, or does not; null before the first look'),
  trouble: orNull(Type.String(), 'why it does not; null when it does'),
});

const instant = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();

function answerOf(chain: Chain): Static<typeof ChainAnswer> {
  const { member, connected, since, trouble } = chain.state;
  return {
    joined: member !== null,
    chain: member?.chain ?? null,
    store: member?.store ?? null,
    servers: [...(member?.servers ?? [])],
    joinedAt: instant(member?.joinedAt),
    connected,
    since: instant(since),
    trouble,
  };
}

async function joining(work: () => Promise<void>): Promise<void> {
  try {
    await withFailureCodes(work);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new RecognitionError('notMaster', error.message, { cause: error });
  }
}

export function addChainRoutes(app: FastifyInstance, chain: Chain): void {
  app.get('/console/api/chain', { schema: { response: { 200: ChainAnswer } } }, async () => answerOf(chain));

  app.post('/console/api/chain', { schema: { body: JoinFile, response: { 200: ChainAnswer } } }, async ({ body }) => {
    const field = faultIn(body);
    if (field !== null) throw new HttpFailure('parameter', `${field} cannot be read: take the file anew`, { field });
    await joining(() => chain.join(body));
    return answerOf(chain);
  });

  app.delete('/console/api/chain', { schema: { response: { 200: ChainAnswer } } }, async () => {
    await withFailureCodes(() => chain.leave());
    return answerOf(chain);
  });
}
