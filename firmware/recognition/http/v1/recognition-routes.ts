/** What lies on the tray: now, when it changes, and as events; and what it was in the end. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { callerOf } from '../../../http/caller.ts';
import { EventStreams } from '../../../http/connections/event-stream.ts';
import type { EventStreamPool } from '../../../http/connections/event-stream-pool.ts';
import { HttpFailure } from '../../../http/failure.ts';
import type { TypeBoxProvider } from '../../../http/server.ts';
import { EVENT_NUMBER, WAIT_SECONDS } from '../../../store/schema.ts';
import { RecognitionError } from '../../codes.ts';
import type { Recognition } from '../../recognition.ts';
import { EMPTY, lost, recognised, soldNow, type TrayState, TrayStateSchema } from '../../watch/tray-state.ts';
import { type ToldState, TRAY_EVENTS, TrayWatch } from '../../watch/tray-watch.ts';
import { cleanItem } from '../requests.ts';
import { ItemId } from '../schemas.ts';
import { refusals } from './problem.ts';
import { pictureOf } from './schemas.ts';

/** Callers that wait for the tray to change, of all of them. */
const MOST_WAITING = 64;

const NUMBER = Type.String({ title: 'EventNumber', pattern: EVENT_NUMBER });
const Query = Type.Object(
  {
    wait: Type.Optional(
      Type.String({ pattern: WAIT_SECONDS, description: 'seconds, 25 at most, for another state; 0 when left out' }),
    ),
    after: Type.Optional(
      Type.Unsafe<string>({ ...NUMBER, description: 'with `wait`: the `number` of the state that the caller knows' }),
    ),
  },
  { additionalProperties: false },
);

const EXAMPLE = Object.freeze({
  number: 1763712000017,
  at: '2026-11-21T08:00:00.000Z',
  state: 'item',
  certain: true,
  candidates: [
    {
      id: '4011',
      name: 'Bananas',
      plu: '4011',
      price: 12_990,
      picture: '/v1/items/4011/picture',
      share: 1,
      similarity: 0.93,
    },
  ],
  reason: null,
  quality: [],
  id: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11',
});
const Now = Type.Object(
  {
    number: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'of the event that told so, to be sent as `after`; null where nobody watches the tray, or while what lies there still moves',
    }),
    at: Type.String({ format: 'date-time', description: 'since when, by the clock of the device, UTC' }),
    ...TrayStateSchema.properties,
  },
  { title: 'Recognition', description: 'what lies on the tray', examples: [EXAMPLE] },
);
type Now = Static<typeof Now>;

const FeedbackPath = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: '`id` of the recognition' }),
});
const FeedbackBody = Type.Object(
  { item: Type.Union([ItemId, Type.Null()], { description: 'what it was; null: none of the candidates' }) },
  { title: 'Confirmation', additionalProperties: false, examples: [{ item: '4011' }] },
);
const FeedbackAnswer = Type.Object(
  {
    rank: Type.Union([Type.Integer(), Type.Null()], { description: 'where it stood, from 1; null: not offered' }),
    sid: Type.Union([Type.String(), Type.Null()], { description: 'of the template that was learned from it' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'why none was learned' }),
  },
  {
    title: 'Confirmed',
    description: 'it counts',
    examples: [{ rank: 1, sid: null, reason: 'the learning mode is not automatic' }],
  },
);

/** Looks at the tray for once. @throws {RecognitionError} */
async function lookNow(recognition: Recognition): Promise<TrayState> {
  try {
    if ((await recognition.recogniser.look(null))?.isEmpty) return EMPTY;
    return recognised(await recognition.recognise(), { items: recognition.items, pictureOf });
  } catch (error) {
    if (error instanceof RecognitionError && error.codeName === 'cameraLost') return lost(error.message);
    throw error;
  }
}

const nowOf = ({ number, at, tray }: Omit<ToldState, 'number'> & { readonly number: number | null }): Now => ({
  number,
  at: new Date(at).toISOString(),
  ...tray,
});

/** Waits for a state that the caller does not know. @returns the present one when the time is over; null where none is known */
async function nextState(
  { feed, ...watch }: { readonly feed: TrayWatch['feed']; readonly told: () => ToldState | null },
  after: number,
  limitMs: number,
  gone: AbortSignal,
): Promise<ToldState | null> {
  const over = new AbortController();
  const isNews = () => {
    const told = watch.told();
    return told !== null && (told.number > after || after > feed.last); // numbers of a clock that was ahead
  };
  const unfollow = feed.follow(() => {
    if (isNews()) over.abort();
  });
  try {
    if (!isNews()) await pause(limitMs, undefined, { signal: AbortSignal.any([over.signal, gone]), ref: false });
  } catch (error) {
    if (!over.signal.aborted && !gone.aborted) throw error;
  } finally {
    unfollow();
  }
  return watch.told();
}

