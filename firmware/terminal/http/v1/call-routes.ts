/** What tills have called, for their programmers. */
import type { FastifyInstance } from 'fastify';
import type { CallLog, TypeBoxProvider } from '../../../http/index.ts';
import { TerminalError } from '../../errors.ts';
import { CALLS, CallAnswer, CallPath, CallsPage, CallsQuery, callAnswer, summary } from './call-schemas.ts';
import { refusals } from './problem.ts';

export function addCallRoutes(plain: FastifyInstance, log: CallLog): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.get(
    '/console/api/calls',
    {
      schema: {
        operationId: 'listCalls',
        tags: ['device'],
        summary: 'The last calls of tills, newest first',
        description:
          'The last 200 at most, and fewer where they are long; kept in memory alone. Calls of pages and of monitoring are among them, distinguished by `origin`; those that read this list are not.',
        querystring: CallsQuery,
        response: { 200: CallsPage },
      },
    },
    async ({ query: { after = 0, limit, path = '', status = '', origin = null } }) => ({
      calls: log.list({ after, limit: CALLS.sizeOf(limit), path, status, origin }).map(summary),
      last: log.last,
    }),
  );

  app.get(
    '/console/api/calls/:n',
    {
      schema: {
        operationId: 'getCall',
        tags: ['device'],
        summary: 'A call of a till with what it sent and was answered',
        description:
          'Secrets are masked as in the settings, credentials are not kept at all, and of a long body the beginning is returned.',
        params: CallPath,
        response: { 200: CallAnswer, ...refusals('Calls.NotFound') },
      },
    },
    async ({ params: { n } }) => {
      const call = log.find(n);
      if (call === null)
        throw TerminalError.of(400, 'Calls', 'NotFound', `no call of the number ${n} is kept: only the last ones are`);
      return callAnswer(call);
    },
  );
}
