/** The reported state of the tray: for an item also how a till sells it and why it is not certain. */
import Type, { type Static } from 'typebox';
import { describeNames, enumOf, GRAMS, orNull } from '../../core/schema/index.ts';
import type { Items } from '../items/items.ts';
import { UNCERTAIN_REASONS } from '../matching/scoring.ts';
import { FLAWS } from '../vision/quality.ts';
import { type Answer, CodeAnswerSchema, MEANS } from './by-code.ts';

const TRAY_STATES = Object.freeze({
  item: 'something lies there, and the first candidate is it, for certain or most likely',
  unknown: 'something lies there that is like nothing that was learned',
  empty: 'nothing lies there',
  lost: 'the camera gives no picture',
});

const SOLD_AS = {
  id: Type.String({ description: 'of the item' }),
  name: orNull(Type.String(), 'null where `/v1/items` has none'),
  plu: Type.String({ description: 'the code that the till sells it under; the id where `/v1/items` has none' }),
  price: orNull(Type.Integer(), 'kopecks'),
  picture: orNull(Type.String(), 'path on this port: of its own picture, else of the first that was learned of it'),
};
const SoldItemSchema = Type.Object(SOLD_AS, { title: 'SoldItem' });

const ANSWERED = {
  recognition: Type.String({ description: '`id` of the recognition that was answered' }),
  thing: orNull(Type.Integer(), 'which of several things, from 1; null: the tray as a whole'),
};
export const ChosenSchema = Type.Object(
  { ...ANSWERED, item: SoldItemSchema },
  {
    title: 'ChosenItem',
    description: 'of `item.chosen`: what a person said that it is, also one that was not offered',
  },
);
export type Chosen = Static<typeof ChosenSchema>;

export const TakenBackSchema = Type.Object(ANSWERED, {
  title: 'ItemTakenBack',
  description: 'of `item.taken_back`: it is not what was certain, or chosen',
  examples: [{ recognition: '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11', thing: null }],
});
export type TakenBack = Static<typeof TakenBackSchema>;

const CandidateSchema = Type.Object(
  {
    ...SOLD_AS,
    share: Type.Number({ description: 'share of trust over this list; they sum to 1' }),
    similarity: Type.Number({ description: 'how similar it is, -1 to 1' }),
  },
  { title: 'Candidate' },
);

const reasonOf = (also = '') =>
  orNull(Type.String(), `why it is not certain: ${describeNames(UNCERTAIN_REASONS)}${also}`);
const side = (description: string) => Type.Integer({ description: `${description}, in a frame of 1280×720` });

const ThingSchema = Type.Object(
  {
    box: Type.Object({
      x: side('left'),
      y: side('top'),
      width: side('width'),
      height: side('height'),
    }),
    certain: Type.Boolean(),
    reason: reasonOf(),
    candidates: Type.Array(CandidateSchema, { description: 'best first' }),
  },
  { title: 'Thing', description: 'a thing on the tray, and what it is by itself' },
);

export const TrayStateSchema = Type.Object(
  {
    state: enumOf(TRAY_STATES, 'TrayStateName'),
    certain: Type.Boolean({ description: 'whether the first candidate may be taken without asking' }),
    candidates: Type.Array(CandidateSchema, { description: 'best first' }),
    reason: reasonOf('; of `lost` what is wrong, in words'),
    quality: Type.Array(enumOf(FLAWS, 'Flaw'), {
      description: `what would explain a bad answer: ${describeNames(FLAWS)}`,
    }),
    things: Type.Array(ThingSchema, {
      description: 'the largest first, four at most; one with the box of the whole area where nothing stands out of it',
    }),
    weight: orNull(Type.Integer(GRAMS), 'grams of all that lies there, from the question; null where it had none'),
    by: orNull(enumOf(MEANS, 'RecognisedBy'), `how the first candidate was found: ${describeNames(MEANS)}`),
    read: orNull(
      Type.Array(CodeAnswerSchema),
      'codes that were read on the tray; null where none were looked for, or not in time',
    ),
    id: orNull(Type.String(), 'names this recognition in its feedback; null where nothing was recognised'),
  },
  { title: 'TrayState', description: `${describeNames(TRAY_STATES)}` },
);
export type TrayState = Static<typeof TrayStateSchema>;

const NOTHING = Object.freeze({
  certain: false,
  candidates: [],
  reason: null,
  quality: [],
  things: [],
  weight: null,
  by: null,
  read: null,
  id: null,
});

export const EMPTY: TrayState = Object.freeze({ ...NOTHING, state: 'empty' });

export const lost = (reason: string): TrayState => ({ ...NOTHING, state: 'lost', reason });

export interface Catalogue {
  readonly items: Pick<Items, 'find'>;
  /** The path of an item's picture. */
  readonly pictureOf: (item: { readonly id: string; readonly hasPicture: boolean }) => string | null;
}

type Found = Pick<TrayState['candidates'][number], 'id' | 'share' | 'similarity'>;

/** Returns an item as it is sold at this moment. */
export function soldAs(id: string, { items, pictureOf }: Catalogue): Static<typeof SoldItemSchema> {
  const item = items.find(id);
  return {
    id,
    name: item?.name ?? null,
    plu: item?.plu ?? id,
    price: item?.price ?? null,
    picture: pictureOf(item ?? { id, hasPicture: false }),
  };
}

const asSold = ({ id, share, similarity }: Found, catalogue: Catalogue): TrayState['candidates'][number] => ({
  ...soldAs(id, catalogue),
  share,
  similarity,
});

/** An earlier state with the present names, codes and prices of its candidates. */
export const soldNow = (tray: TrayState, catalogue: Catalogue): TrayState => {
  const sold = (candidates: readonly Found[]) => candidates.map((found) => asSold(found, catalogue));
  return {
    ...tray,
    candidates: sold(tray.candidates),
    things: tray.things.map((thing) => ({ ...thing, candidates: sold(thing.candidates) })),
  };
};

type Answered = Pick<TrayState, 'certain' | 'candidates'>;
const answerOf = ({ certain, candidates }: Answered) => ({ certain, ids: candidates.map(({ id }) => id) });

/** Whether two states give a till the same answer on the same things: what it would sell, and what it would offer. */
export const isSameAnswer = (one: TrayState, other: TrayState): boolean => {
  const [first, second] = [one, other].map(({ state, things, ...tray }) =>
    JSON.stringify([state, answerOf(tray), things.map(answerOf)]),
  );
  return first === second;
};

/** @param session names the recognition in its feedback */
export function recognised(
  { session, classification, things, flaws, by, read }: Omit<Answer, 'jpeg'>,
  catalogue: Catalogue,
): TrayState {
  const judged = ({ items, verdict: { certain, reason } }: Answer['classification']) => ({
    certain,
    reason,
    candidates: items.map(({ id, score, similarity }) => asSold({ id, share: score, similarity }, catalogue)),
  });
  return {
    state: classification.verdict.unknown ? 'unknown' : 'item',
    ...judged(classification),
    quality: [...flaws],
    things: things.map(({ box, classification: own }) => ({
      box: { ...box },
      ...judged(own),
    })),
    weight: null,
    by: classification.items.length === 0 ? null : by,
    read: read === null ? null : [...read],
    id: session,
  };
}