export interface TrayRoutes {
  readonly recognition: Recognition;
  /** Places for those who follow the events, shared with the pages. */
  readonly streams: EventStreamPool;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function addTrayRoutes(plain: FastifyInstance, { recognition, streams, now }: TrayRoutes): void {
  const catalogue = { items: recognition.items, pictureOf };
  const watch = new TrayWatch({
    recogniser: recognition.recogniser,
    recognise: async () => recognised(await recognition.recognise(), catalogue),
    soldNow: (tray) => soldNow(tray, catalogue),
    now,
    log: (message, details = {}) => plain.log.warn(details, message),
  });
  plain.addHook('onClose', () => watch.close());
  addNow(plain, recognition, watch, now);
  addEvents(plain, watch, streams);
  addFeedback(plain, recognition);
}

function addNow(plain: FastifyInstance, recognition: Recognition, watch: TrayWatch, now: () => number): void {
  let waiting = 0;
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/v1/recognition',
    {
      schema: {
        operationId: 'getRecognition',
        tags: ['recognition'],
        summary: 'What lies on the tray',
        description:
          'Looks at once. With `wait` it is answered when the tray has another state than that of the number `after`, at the latest when so many seconds are over: then ask again. Take the first candidate where it is `certain`, else offer the list, and say which it was by its feedback.',
        querystring: Query,
        response: {
          200: Now,
          ...refusals('Camera.NoPicture', 'Model.NotReady', 'RequestParams.TooMany'),
        },
      },
    },
    async ({ query, method }, reply) => {
      const limitMs = method === 'GET' ? Number(query.wait ?? 0) * 1000 : 0;
      if (limitMs === 0) return nowOf({ number: null, at: now(), tray: await lookNow(recognition) });
      if (waiting >= MOST_WAITING)
        throw new HttpFailure('busy', `${MOST_WAITING} calls wait for the tray already: follow its events instead`);
      waiting += 1;
      try {
        const { gone } = callerOf(reply);
        const told = await nextState(
          { feed: watch.feed, told: () => watch.told },
          Number(query.after ?? 0),
          limitMs,
          gone,
        );
        return nowOf(told ?? { number: null, at: now(), tray: await lookNow(recognition) });
      } finally {
        waiting -= 1;
      }
    },
  );
}

const eventOf = (title: string, event: TSchema, data: TSchema) =>
  Type.Object(
    {
      id: Type.String({ description: 'to be sent as `Last-Event-ID`: what comes after it is not missed' }),
      event,
      data: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/json', contentSchema: data }),
    },
    { title },
  );
const TrayEvent = Type.Object({
  number: Type.Integer(),
  type: Type.Enum([...TRAY_EVENTS], { title: 'TrayEventType' }),
  at: Type.String({ format: 'date-time' }),
  tray: Type.Optional(TrayStateSchema),
});
const Stream = Type.Union([
  eventOf('TrayHello', Type.Literal('hello'), Type.Object({ last: Type.Integer(), beatMs: Type.Integer() })),
  eventOf('TrayBeat', Type.Literal('beat'), Type.Object({}, { additionalProperties: false })),
  eventOf(
    'TrayGap',
    Type.Literal('gap'),
    Type.Object({ reason: Type.Enum(['pruned', 'ahead']), after: Type.Integer(), from: Type.Integer() }),
  ),
  eventOf('TrayMessage', Type.Enum([...TRAY_EVENTS], { title: 'TrayEventType' }), TrayEvent),
]);

const EventsQuery = Type.Object({ after: Type.Optional(NUMBER) }, { additionalProperties: false });
const EventsHeaders = Type.Object({ 'last-event-id': Type.Optional(NUMBER) });

function addEvents(plain: FastifyInstance, { feed }: TrayWatch, streams: EventStreamPool): void {
  const onProblem = (err: unknown) => plain.log.error({ err }, 'the events of the tray cannot be told');
  const events = new EventStreams({ feed, onProblem });
  plain.addHook('preClose', async () => events.close());
  plain.get<{ Querystring: Static<typeof EventsQuery>; Headers: Static<typeof EventsHeaders> }>(
    '/v1/recognition/events',
    {
      schema: {
        operationId: 'streamRecognition',
        tags: ['recognition'],
        summary: 'What happens on the tray, live',
        description:
          'Server-sent events: `hello` once; the present state, or the events after the number of `after` or `Last-Event-ID`; then each as it comes, and `beat` while nothing happens. The newest 256 are kept in memory for as long as somebody follows them and a minute more: `gap` tells that some were missed. The state follows it.',
        querystring: EventsQuery,
        headers: EventsHeaders,
        response: { 200: { description: 'the stream', content: { 'text/event-stream': { schema: Stream } } } },
      },
    },
    ({ raw, query, headers }, reply) => {
      const after = headers['last-event-id'] ?? query.after;
      const giveBack = streams.take(raw.socket.remoteAddress ?? '');
      const stream = events.open({ after: after === undefined ? feed.beforeNewest : Number(after) });
      stream.once('close', giveBack);
      return reply
        .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
        .type('text/event-stream; charset=utf-8')
        .send(stream);
    },
  );
}

function addFeedback(plain: FastifyInstance, recognition: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/v1/recognition/:id/feedback',
    {
      schema: {
        operationId: 'confirmItem',
        tags: ['recognition'],
        summary: 'Say which item it was',
        description:
          'As `/api/feedback` does: it counts for the statistics, and in the automatic learning mode the picture may be learned, too. A recognition can be answered for a quarter of an hour.',
        params: FeedbackPath,
        body: FeedbackBody,
        response: { 200: FeedbackAnswer, ...refusals('Recognition.NotFound') },
      },
    },
    async ({ params, body: { item } }) => {
      const { rank, sid, reason } = await recognition.giveFeedback(
        params.id,
        item === null ? null : cleanItem(item, 'item'),
      );
      return { rank, sid, reason };
    },
  );
}
