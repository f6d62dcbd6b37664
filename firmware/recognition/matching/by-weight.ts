/**
 * Applies a weight to an answer by looks: candidates that the weight does not fit fall back. A weight can only reduce
 * certainty; an item of unknown weight is not changed.
 */
import type { Candidate, Classification } from './classifier.ts';
import type { Verdict } from './scoring.ts';

/** The factor of an item's score, above 0; 1 where the weight fits or the item's weight is unknown. */
export type TrustByWeight = (item: string) => number;

/** Number of candidates by looks from which the fitting ones are chosen. */
const WEIGHED_CANDIDATES = 16;
/** How fast trust falls beyond the tolerance: to a quarter at a fifth beyond it, to the least at six tenths. */
const STEEPNESS = 8;
/** The least factor of a candidate's score: the weight of its piece may have been entered wrong. */
const LEAST_TRUST = 0.02;

const DIFFERS: Verdict = Object.freeze({ certain: false, unknown: false, reason: 'weight-differs' });

/**
 * @param byLooks has more candidates than are returned, so that a fitting one can move up
 * @param trustIn by the weight; null where nothing was weighed
 * @param most candidates that are returned, where something was weighed
 */
export function weighed(byLooks: Classification, trustIn: TrustByWeight | null, most: number): Classification {
  if (trustIn === null) return byLooks;
  const likeliest = byLooks.items
    .map((item) => ({ ...item, score: item.score * trustIn(item.id) }))
    // equal scores stay in the order by looks
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most);
  const total = likeliest.reduce((sum, { score }) => sum + score, 0);
  const items: Candidate[] = likeliest.map((item) => Object.freeze({ ...item, score: item.score / total }));
  const [best] = byLooks.items;
  const isOff = best !== undefined && trustIn(best.id) < 1;
  const verdict = isOff && byLooks.verdict.certain ? DIFFERS : byLooks.verdict;
  return Object.freeze({ items: Object.freeze(items), verdict });
}

/** @param classify returns `k` candidates by looks @param most candidates that are returned */
export function classifyWeighed(
  classify: (k: number) => Classification,
  trustIn: TrustByWeight | null,
  most: number,
): Classification {
  return weighed(classify(trustIn === null ? most : Math.max(most, WEIGHED_CANDIDATES)), trustIn, most);
}

/** By how much a piece of fruit, a roll or a bag may differ from its stated weight. */
const WEIGHT_TOLERANCE_PERCENT = 20;
/**
 * The most pieces that are believed to lie there. From two pieces on nearly every weight fits some number, so a weight
 * only reveals less than one piece, one and a half, or far too much.
 */
export const MOST_PIECES = 20;

/**
 * The factor of an item's score, by the weight on the scale and that of one piece.
 * @param pieceWeight grams; null where the item is not sold by the piece
 */
export function trustByWeight(grams: number, pieceWeight: number | null): number {
  if (pieceWeight === null) return 1;
  // how far the weight lies beyond what is tolerated, as a natural logarithm; 0 within
  const excesses = Array.from({ length: MOST_PIECES }, (_, index) => {
    const percent = (index + 1) * pieceWeight; // one hundredth of what so many pieces weigh; whole numbers have exact edges
    const [least, most] = [(100 - WEIGHT_TOLERANCE_PERCENT) * percent, (100 + WEIGHT_TOLERANCE_PERCENT) * percent];
    return Math.max(0, Math.log((100 * grams) / most), Math.log(least / (100 * grams)));
  });
  const excess = Math.min(...excesses);
  return excess <= 0 ? 1 : Math.max(LEAST_TRUST, Math.exp(-STEEPNESS * excess));
}

/** @param pieceWeightOf grams of a piece of an item; null where unknown */
export const byWeight =
  (grams: number, pieceWeightOf: (item: string) => number | null): TrustByWeight =>
  (item) =>
    trustByWeight(grams, pieceWeightOf(item));
