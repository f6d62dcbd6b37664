/** What tills have called, for whoever makes one, and a call that is sent from a page. */
import type { FastifyInstance } from 'fastify';
import { type CallLog, KEPT_CALLS } from '../../../../http/calls/call-log.ts';
import { tellAudit } from '../../../../http/request-notes.ts';
import type { TypeBoxProvider } from '../../../../http/server.ts';
import { TerminalError } from '../../../errors.ts';
import { refusals } from '../problem.ts';
import {
  CallAnswer,
  CallPath,
  CallsPage,
  CallsQuery,
  callAnswer,
  SendBody,
  SentAnswer,
  summary,
} from './call-schemas.ts';
import { sendCall } from './send-call.ts';

/** Room for a body of 64 KB, each character escaped. */
const SEND_BYTES = 400 * 1024;

export interface CallDesk {
  readonly log: CallLog;
  /** Where the tills of this machine call, once the port is open. */
  readonly terminalUrl: () => string;
}

export function addCallRoutes(plain: FastifyInstance, { log, terminalUrl }: CallDesk): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.get(
    '/v1/calls',
    {
      schema: {
        operationId: 'listCalls',
        tags: ['device'],
        summary: 'The last calls of tills, newest first',
        description:
          'The last 200 at most, and fewer where they are long; kept in memory alone. Calls of pages and of whoever looks after the device are among them, told apart by `origin`; those that read this list are not.',
        querystring: CallsQuery,
        response: { 200: CallsPage },
      },
    },
    async ({ query: { after = '0', limit = String(KEPT_CALLS), path = '', status = '', origin = null } }) => ({
      calls: log.list({ after: Number(after), limit: Number(limit), path, status, origin }).map(summary),
      last: log.last,
    }),
  );

  app.get(
    '/v1/calls/:n',
    {
      schema: {
        operationId: 'getCall',
        tags: ['device'],
        summary: 'A call of a till with what it sent and was answered',
        description:
          'Secrets are masked as in the settings, credentials are not kept at all, and the beginning of a long body is told.',
        params: CallPath,
        response: { 200: CallAnswer, ...refusals('Calls.NotFound') },
      },
    },
    async ({ params: { n } }) => {
      const call = log.find(Number(n));
      if (call === null)
        throw TerminalError.of(400, 'Calls', 'NotFound', `no call of the number ${n} is kept: only the last ones are`);
      return callAnswer(call);
    },
  );

  app.post(
    '/v1/calls',
    {
      bodyLimit: SEND_BYTES,
      schema: {
        operationId: 'sendCall',
        tags: ['device'],
        summary: 'Send a call to the payment terminal, as a till on this machine would',
        description:
          'For a person who tries something out: it is answered with whatever the call is answered, failures included. Of a stream only its head is told.',
        body: SendBody,
        response: { 200: SentAnswer },
      },
    },
    async (request) => {
      const { method, path } = request.body;
      tellAudit(request, { method, path: path.split('?', 1)[0] });
      return sendCall(terminalUrl(), request.body);
    },
  );
}
