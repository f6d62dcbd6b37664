/** What the weight of all that lies there says of the items that it may be: it is that of a few pieces, where an item is sold by the piece. */
import { beyond, type Measure, trustAt } from './by-measure.ts';

/** So much a piece of fruit, a roll or a bag may be lighter or heavier than it is said to be. */
const WEIGHT_TOLERANCE_PERCENT = 20;
/**
 * More pieces are not believed to lie there. From two pieces on nearly every weight fits some number of them: what a weight distinguishes is less than
 * a piece, one and a half, and far too much.
 */
export const MOST_PIECES = 20;

/** Share of its trust that an item keeps if its pieces weigh so much. @param pieceWeight grams; null of what is not sold by the piece */
export function trustByWeight(grams: number, pieceWeight: number | null): number {
  if (pieceWeight === null) return 1;
  const excesses = Array.from({ length: MOST_PIECES }, (_, index) => {
    const percent = (index + 1) * pieceWeight; // one hundredth of what so many pieces weigh; whole numbers have exact edges
    return beyond(100 * grams, [
      (100 - WEIGHT_TOLERANCE_PERCENT) * percent,
      (100 + WEIGHT_TOLERANCE_PERCENT) * percent,
    ]);
  });
  return trustAt(Math.min(...excesses));
}

/** @param pieceWeightOf grams of a piece of an item; null where none is said */
export const byWeight = (grams: number, pieceWeightOf: (item: string) => number | null): Measure => ({
  reason: 'weight-differs',
  trustIn: (item) => trustByWeight(grams, pieceWeightOf(item)),
});
