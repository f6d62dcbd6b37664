/** Applies the codes on the tray to the answer by looks. */
import Type, { type Static } from 'typebox';
import { describeNames, enumOf, orNull } from '../../core/schema/index.ts';
import type { Candidate, Classification } from '../matching/classifier.ts';
import type { Verdict } from '../matching/scoring.ts';
import { type SeenThing, together } from '../matching/several.ts';
import type { Area } from '../model/area.ts';
import { GRAMS_PRINTED, KOPECKS_PRINTED } from '../model/printed-layout.ts';
import { codeMeant, isOfTrade, SYMBOLOGIES } from '../model/symbologies.ts';
import type { Place, ReadCode } from '../vision/barcode-worker.ts';
import type { Sighting } from './recogniser.ts';

/** Share of the scores that the other candidates by looks get beside the items of codes. */
const SHARE_OF_LOOKS = 0.01;
/**
 * Pixels, in a frame of 1280×720, around the box of a thing with a code. Another thing with its middle within them counts
 * as the print of the first: of a package in the colour of the tray only the print stands out. They are a centimetre
 * where the area shows half a metre.
 */
const PRINT_REACH = 24;
/** How many characters of a code are returned. */
const MAX_TEXT_CHARACTERS = 128;

/** How the first candidate was found. */
export const MEANS = Object.freeze({
  barcode: 'its code was read',
  looks: 'it looks like what was learned',
});
export type Means = keyof typeof MEANS;

export const CodeAnswerSchema = Type.Object(
  {
    symbology: enumOf(SYMBOLOGIES, 'Symbology'),
    text: Type.String({
      description: `what it says: ${MAX_TEXT_CHARACTERS} characters at most, those that are not shown as �`,
    }),
    item: orNull(Type.String(), 'the item that it belongs to; null: none that is known'),
    weight: orNull(Type.Integer(GRAMS_PRINTED), 'grams, of a code that a scale has printed; null of another'),
    price: orNull(Type.Integer(KOPECKS_PRINTED), 'kopecks that a scale has printed within it; null of another'),
  },
  { title: 'ReadCode', description: `a code that was read: ${describeNames(SYMBOLOGIES)}` },
);
export type CodeAnswer = Readonly<Static<typeof CodeAnswerSchema>>;

/** Controls, direction marks, and halves of characters. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const shown = (text: string): string => text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed().replaceAll(UNSHOWN, '\uFFFD');

/** A code, and where its symbols lie in the area. */
export interface FoundCode {
  readonly code: CodeAnswer;
  readonly places: readonly Place[];
}

type CodeMeaning = Pick<CodeAnswer, 'item' | 'weight' | 'price'>;

/** @param meaningOf returns the only item of a code's text, and what a scale has printed in it */
export function foundCodes(codes: readonly ReadCode[], meaningOf: (text: string) => CodeMeaning): FoundCode[] {
  return codes.map(({ symbology, text, isGs1, places }) => {
    const tradeCode = codeMeant(text, isGs1);
    const asRead = meaningOf(text);
    const { item, weight, price } = asRead.item === null && tradeCode !== text ? meaningOf(tradeCode) : asRead;
    return { code: { symbology, text: shown(text), item, weight, price }, places };
  });
}

/** The list of candidates: the items `first`, then the others in their order, `most` in all. */
function listed(first: readonly string[], others: readonly Candidate[], most: number): Candidate[] {
  const rest = others.filter(({ id }) => !first.includes(id));
  const restShare = rest.length === 0 ? 0 : SHARE_OF_LOOKS;
  const leading = first.map((id) => ({
    id,
    score: (1 - restShare) / first.length,
    // the similarity of an item outside the list by looks is unknown
    similarity: others.find((other) => other.id === id)?.similarity ?? 0,
  }));
  const total = rest.reduce((sum, { score }) => sum + score, 0);
  const following = rest.map((other) => ({ ...other, score: (restShare * other.score) / total }));
  return [...leading, ...following].slice(0, Math.max(1, most));
}

