/** What the codes on the tray make of what was recognised by looks. */
import Type, { type Static } from 'typebox';
import type { Candidate, Classification } from '../matching/classifier.ts';
import { describeNames, enumOf } from '../matching/documented-names.ts';
import type { ReadCode } from './barcode-worker.ts';
import { gtinIn } from './gtin.ts';
import { isOfTrade, SYMBOLOGIES } from './symbologies.ts';

/** Share of trust that looks are left with beside a code. */
const SHARE_OF_LOOKS = 0.01;
/** Characters of a code that are told. */
const MOST_TOLD_CHARACTERS = 128;

/** How the first candidate was found. */
export const MEANS = Object.freeze({
  barcode: 'its code was read',
  looks: 'it looks like what was learned',
});
export type Means = keyof typeof MEANS;

export const ToldCodeSchema = Type.Object(
  {
    symbology: enumOf(SYMBOLOGIES, 'Symbology'),
    text: Type.String({
      description: `what it says: ${MOST_TOLD_CHARACTERS} characters at most, those that are not shown as �`,
    }),
    item: Type.Union([Type.String(), Type.Null()], {
      description: 'the item that it belongs to; null: none that is known',
    }),
  },
  { title: 'ReadCode', description: `a code that was read: ${describeNames(SYMBOLOGIES)}` },
);
export type ToldCode = Readonly<Static<typeof ToldCodeSchema>>;

/** Controls, marks that turn the order of the letters around, and halves of characters. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const shown = (text: string): string =>
  text.slice(0, MOST_TOLD_CHARACTERS).toWellFormed().replaceAll(UNSHOWN, '\uFFFD');

/** @param itemOf the one item that a code's text belongs to, or null */
export function toldCodes(codes: readonly ReadCode[], itemOf: (text: string) => string | null): ToldCode[] {
  return codes.map(({ symbology, text, isGs1 }) => {
    const gtin = isGs1 ? gtinIn(text) : null;
    return { symbology, text: shown(text), item: itemOf(text) ?? (gtin === null ? null : itemOf(gtin)) };
  });
}

/** Items first in the list, the others behind them in their order, `most` in all. */
function listed(first: readonly string[], others: readonly Candidate[], most: number): Candidate[] {
  const rest = others.filter(({ id }) => !first.includes(id));
  const left = rest.length === 0 ? 0 : SHARE_OF_LOOKS;
  const leading = first.map((id) => ({
    id,
    score: (1 - left) / first.length,
    // of one that looks did not list nothing is known
    similarity: others.find((other) => other.id === id)?.similarity ?? 0,
  }));
  const total = rest.reduce((sum, { score }) => sum + score, 0);
  const following = rest.map((other) => ({ ...other, score: (left * other.score) / total }));
  return [...leading, ...following].slice(0, Math.max(1, most));
}

/**
 * A code that belongs to an item is certain by itself. It is not where there are codes of more than one: those of two items,
 * one of an item and one of trade that no item has, or where beside it another item was seen for certain.
 * @param most items in the list @param things what was seen, each by its looks: print may be taken for several
 */
export function withCodes(
  byLooks: Classification,
  codes: readonly ToldCode[],
  most: number,
  things: readonly Classification[] = [],
): Classification & { readonly by: Means } {
  const found = [...new Set(codes.flatMap(({ item }) => item ?? []))];
  if (found.length === 0) return { ...byLooks, by: 'looks' };
  const items = listed(found, byLooks.items, most);
  const isStrange = codes.some(({ item, symbology }) => item === null && isOfTrade(symbology));
  const isOtherSeen =
    things.length > 1 && things.some(({ items: [best], verdict }) => verdict.certain && best?.id !== found[0]);
  const areSeveral = found.length > 1 || isStrange || isOtherSeen;
  const verdict = areSeveral
    ? ({ certain: false, unknown: false, reason: 'several-items' } as const)
    : { certain: true, unknown: false, reason: null };
  return { items, verdict, by: 'barcode' };
}
