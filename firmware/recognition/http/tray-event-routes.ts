/** What happens on the tray, as a stream of events. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { type EventStreamPool, EventStreams } from '../../core/http/index.ts';
import type { TrayWatch } from '../vision/tray-watch.ts';
import { EventsHeaders, EventsQuery, TrayStream } from './tray-schemas.ts';

export function addTrayEvents(app: FastifyInstance, { feed }: TrayWatch, streams: EventStreamPool): void {
  const onProblem = (err: unknown) => app.log.error({ err }, 'the events of the tray cannot be sent');
  const events = new EventStreams({ feed, onProblem });
  app.addHook('preClose', async () => events.close());
  app.get<{ Querystring: Static<typeof EventsQuery>; Headers: Static<typeof EventsHeaders> }>(
    '/v1/recognition/events',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'streamRecognition',
        tags: ['recognition'],
        summary: 'What happens on the tray, live',
        description:
          'Server-sent events: `hello` once; the present state, or the events after the number of `after` or `Last-Event-ID`; then each as it comes, and `beat` while nothing happens. The newest 256 are kept in memory for as long as somebody follows them and a minute more: `gap` reports that some were missed. The state follows it.',
        querystring: EventsQuery,
        headers: EventsHeaders,
        response: { 200: { description: 'the stream', content: { 'text/event-stream': { schema: TrayStream } } } },
      },
    },
    (request, reply) => {
      const after = request.headers['last-event-id'] ?? request.query.after;
      return streams.send(request, reply, () => events.open({ after: after ?? feed.beforeNewest }));
    },
  );
}
