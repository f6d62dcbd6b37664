/**
 * What calls of the original device share: their paths, their place in the document, the answer of success. Bodies and
 * answers of several calls: validation, serialisation and OpenAPI come from here.
 */

import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { BUILD_TIME } from '../../../../drivers/lib/version.ts';
import { ROLES, SPEEDS } from '../../../core/config/index.ts';
import { LATEST_TIME } from '../../../core/host/index.ts';
import { maybe, NO_CONTROLS } from '../../../core/schema/index.ts';
import { CODES } from '../../model/codes.ts';
import { ITEM_MAX_CHARACTERS } from '../../model/item-id.ts';

/** The envelope of a success. @param title name of the answer in the document @param examples of its data */
export const answerOf = <Data extends TSchema>(data: Data, title: string, ...examples: unknown[]) =>
  Type.Object(
    { code: Type.Literal(CODES.ok), data },
    { title, examples: examples.map((example) => ({ code: CODES.ok, data: example })) },
  );
/** The envelope of a call that teaches: `msg` is there only with a warning. */
export const taughtAnswerOf = <Data extends TSchema>(data: Data, title: string, example: object) =>
  Type.Object(
    {
      code: Type.Literal(CODES.ok),
      data,
      msg: Type.Optional(Type.String({ description: 'what may be wrong with what was learned; else left out' })),
    },
    { title, examples: [{ code: CODES.ok, data: example }] },
  );
export const warned = (warning: string | null): { msg?: string } => (warning === null ? {} : { msg: warning });
export const Done = answerOf(Type.Null(), 'Done', null);
/** The failure that every call may answer; `code` says which. */
export const Failure = Type.Object(
  { code: Type.Integer(), msg: Type.String({ description: 'what is wrong and what to do' }), data: Type.Null() },
  {
    title: 'Failure',
    description: 'refused or failed; nothing has changed unless the message says so',
    examples: [{ code: CODES.cameraLost, msg: 'the camera is not there: /health says more', data: null }],
  },
);

type Group = 'camera' | 'device' | 'packages' | 'recognition' | 'synchronisation' | 'templates';

/** A body as a route gets it. */
type Sent<Body extends TSchema> = FastifyRequest<{ Body: Static<Body> }>['body'];

interface Described<Body extends TSchema> {
  /** Who may call it, and what it writes to the audit trail. */
  readonly config: FastifyContextConfig;
  /** Its operation in the document; its name when left out. */
  readonly operation?: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: Body;
  readonly bodyLimit?: number;
}

/** A call that does something and answers only that it is done. */
interface Order<Body extends TSchema> extends Described<Body> {
  readonly answer?: never;
  readonly does: (body: Sent<Body>, request: FastifyRequest) => void | Promise<void>;
}

interface Question<Body extends TSchema, Answer extends TSchema> extends Described<Body> {
  readonly answer: Answer;
  /** Returns the answer without its `code`. */
  readonly does: (
    body: Sent<Body>,
    request: FastifyRequest,
  ) => Omit<Static<Answer>, 'code'> | Promise<Omit<Static<Answer>, 'code'>>;
}

const DONE = Object.freeze({ data: null });

const operationOf = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Adds calls of one group by their names, which follow `/api/`. */
export function originalCalls(app: FastifyInstance, group: Group) {
  const adding =
    (method: 'GET' | 'POST') =>
    <Body extends TSchema, Answer extends TSchema>(name: string, call: Order<Body> | Question<Body, Answer>): void => {
      const {
        config,
        operation = operationOf(name),
        summary,
        description,
        body,
        bodyLimit,
        answer = Done,
        does,
      } = call;
      app.route<{ Body: Static<Body> }>({
        method,
        url: `/api/${name}`,
        config,
        ...(bodyLimit !== undefined && { bodyLimit }),
        schema: {
          operationId: operation,
          tags: [`original device: ${group}`],
          summary,
          description,
          ...(body !== undefined && { body }),
          response: { 200: answer },
        },
        handler: async (request) => ({ code: CODES.ok, ...((await does(request.body, request)) ?? DONE) }),
      });
    };
  return { get: adding('GET'), post: adding('POST') };
}

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

export const SID_EXAMPLE = '20251121080000000104729';
export const ItemBody = Type.Object({ id: ItemId }, { title: 'ItemOf', examples: [{ id: '4011' }] });

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

const ranks = {
  positions: Type.Array(Type.Integer(), { description: 'how often the confirmed item stood at rank 1, 2, 3, 4, 5' }),
  none: Type.Integer({ description: 'how often it stood further down, was not offered, or none was right' }),
  total: Type.Integer(),
};
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

export const SyncInfoSchema = Type.Object({
  masterIP: Type.String(),
  masterSN: Type.String(),
  mastersyncPort: Type.Integer(),
  upload: Type.Boolean(),
  download: Type.Boolean(),
  sync: Type.Boolean({ description: 'whether this device takes part in synchronisation' }),
  syncMode: Type.Enum(ROLES, { title: 'SyncRole' }),
  sync_limit: Type.Integer({ description: 'templates of one synchronisation; 0: no limit' }),
});
/** This device's state in its store. */
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
