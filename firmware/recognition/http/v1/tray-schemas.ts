/** Schemas of the calls on what lies on the tray, of its events, and of feedback. */
import Type, { type Static } from 'typebox';
import { eventNumber, sentEvent, waitSeconds } from '../../../core/http/index.ts';
import { GRAMS, orNull } from '../../../core/schema/index.ts';
import { MOST_THINGS } from '../../answer/recogniser.ts';
import { ChosenSchema, TakenBackSchema, TrayStateSchema } from '../../answer/tray-state.ts';
import { TRAY_EVENTS } from '../../answer/tray-watch.ts';
import { MAX_WEIGHT_GRAMS } from '../../model/item-limits.ts';
import { ItemId } from '../item-id.ts';
import { ContradictionSchema } from './contradiction-routes.ts';
import { Warning } from './sureness.ts';

export const NowQuery = Type.Object(
  {
    wait: waitSeconds('another state'),
    after: eventNumber('with `wait`: the `number` of the state that the caller knows'),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WEIGHT_GRAMS,
        ...GRAMS,
        description: `grams of all that lies there, by a scale, ${MAX_WEIGHT_GRAMS} at most; not with \`wait\``,
      }),
    ),
  },
  { additionalProperties: false },
);

const BANANAS = Object.freeze({
  id: '4011',
  name: 'Bananas',
  plu: '4011',
  price: 12_990,
  picture: '/v1/items/4011/picture',
  share: 1,
  similarity: 0.93,
});
const EXAMPLE = Object.freeze({
  number: 1763712000017,
  at: '2026-11-21T08:00:00.000Z',
  state: 'item',
  certain: true,
  candidates: [BANANAS],
  reason: null,
  quality: [],
  weight: 412,
  by: 'barcode',
  read: [{ symbology: 'ean-13', text: '4006381333931', item: '4011', weight: null, price: null }],
  things: [
    {
      box: { x: 410, y: 180, width: 460, height: 300 },
      certain: true,
      reason: null,
      candidates: [BANANAS],
    },
  ],
  id: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11',
});
export const Now = Type.Object(
  {
    number: orNull(
      Type.Integer(),
      'of the event that reported it, to be sent as `after`; null where no reader watches the tray, or while what lies there still moves',
    ),
    at: Type.String({ format: 'date-time', description: 'since when, by the clock of the device, UTC' }),
    ...TrayStateSchema.properties,
  },
  { title: 'Recognition', description: 'what lies on the tray', examples: [EXAMPLE] },
);
export type Now = Static<typeof Now>;

export const FeedbackPath = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: '`id` of the recognition' }),
});
const thing = (more: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_THINGS,
      description: `which of several things: its place in \`things\`, from 1${more}`,
    }),
  );
export const TakingBackQuery = Type.Object({ thing: thing('') }, { additionalProperties: false });
export const FeedbackBody = Type.Object(
  {
    item: orNull(ItemId, 'what it was; null: none of the candidates'),
    thing: thing('. It is counted, and nothing is learned of several'),
  },
  { title: 'Confirmation', additionalProperties: false, examples: [{ item: '4011' }] },
);
export const FeedbackAnswer = Type.Object(
  {
    rank: orNull(Type.Integer(), 'where it stood, from 1; null: not offered'),
    sid: orNull(Type.String(), 'of the template that was learned from it'),
    reason: orNull(Type.String(), 'why none was learned'),
    warning: Warning,
  },
  {
    title: 'Confirmed',
    description: 'it counts',
    examples: [{ rank: 1, sid: null, reason: 'the learning mode is not automatic', warning: null }],
  },
);

const TrayEvent = Type.Object({
  number: Type.Integer(),
  type: Type.Enum([...TRAY_EVENTS], { title: 'TrayEventType' }),
  at: Type.String({ format: 'date-time' }),
  tray: Type.Optional(TrayStateSchema),
  chosen: Type.Optional(ChosenSchema),
  takenBack: Type.Optional(TakenBackSchema),
  contradicted: Type.Optional(ContradictionSchema),
});
export const TrayStream = Type.Union([
  sentEvent('TrayHello', Type.Literal('hello'), Type.Object({ last: Type.Integer(), beatMs: Type.Integer() })),
  sentEvent('TrayBeat', Type.Literal('beat'), Type.Object({}, { additionalProperties: false })),
  sentEvent(
    'TrayGap',
    Type.Literal('gap'),
    Type.Object({ reason: Type.Enum(['pruned', 'ahead']), after: Type.Integer(), from: Type.Integer() }),
  ),
  sentEvent('TrayMessage', Type.Enum([...TRAY_EVENTS], { title: 'TrayEventType' }), TrayEvent),
]);

const lastSeen = eventNumber('`number` of the last event that the reader has');
export const EventsQuery = Type.Object({ after: lastSeen }, { additionalProperties: false });
export const EventsHeaders = Type.Object({ 'last-event-id': lastSeen });