/**
 * An item's code alone makes the answer certain, unless there are codes of more than one item: of two known items, or
 * of a known one and a code of trade that belongs to no item.
 * @param most the most items in the list
 */
function byCodes(byLooks: Classification, codes: readonly FoundCode[], most: number): Classification {
  const owners = [...new Set(codes.flatMap(({ code }) => code.item ?? []))];
  if (owners.length === 0) return byLooks;
  const isStrange = codes.some(({ code: { item, symbology } }) => item === null && isOfTrade(symbology));
  const verdict: Verdict =
    owners.length > 1 || isStrange
      ? { certain: false, unknown: false, reason: 'several-items' }
      : { certain: true, unknown: false, reason: null };
  return { items: listed(owners, byLooks.items, most), verdict };
}

/** What a recognition answers, by looks and by codes. */
export interface Answer extends Omit<Sighting, 'codes' | 'vector'> {
  /** The codes that were read; null where none were looked for, or they were not read in time. */
  readonly read: readonly CodeAnswer[] | null;
  readonly by: Means;
  /** Names this recognition in its feedback. */
  readonly session: string;
}

/** The answers for everything together and for each thing. */
export interface Seen {
  readonly classification: Classification;
  readonly things: readonly SeenThing[];
}

/**
 * Applies the codes: each counts for the thing that it lies on or nearest to. The answer for everything is no surer than
 * that of a thing without a code, because otherwise this thing would not be paid.
 * @param area the part of the frame that was looked at @param most the most items in a list
 */
export function withCodes(
  { classification, things }: Seen,
  codes: readonly FoundCode[],
  area: Area,
  most: number,
): Seen & { readonly by: Means } {
  if (codes.every(({ code }) => code.item === null)) return { classification, things, by: 'looks' };
  const codesOfThings = codesByThing(things, codes, area);
  const answered = things.map((thing, at) => ({
    ...thing,
    classification: byCodes(thing.classification, codesOfThings[at] ?? [], most),
  }));
  const all = byCodes(classification, codes, most);
  if (!all.verdict.certain) return { classification: all, things: answered, by: 'barcode' };
  const coded = answered.filter((_, at) => codesOfThings[at]?.some(({ code }) => code.item !== null));
  const others = answered.filter((thing) => !coded.includes(thing) && isBeside(thing, coded, all));
  const { verdict } = together([all, ...others.map((thing) => thing.classification)], most);
  return { classification: { ...all, verdict }, things: answered, by: 'barcode' };
}

/** For each thing the codes that lie on it or nearest to it. */
function codesByThing(things: readonly SeenThing[], codes: readonly FoundCode[], area: Area): FoundCode[][] {
  const codesOfThings: FoundCode[][] = things.map(() => []);
  for (const code of codes) {
    for (const { x, y } of code.places) {
      const at = nearest(things, area.x + x * area.width, area.y + y * area.height);
      if (codesOfThings[at]?.includes(code) === false) codesOfThings[at].push(code);
    }
  }
  return codesOfThings;
}

/** The index of the thing nearest to a place; of boxes that overlap there the smallest one, which is the last. */
function nearest(things: readonly SeenThing[], x: number, y: number): number {
  const away = things.map(({ box }) => distanceTo(box, x, y));
  return away.lastIndexOf(Math.min(...away));
}

function distanceTo({ x: left, y: top, width, height }: Area, x: number, y: number): number {
  return Math.hypot(Math.max(0, left - x, x - left - width), Math.max(0, top - y, y - top - height));
}

/** Whether a thing is no print of a thing with a code: it is certainly another item, or lies beyond `PRINT_REACH`. */
function isBeside(
  { box, classification: own }: SeenThing,
  coded: readonly SeenThing[],
  { items }: Classification,
): boolean {
  if (own.verdict.certain && own.items[0]?.id !== items[0]?.id) return true;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return coded.every((thing) => distanceTo(thing.box, x, y) > PRINT_REACH);
}
