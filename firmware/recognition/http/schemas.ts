/** Bodies and answers of every call: validation, serialisation and OpenAPI come from here. */
import Type, { type Static, type TSchema } from 'typebox';
import { LEARNING_MODES, MAX_RESULTS, ROLES, SPEEDS } from '../../config/index.ts';
import { LATEST_TIME } from '../../host/index.ts';
import { maybe, NO_CONTROLS, orNull, worded } from '../../store/index.ts';
import { BUILD_TIME } from '../../version.ts';
import { CODES } from '../codes.ts';
import { COMES_BACK } from '../deletion-marks.ts';
import { describeNames, enumOf } from '../matching/documented-names.ts';
import { VerdictSchema } from '../matching/scoring.ts';
import { ITEM_MAX_CHARACTERS } from '../packages/format.ts';
import { AreaSchema } from '../settings.ts';
import { FLAWS } from '../vision/quality.ts';

export const ItemId = Type.String({
  title: 'ItemId',
  minLength: 1,
  maxLength: ITEM_MAX_CHARACTERS,
  pattern: NO_CONTROLS,
  description: 'code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent',
});
export const Sid = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'identifier of the template, as `get_item_template_list` names it',
});

/**
 * The envelope of a success.
 * @param title what the document calls the answer @param examples of its data
 */
export const answerOf = <Data extends TSchema>(data: Data, title: string, ...examples: unknown[]) =>
  Type.Object(
    { code: Type.Literal(CODES.ok), data },
    { title, examples: examples.map((example) => ({ code: CODES.ok, data: example })) },
  );
export const Done = answerOf(Type.Null(), 'Done', null);
/** What synchronisation makes of a deletion on this device alone; absent where nothing follows. */
export const DeletedHere = Type.Object(
  {
    ...Done.properties,
    msg: Type.Optional(Type.String({ description: 'that synchronisation brings templates back, and what would not' })),
  },
  { title: 'DeletedHere', examples: [{ code: CODES.ok, data: null, msg: COMES_BACK }] },
);
/** What every call may answer instead; `code` says what it is. */
export const Failure = Type.Object(
  { code: Type.Integer(), msg: Type.String({ description: 'what is wrong and what to do' }), data: Type.Null() },
  {
    title: 'Failure',
    description: 'refused or failed; nothing has changed unless the message says so',
    examples: [{ code: CODES.cameraLost, msg: 'the camera is not there: /health says more', data: null }],
  },
);

/** The beginning of a JPEG, for the document. */
const JPEG_EXAMPLE = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgc';
export const SID_EXAMPLE = '1763712000000';
export const ItemBody = Type.Object({ id: ItemId }, { title: 'ItemOf', examples: [{ id: '4011' }] });
export const TemplateBody = Type.Object(
  { id: ItemId, sid: Sid },
  { title: 'TemplateOf', examples: [{ id: '4011', sid: SID_EXAMPLE }] },
);
export const AddedAnswer = answerOf(
  Type.Object({ image: Type.String({ description: 'JPEG of the template, base64' }), sid: Sid }),
  'AddedTemplate',
  { image: JPEG_EXAMPLE, sid: SID_EXAMPLE },
);
export const ImageAnswer = answerOf(
  Type.Object({ image: Type.String({ description: 'JPEG, base64' }) }),
  'TemplateImage',
  { image: JPEG_EXAMPLE },
);
export const TemplateListAnswer = Type.Object(
  {
    code: Type.Literal(CODES.ok),
    data: Type.Array(Sid),
    max: Type.Integer({ description: 'templates that an item may have' }),
  },
  { title: 'TemplateList', examples: [{ code: CODES.ok, data: [SID_EXAMPLE], max: 100 }] },
);
export const ItemListAnswer = answerOf(Type.Array(Type.Object({ id: ItemId, count: Type.Integer() })), 'ItemCounts', [
  { id: '4011', count: 3 },
]);

