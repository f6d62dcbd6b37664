/** The calls on what lies on the tray: now, at its next change, as events; and the feedback on it. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { HealthBoard } from '../../../core/host/index.ts';
import { type EventStreamPool, EventStreams, HttpFailure, requesterOf } from '../../../core/http/index.ts';
import {
  type Catalogue,
  EMPTY,
  lost,
  recognised,
  soldAs,
  soldNow,
  TakenBackSchema,
  type TrayState,
} from '../../answer/tray-state.ts';
import { type ReportedState, TrayWatch } from '../../answer/tray-watch.ts';
import { RecognitionError } from '../../model/recognition-error.ts';
import type { Recognition } from '../../service/recognition.ts';
import { newItem } from '../item-id.ts';
import { contradictionOf } from './contradiction-routes.ts';
import { pictureOf } from './item-schemas.ts';
import { refusals } from './problem.ts';
import {
  EventsHeaders,
  EventsQuery,
  FeedbackAnswer,
  FeedbackBody,
  FeedbackPath,
  Now,
  NowQuery,
  TakingBackQuery,
  TrayStream,
} from './tray-schemas.ts';

/** Recognises what lies there, or that nothing does. @throws {RecognitionError} */
async function recogniseNow(recognition: Recognition, catalogue: Catalogue, weight: number | null): Promise<TrayState> {
  try {
    return recognised(await recognition.answers.recognise(weight), catalogue);
  } catch (error) {
    if (error instanceof RecognitionError && error.codeName === 'Tray.Empty') return EMPTY;
    throw error;
  }
}

/**
 * Looks at the tray once.
 * @param weight grams of everything on the tray; null without a scale
 * @throws {RecognitionError}
 */
async function lookNow(recognition: Recognition, catalogue: Catalogue, weight: number | null): Promise<TrayState> {
  try {
    return { ...(await recogniseNow(recognition, catalogue, weight)), weight };
  } catch (error) {
    if (error instanceof RecognitionError && error.codeName === 'Camera.Lost')
      return { ...lost(error.message), weight };
    throw error;
  }
}

/**
 * Waits for a state that the caller does not know, and that was recognised with the present templates.
 * @param after number of the newest state that the caller knows
 * @returns the reported state, after the time limit whichever it is; null where there is none
 */
async function nextState(
  watch: Pick<TrayWatch, 'feed' | 'isBehind' | 'reported'>,
  after: number,
  limitMs: number,
  gone: AbortSignal,
): Promise<ReportedState | null> {
  const over = new AbortController();
  const before = watch.feed.last;
  const isNews = (): boolean => {
    const { reported } = watch;
    // a state from before this wait does not count while it may be out of date
    if (reported === null || (watch.isBehind && reported.number <= before)) return false;
    return reported.number > after || after > watch.feed.last; // `after` is of an earlier start, whose clock was ahead
  };
  const unfollow = watch.feed.follow(() => {
    if (isNews()) over.abort();
  });
  try {
    if (!isNews()) await pause(limitMs, undefined, { signal: AbortSignal.any([over.signal, gone]), ref: false });
  } catch (error) {
    if (!over.signal.aborted && !gone.aborted) throw error;
  } finally {
    unfollow();
  }
  return watch.reported;
}

/** How many callers may wait for the tray to change. */
const MOST_WAITING = 64;

/** A state of the tray as an answer; without a number where it was recognised for this answer alone. */
const nowOf = ({ number, at, tray }: Omit<ReportedState, 'number'> & { readonly number: number | null }): Now => ({
  number,
  at: new Date(at).toISOString(),
  ...tray,
});

export interface TrayRoutes {
  readonly recognition: Recognition;
  /** Pool of event streams, shared with the pages. */
  readonly streams: EventStreamPool;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly health: HealthBoard;
}

export function addTrayRoutes(app: FastifyInstance, { recognition, streams, now, health }: TrayRoutes): void {
  const catalogue: Catalogue = { items: recognition.items, pictureOf: (item) => pictureOf(item, recognition) };
  const watch = new TrayWatch({
    viewer: recognition.viewer,
    recognise: () => recogniseNow(recognition, catalogue, null),
    soldNow: (tray) => soldNow(tray, catalogue),
    newestRecognition: () => recognition.sessions.last,
    revision: () => recognition.revision.number,
    now,
    log: (message, details = {}) => app.log.warn(details, message),
    own: health.own,
  });
  recognition.contradictions.onAdded((one) => watch.reportContradicted(one.id, contradictionOf(one)));
  app.addHook('onClose', () => watch.close());
  addNow(app, watch, async (weight) =>
    nowOf({ number: null, at: now(), tray: await lookNow(recognition, catalogue, weight) }),
  );
  addTrayEvents(app, watch, streams);
  addFeedback(app, recognition, watch, catalogue);
  addTakingBack(app, recognition, watch);
}

