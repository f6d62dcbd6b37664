/** Calls that are being answered when a server closes: they have a moment for it before their connections are cut. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Well within what systemd and `run.ts` leave a device to close in. */
const LAST_ANSWERS_MS = 500;

/** An answer that has begun is not waited for: it may be a stream, which never ends by itself. */
const isAwaited = ({ headersSent, destroyed }: ServerResponse): boolean => !headersSent && !destroyed;

export function giveLastAnswers(app: FastifyInstance): void {
  const inHand = new Set<ServerResponse>();
  app.addHook('onRequest', async (_request, { raw }) => {
    inHand.add(raw);
    raw.once('close', () => inHand.delete(raw));
  });
  app.addHook('preClose', async () => {
    const signal = AbortSignal.timeout(LAST_ANSWERS_MS);
    // a call is cut when its time is over; one of a caller who broke off needs no answer
    const answered = (raw: ServerResponse) => once(raw, 'close', { signal }).catch(() => {});
    await Promise.all([...inHand].filter(isAwaited).map(answered));
  });
}