const MAX_EXPORT_IDS = 10_000;
export const ExportBody = Type.Object(
  { ids: maybe(Type.Array(ItemId, { minItems: 1, maxItems: MAX_EXPORT_IDS, description: 'absent: all items' })) },
  { title: 'Export', examples: [{ ids: ['4011'] }] },
);
/** Ten thousand ids of 64 characters, three bytes each. */
export const EXPORT_BODY_BYTES = 2 * 1024 * 1024;
export const ImportBody = Type.Object(
  {
    file: Type.Unsafe<unknown>({
      type: 'string',
      format: 'binary',
      description: 'a package as `/download/{filename}` gives it, as a file of a form',
    }),
  },
  { title: 'Import' },
);
export const TaskAnswer = Type.Object(
  {
    code: Type.Literal(CODES.ok),
    status: Type.Integer({
      description:
        'export: 0 none, 1 preparing, 3 ready, 6 failed; import: 0 none, 2 importing, 3 checking, 4 completed, 5 failed, 7 refused',
    }),
    msg: Type.String(),
    counts: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          'the numbers of `msg`: `done` of `total` while it runs; `templates` of `items` of an export; `imported`, `known` and `beyondLimit` of an import',
      }),
    ),
    filename: Type.Optional(Type.String({ description: 'to be fetched from /download/<filename>' })),
  },
  {
    title: 'TaskState',
    examples: [
      {
        code: CODES.ok,
        status: 3,
        msg: 'ready',
        counts: { templates: 3, items: 1 },
        filename: 'laneware-1763712000000.zip',
      },
    ],
  },
);

const Progress = Type.Object({ id: Type.String(), SNs: Type.Array(Type.String()) }, { title: 'DeletedItem' });
export const DeletionProgressAnswer = answerOf(
  Type.Object({
    id: Type.String({ description: 'of the latest mark; empty where there is none' }),
    SNs: Type.Array(Type.String(), { description: 'serial numbers of the devices that have deleted it' }),
    items: Type.Array(Progress, { description: 'every mark, the latest first' }),
  }),
  'DeletionProgress',
  { id: '4011', SNs: ['LW000042'], items: [{ id: '4011', SNs: ['LW000042'] }] },
);

