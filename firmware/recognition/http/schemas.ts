/** Bodies and answers of every call: validation, serialisation and OpenAPI come from here. */
import Type, { type Static, type TSchema } from 'typebox';
import { LEARNING_MODES, MAX_RESULTS, ROLES, SPEEDS } from '../../config/choices.ts';
import { LATEST_TIME } from '../../host/clock.ts';
import { BUILD_TIME } from '../../host/version.ts';
import { maybe, NO_CONTROLS, worded } from '../../store/schema.ts';
import { CODES } from '../codes.ts';
import { describeNames, enumOf } from '../matching/documented-names.ts';
import { VerdictSchema } from '../matching/scoring.ts';
import { ITEM_MAX_CHARACTERS } from '../packages/format.ts';
import { AreaSchema } from '../settings.ts';
import { FLAWS } from '../vision/quality.ts';

export const ItemId = Type.String({
  minLength: 1,
  maxLength: ITEM_MAX_CHARACTERS,
  pattern: NO_CONTROLS,
  description: 'code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent',
});
const Sid = Type.String({ minLength: 1, maxLength: 64, description: 'identifier of the template' });

export const answerOf = <Data extends TSchema>(data: Data) => Type.Object({ code: Type.Literal(CODES.ok), data });
export const Done = answerOf(Type.Null());
/** What every call may answer instead; `code` says what it is. */
export const Failure = Type.Object(
  { code: Type.Integer(), msg: Type.String({ description: 'what is wrong and what to do' }), data: Type.Null() },
  { description: 'refused or failed; nothing has changed unless the message says so' },
);

export const ItemBody = Type.Object({ id: ItemId });
export const TemplateBody = Type.Object({ id: ItemId, sid: Sid });
export const AddedAnswer = answerOf(
  Type.Object({ image: Type.String({ description: 'JPEG of the template, base64' }), sid: Sid }),
);
export const ImageAnswer = answerOf(Type.Object({ image: Type.String({ description: 'JPEG, base64' }) }));
export const TemplateListAnswer = Type.Object({
  code: Type.Literal(CODES.ok),
  data: Type.Array(Sid),
  max: Type.Integer({ description: 'templates that an item may have' }),
});
export const ItemListAnswer = answerOf(Type.Array(Type.Object({ id: ItemId, count: Type.Integer() })));

const MAX_EXPORT_IDS = 10_000;
export const ExportBody = Type.Object({
  ids: maybe(Type.Array(ItemId, { minItems: 1, maxItems: MAX_EXPORT_IDS, description: 'absent: all items' })),
});
/** Ten thousand ids of 64 characters, three bytes each. */
export const EXPORT_BODY_BYTES = 2 * 1024 * 1024;
export const ImportBody = Type.Object({ file: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) });
export const TaskAnswer = Type.Object({
  code: Type.Literal(CODES.ok),
  status: Type.Integer({
    description:
      'export: 0 none, 1 preparing, 3 ready, 6 failed; import: 0 none, 2 importing, 3 checking, 4 completed, 5 failed, 7 refused',
  }),
  msg: Type.String(),
  filename: Type.Optional(Type.String({ description: 'to be fetched from /download/<filename>' })),
});

const Progress = Type.Object({ id: Type.String(), SNs: Type.Array(Type.String()) });
export const DeletionProgressAnswer = answerOf(
  Type.Object({
    id: Type.String({ description: 'of the latest mark; empty where there is none' }),
    SNs: Type.Array(Type.String(), { description: 'serial numbers of the devices that have deleted it' }),
    items: Type.Array(Progress, { description: 'every mark, the latest first' }),
  }),
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
    quality: Type.Array(enumOf(FLAWS), {
      description: `what would explain a bad answer: ${describeNames(FLAWS)}`,
    }),
  }),
);
export const FeedbackBody = Type.Object({
  session: Type.String({ minLength: 1, maxLength: 64 }),
  id: Type.Union([ItemId, Type.Null()], { description: 'the right item; null: none of the offered ones' }),
});
export const FeedbackAnswer = answerOf(
  Type.Object({
    rank: Type.Union([Type.Integer(), Type.Null()], { description: 'where the item stood; null: not offered' }),
    sid: Type.Union([Type.String(), Type.Null()], { description: 'of the template that was learned from it' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'why none was learned' }),
  }),
);

const ranks = {
  positions: Type.Array(Type.Integer(), { description: 'how often the confirmed item stood at rank 1, 2, 3, 4, 5' }),
  none: Type.Integer({ description: 'how often it stood further down, was not offered, or none was right' }),
  total: Type.Integer(),
};
const Day = Type.String({
  pattern: worded('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'must be a day, as 2026-11-21'),
  description: 'YYYY-MM-DD, UTC',
});
export const RankBody = Type.Object({ id: maybe(ItemId), from: maybe(Day), to: maybe(Day) });
export const RankAnswer = answerOf(
  Type.Object({ ...ranks, items: Type.Array(Type.Object({ id: Type.String(), ...ranks })) }),
);

export const SpeedBody = Type.Object({ speed: Type.Enum(SPEEDS) });
export const LearningModeBody = Type.Object({
  mode: Type.Enum([...LEARNING_MODES.keys()], {
    description: LEARNING_MODES.map((mode, place) => `${place} ${mode}`).join(', '),
  }),
});
export const LearningModeAnswer = answerOf(Type.Object({ mode: Type.Integer() }));
export const ResultCountBody = Type.Object({ count: Type.Integer({ minimum: 1, maximum: MAX_RESULTS }) });
export const AreaBody = Type.Object(AreaSchema.properties);
export const AreaAnswer = answerOf(AreaSchema);
export const TimeBody = Type.Object({
  sec: Type.Integer({
    minimum: Math.floor(BUILD_TIME / 1000),
    maximum: Math.floor(LATEST_TIME / 1000),
    description: 'seconds since 1970; from the build of this release to 20 years after it',
  }),
  usec: Type.Integer({ minimum: 0, maximum: 999_999 }),
});

const SyncInfoSchema = Type.Object({
  masterIP: Type.String(),
  masterSN: Type.String(),
  mastersyncPort: Type.Integer(),
  upload: Type.Boolean(),
  download: Type.Boolean(),
  sync: Type.Boolean({ description: 'whether this device takes part in synchronisation' }),
  syncMode: Type.Enum(ROLES),
  sync_limit: Type.Integer({ description: 'templates of one synchronisation; 0: no limit' }),
});
/** How this device stands in its store. */
export type SyncInfo = Readonly<Static<typeof SyncInfoSchema>>;

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
  predict_speed: Type.Enum(SPEEDS),
  ...SyncInfoSchema.properties,
  soldOutLimit: Type.Integer({ description: 'days after which an unsold item is removed; 0: never' }),
});
export type DeviceInfo = Static<typeof DeviceInfoSchema>;
export const DeviceInfoAnswer = answerOf(DeviceInfoSchema);

export const FrameAnswer = answerOf(
  Type.Object({ width: Type.Integer(), height: Type.Integer(), sequence: Type.Integer() }),
);