/** @param lookOnce looks at the tray now, with this weight */
function addNow(app: FastifyInstance, watch: TrayWatch, lookOnce: (weight: number | null) => Promise<Now>): void {
  let waiting = 0;
  const wait = async (after: number, limitMs: number, gone: AbortSignal): Promise<Now> => {
    if (waiting >= MOST_WAITING)
      throw new HttpFailure('busy', `${MOST_WAITING} calls wait for the tray already: follow its events instead`);
    waiting += 1;
    try {
      const state = await nextState(watch, after, limitMs, gone);
      return state === null ? await lookOnce(null) : nowOf(state);
    } finally {
      waiting -= 1;
    }
  };

  app.get(
    '/v1/recognition',
    {
      config: { role: 'till', work: 'look' },
      schema: {
        operationId: 'getRecognition',
        tags: ['recognition'],
        summary: 'What lies on the tray',
        description:
          'Looks at once. With `wait` it is answered when the tray has another state than that of the number `after`, at the latest when so many seconds are over: then ask again. Take the first candidate where it is `certain`, else offer the list, and say which it was by its feedback. Where a scale is attached, send the `weight` of what lies there: an item that is sold by the piece (`pieceWeight` of the item) is then not certain where that is not the weight of a few pieces.',
        querystring: NowQuery,
        response: {
          200: Now,
          ...refusals('Camera.NoPicture', 'Model.NotReady', 'RequestParams.TooMany'),
        },
      },
    },
    async ({ query, method }, reply) => {
      if (query.weight !== undefined && (query.wait ?? 0) > 0)
        throw new HttpFailure('parameter', 'weight is that of what lies there now, and cannot be sent with wait', {
          field: 'weight',
        });
      const limitMs = method === 'GET' ? (query.wait ?? 0) * 1000 : 0;
      return limitMs === 0 ? lookOnce(query.weight ?? null) : wait(query.after ?? 0, limitMs, requesterOf(reply).gone);
    },
  );
}

function addTrayEvents(app: FastifyInstance, { feed }: TrayWatch, streams: EventStreamPool): void {
  const onProblem = (err: unknown) => app.log.error({ err }, 'the events of the tray cannot be sent');
  const events = new EventStreams(feed, onProblem);
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

function addFeedback(app: FastifyInstance, recognition: Recognition, watch: TrayWatch, catalogue: Catalogue): void {
  app.post(
    '/v1/recognition/:id/feedback',
    {
      config: {
        role: 'till',
        audit: { event: 'template-learned', fields: ['item'], answers: ['sid'], isDone: ({ sid }) => sid !== null },
      },
      schema: {
        operationId: 'confirmItem',
        tags: ['recognition'],
        summary: 'Say which item it was',
        description:
          'As `/api/feedback` does: it counts for the statistics, and in the automatic learning mode the picture may be learned, too. Who follows the tray gets `item.chosen`. A recognition can be answered for a quarter of an hour.',
        params: FeedbackPath,
        body: FeedbackBody,
        response: { 200: FeedbackAnswer, ...refusals('Recognition.NotFound', 'Recognition.AnsweredOtherwise') },
      },
    },
    async ({ params, body }) => {
      const item = body.item === null ? null : newItem(body.item, 'item');
      const place = recognition.sessions.placeOf(params.id, body.thing ?? null);
      const thing = place === null ? null : place + 1;
      const { number, feedback, ofThings } = recognition.sessions.find(params.id);
      const isRepeated = place === null ? feedback !== null : ofThings.has(place);
      return await watch.answer(async () => {
        const { rank, sid, reason } = await recognition.answers.recordFeedback(params.id, item, place);
        if (item !== null)
          watch.reportChosen({ recognition: params.id, thing, item: soldAs(item, catalogue) }, { number, isRepeated });
        return { rank, sid, reason, warning: sid === null ? null : recognition.learning.warning };
      });
    },
  );
}

function addTakingBack(app: FastifyInstance, recognition: Recognition, watch: TrayWatch): void {
  app.delete(
    '/v1/recognition/:id/feedback',
    {
      config: { role: 'till', audit: null }, // nothing is stored of it
      schema: {
        operationId: 'takeItemBack',
        tags: ['recognition'],
        summary: 'Say that it is not what was certain, or chosen',
        description:
          'Who follows the tray gets `item.taken_back`. Nothing is counted, and what feedback has taught stays.',
        params: FeedbackPath,
        querystring: TakingBackQuery,
        response: { 200: TakenBackSchema, ...refusals('Recognition.NotFound') },
      },
    },
    async ({ params: { id }, query }) => {
      const place = recognition.sessions.placeOf(id, query.thing ?? null);
      const takenBack = { recognition: id, thing: place === null ? null : place + 1 };
      watch.reportTakenBack(takenBack, recognition.sessions.find(id));
      return takenBack;
    },
  );
}