export const ResultAnswer = answerOf(
  Type.Object({
    items: Type.Array(
      Type.Object({
        id: ItemId,
        score: Type.Number({ description: 'share of trust over this list; they sum to 1' }),
        similarity: Type.Number({
          description:
            'how similar the item is, -1 to 1: three quarters the cosine to its mean, one to its nearest template',
        }),
      }),
      { description: 'best first' },
    ),
    session: Type.String({ description: 'names this recognition in feedback' }),
    verdict: VerdictSchema,
    quality: Type.Array(enumOf(FLAWS, 'Flaw'), {
      description: `what would explain a bad answer: ${describeNames(FLAWS)}`,
    }),
  }),
  'Result',
  {
    items: [{ id: '4011', score: 1, similarity: 0.93 }],
    session: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11',
    verdict: { certain: true, unknown: false, reason: null },
    quality: [],
  },
);
export const FeedbackBody = Type.Object(
  {
    session: Type.String({ minLength: 1, maxLength: 64, description: '`session` of an answer of `get_result`' }),
    id: orNull(ItemId, 'the right item; null: none of the offered ones'),
  },
  { title: 'Feedback', examples: [{ session: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11', id: '4011' }] },
);
export const FeedbackAnswer = answerOf(
  Type.Object({
    rank: orNull(Type.Integer(), 'where the item stood; null: not offered'),
    sid: orNull(Type.String(), 'of the template that was learned from it'),
    reason: orNull(Type.String(), 'why none was learned'),
  }),
  'FeedbackTaken',
  { rank: 1, sid: null, reason: 'the learning mode is not automatic' },
);

const ranks = {
  positions: Type.Array(Type.Integer(), { description: 'how often the confirmed item stood at rank 1, 2, 3, 4, 5' }),
  none: Type.Integer({ description: 'how often it stood further down, was not offered, or none was right' }),
  total: Type.Integer(),
};
export const Day = Type.String({
  title: 'Day',
  pattern: worded('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'must be a day, as 2026-11-21'),
  description: 'YYYY-MM-DD, UTC',
});
export const RankBody = Type.Object(
  { id: maybe(ItemId), from: maybe(Day), to: maybe(Day) },
  { title: 'RankQuestion', examples: [{ id: '4011', from: '2026-11-01', to: '2026-11-21' }] },
);
const RANKS_EXAMPLE = {
  positions: [8, 1, 0, 0, 0],
  none: 1,
  total: 10,
  items: [{ id: '4011', positions: [8, 1, 0, 0, 0], none: 1, total: 10 }],
};
export const RankView = Type.Object(
  { ...ranks, items: Type.Array(Type.Object({ id: Type.String(), ...ranks })) },
  { title: 'ItemRanks', description: 'of all confirmations in those days, and by item', examples: [RANKS_EXAMPLE] },
);
export const RankAnswer = answerOf(RankView, 'Ranks', RANKS_EXAMPLE);

const SpeedSchema = Type.Enum(SPEEDS, { title: 'Speed', description: 'how much work one recognition may be' });
export const SpeedBody = Type.Object({ speed: SpeedSchema }, { title: 'PredictSpeed', examples: [{ speed: 'fast' }] });
export const LearningModeBody = Type.Object(
  {
    mode: Type.Enum([...LEARNING_MODES.keys()], {
      description: LEARNING_MODES.map((mode, place) => `${place} ${mode}`).join(', '),
    }),
  },
  { title: 'LearningMode', examples: [{ mode: 1 }] },
);
export const LearningModeAnswer = answerOf(Type.Object({ mode: Type.Integer() }), 'CurrentLearningMode', { mode: 1 });
export const ResultCountBody = Type.Object(
  { count: Type.Integer({ minimum: 1, maximum: MAX_RESULTS, description: 'items that an answer lists at most' }) },
  { title: 'ResultCount', examples: [{ count: 5 }] },
);
const AREA_EXAMPLE = { top: 0, left: 280, height: 720, width: 720 };
export const AreaBody = Type.Object(AreaSchema.properties, { title: 'Area', examples: [AREA_EXAMPLE] });
export const AreaAnswer = answerOf(AreaSchema, 'CurrentArea', AREA_EXAMPLE);
export const TimeBody = Type.Object(
  {
    sec: Type.Integer({
      minimum: Math.floor(BUILD_TIME / 1000),
      maximum: Math.floor(LATEST_TIME / 1000),
      description: 'seconds since 1970; from the build of this release to 20 years after it',
    }),
    usec: Type.Integer({ minimum: 0, maximum: 999_999, description: 'microseconds beside them' }),
  },
  { title: 'Time', examples: [{ sec: Math.floor(BUILD_TIME / 1000) + 86_400, usec: 0 }] },
);

const SyncInfoSchema = Type.Object({
  masterIP: Type.String(),
  masterSN: Type.String(),
  mastersyncPort: Type.Integer(),
  upload: Type.Boolean(),
  download: Type.Boolean(),
  sync: Type.Boolean({ description: 'whether this device takes part in synchronisation' }),
  syncMode: Type.Enum(ROLES, { title: 'SyncRole' }),
  sync_limit: Type.Integer({ description: 'templates of one synchronisation; 0: no limit' }),
});
/** How this device stands in its store. */
export type SyncInfo = Readonly<Static<typeof SyncInfoSchema>>;
export const STANDALONE: SyncInfo = Object.freeze({
  masterIP: '',
  masterSN: '',
  mastersyncPort: 0,
  upload: false,
  download: false,
  sync: false,
  syncMode: 'standalone',
  sync_limit: 0,
});

const DeviceInfoSchema = Type.Object({
  app: Type.String(),
  engine: Type.String({ description: 'identity of the model; empty where none is there' }),
  firmware: Type.String(),
  board: Type.String(),
  sn: Type.String(),
  item_count: Type.Integer(),
  template_count: Type.Integer(),
  learnMode: Type.Integer(),
  max_result_num: Type.Integer(),
  predict_speed: SpeedSchema,
  ...SyncInfoSchema.properties,
  soldOutLimit: Type.Integer({ description: 'days after which an unsold item is removed; 0: never' }),
});
export type DeviceInfo = Static<typeof DeviceInfoSchema>;
export const DeviceInfoAnswer = answerOf(DeviceInfoSchema, 'DeviceInfo', {
  app: '0.1.0',
  engine: 'lane-embed@1',
  firmware: '0.1.0',
  board: 'linux-arm64',
  sn: 'LW000042',
  item_count: 1,
  template_count: 3,
  learnMode: 1,
  max_result_num: 6,
  predict_speed: 'fast',
  ...STANDALONE,
  soldOutLimit: 0,
});

export const FrameAnswer = answerOf(
  Type.Object({ width: Type.Integer(), height: Type.Integer(), sequence: Type.Integer() }),
  'Frame',
  { width: 1280, height: 720, sequence: 17 },
);
