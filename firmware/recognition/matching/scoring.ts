/**
 * How similar a picture is to an item, the score that a client gets, and whether the best item can be trusted.
 * The one replaceable part of the classifier: `models/evaluate.ts` compares it with others.
 *
 * An item is its prototype, the direction of the sum of its templates' vectors, and a little its nearest template: an item
 * that looks different from its sides is still found from each of them.
 */
import Type, { type Static } from 'typebox';
import type { Bounds } from './bounds.ts';
import { describeNames, enumOf } from './documented-names.ts';

/** Of an item's similarity; the rest is its prototype's. Measured with 5 and 10 templates an item: `models/README.md`. */
const NEAREST_SHARE = 0.25;

/** From the cosine to an item's prototype and those to its templates, at least one. */
export function similarityOf(prototype: number, templates: Float64Array): number {
  let nearest = -1;
  for (const cosine of templates) if (cosine > nearest) nearest = cosine;
  return (1 - NEAREST_SHARE) * prototype + NEAREST_SHARE * nearest;
}

/** As it is returned: vectors of single precision are a little longer than 1, and a cosine is at most 1. */
export const bounded = (similarity: number): number => Math.min(1, Math.max(-1, similarity));

/** Cosine similarities to the scores that a client sees: positive, summing to 1, in the same order. */
export function toScores(similarities: readonly number[], temperature: number): number[] {
  const best = Math.max(...similarities);
  const weights = similarities.map((similarity) => Math.exp((similarity - best) / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The nearest templates that are asked whether they agree with the best item. */
const NEAREST_TEMPLATES = 3;
/** Items whose templates are looked through for them. */
const CHECKED_ITEMS = 3;

/** Why a verdict is not `certain`, in words for those who write tills. */
export const UNCERTAIN_REASONS = Object.freeze({
  'no-templates': 'nothing was learned yet; the verdict is unknown',
  'unlike-all': 'no item is similar; the verdict is unknown',
  'not-similar-enough': 'similar to the best item, but not enough',
  'look-alikes': 'the second item is nearly as similar',
  'few-templates': 'the second item is less similar, but too little was learned',
  'templates-disagree': 'the nearest templates belong to other items',
  'weight-differs': 'the weight that was sent is not that of a few pieces of the item that it looks like',
  'several-items': 'several things lie on the tray, and not all are the same item',
});
export type UncertainReason = keyof typeof UNCERTAIN_REASONS;

export const VerdictSchema = Type.Object({
  certain: Type.Boolean(),
  unknown: Type.Boolean(),
  reason: Type.Union([enumOf(UNCERTAIN_REASONS), Type.Null()], {
    description: `why it is not certain: ${describeNames(UNCERTAIN_REASONS)}`,
  }),
});
export type Verdict = Readonly<Static<typeof VerdictSchema>>;

/** An item as a query sees it. */
export interface Rated {
  readonly similarity: number;
  /** Cosines to its templates. */
  readonly templates: Float64Array;
}

const CERTAIN: Verdict = Object.freeze({ certain: true, unknown: false, reason: null });

function uncertain(reason: UncertainReason): Verdict {
  return Object.freeze({ certain: false, unknown: reason === 'unlike-all' || reason === 'no-templates', reason });
}

/** Most of the nearest templates belong to the best item; as many are asked as it can have among them. */
function templatesAgree(best: Rated, candidates: readonly Rated[]): boolean {
  const asked = Math.min(NEAREST_TEMPLATES, best.templates.length);
  const nearest = candidates
    .flatMap((rated) => Array.from(rated.templates, (cosine) => ({ rated, cosine })))
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, asked);
  return nearest.filter(({ rated }) => rated === best).length * 2 > asked;
}

/** What may be made of the best of some items, best first. */
export function judge(ranked: readonly Rated[], { certain, margin, alike, unknown }: Bounds): Verdict {
  const [best, second] = ranked;
  if (best === undefined) return uncertain('no-templates');
  const { similarity } = best;
  if (similarity < unknown) return uncertain('unlike-all');
  if (similarity < certain) return uncertain('not-similar-enough');
  const lead = second === undefined ? Number.POSITIVE_INFINITY : similarity - second.similarity;
  if (lead < margin) return uncertain(lead < alike ? 'look-alikes' : 'few-templates');
  if (!templatesAgree(best, ranked.slice(0, CHECKED_ITEMS))) return uncertain('templates-disagree');
  return CERTAIN;
}
