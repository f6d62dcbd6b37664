/**
 * What something that was measured makes of what was recognised by looks: candidates that it does not fit fall back. It takes certainty
 * away and never gives it; where nothing is known of an item nothing changes.
 */
import type { Candidate, Classification } from './classifier.ts';
import type { UncertainReason, Verdict } from './scoring.ts';

/** Something that was measured of what lies there. */
export interface Measure {
  /** Why an answer is not certain if its best item does not fit it. */
  readonly reason: UncertainReason;
  /** Of its trust that an item keeps, above 0; 1 where the measure fits it, or nothing is known of it. */
  readonly trustIn: (item: string) => number;
}

/** Candidates by looks of which those that fit are taken. */
const MEASURED_CANDIDATES = 16;
/** How fast trust falls beyond what is tolerated: to a quarter a fifth beyond it, to the least at six tenths. */
const STEEPNESS = 8;
/** Least share of its trust that a candidate keeps: what was learned or set for it may be wrong. */
const LEAST_TRUST = 0.02;

/** How far a value lies beyond a range, as a natural logarithm; 0 within. */
export function beyond(value: number, [least, most]: readonly [number, number]): number {
  return Math.max(0, Math.log(value / most), Math.log(least / value));
}

/** @param excess natural logarithm of how far a value lies beyond what is tolerated; 0 or less within */
export const trustAt = (excess: number): number =>
  excess <= 0 ? 1 : Math.max(LEAST_TRUST, Math.exp(-STEEPNESS * excess));

const uncertain = (reason: UncertainReason): Verdict => Object.freeze({ certain: false, unknown: false, reason });

/**
 * @param byLooks of more candidates than are returned, so that one that fits can come forward
 * @param most candidates that are returned, where something was measured
 */
export function measured(byLooks: Classification, measures: readonly Measure[], most: number): Classification {
  if (measures.length === 0) return byLooks;
  const likeliest = byLooks.items
    .map((item) => ({ ...item, score: measures.reduce((score, { trustIn }) => score * trustIn(item.id), item.score) }))
    // of equal ones the order by looks stays
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most);
  const total = likeliest.reduce((sum, { score }) => sum + score, 0);
  const items: Candidate[] = likeliest.map((item) => Object.freeze({ ...item, score: item.score / total }));
  const [best] = byLooks.items;
  const off = best === undefined ? undefined : measures.find(({ trustIn }) => trustIn(best.id) < 1);
  const verdict = off !== undefined && byLooks.verdict.certain ? uncertain(off.reason) : byLooks.verdict;
  return Object.freeze({ items: Object.freeze(items), verdict });
}

/** @param classify by looks, so many candidates @param most candidates that are returned */
export function classifyMeasured(
  classify: (k: number) => Classification,
  measures: readonly Measure[],
  most: number,
): Classification {
  return measured(classify(measures.length === 0 ? most : Math.max(most, MEASURED_CANDIDATES)), measures, most);
}

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
