/** What tills have called, for their programmers. */
import type { FastifyInstance } from 'fastify';
import type { CallLog } from '../../../http/index.ts';
import { TerminalError } from '../../errors.ts';
import { CALLS, CallAnswer, CallPath, CallsPage, CallsQuery, callAnswer, summary } from './call-schemas.ts';

export function addCallRoutes(app: FastifyInstance, log: CallLog): void {
  app.get(
    '/console/api/calls',
    {
      schema: {
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
        params: CallPath,
        response: { 200: CallAnswer },
      },
    },
    async ({ params: { n } }) => {
      const call = log.find(n);
      if (call === null)
        throw TerminalError.of('Calls', 'NotFound', `no call of the number ${n} is kept: only the last ones are`);
      return callAnswer(call);
    },
  );
}
