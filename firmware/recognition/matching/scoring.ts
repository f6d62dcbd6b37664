/**
 * How similar a picture is to an item, the score that a client gets, and whether the best item can be trusted.
 * The one replaceable part of the classifier: `models/evaluate.ts` compares it with others.
 *
 * An item is its prototype, the direction of the sum of its templates' vectors, and a little its nearest template: an item
 * that looks different from its sides is still found from each of them.
 */
import Type, { type Static } from 'typebox';
import { type Confidence, ENOUGH_ITEMS, type Evidence, likelihoodOf } from './confidence.ts';
import { describeNames, enumOf } from './documented-names.ts';

/** Of an item's similarity; the rest is its prototype's. Measured with 5 and 10 templates an item: `models/README.md`. */
const NEAREST_SHARE = 0.25;
/** More of an item make few answers more certain. */
const ENOUGH_TEMPLATES = 10;

/** From the cosines to an item's prototype and to its nearest template. */
export const similarityOf = (prototype: number, nearest: number): number =>
  (1 - NEAREST_SHARE) * prototype + NEAREST_SHARE * nearest;

/** As it is returned: vectors of single precision are a little longer than 1, and a cosine is at most 1. */
export const bounded = (similarity: number): number => Math.min(1, Math.max(-1, similarity));

/** Cosine similarities to the scores that a client sees: positive, summing to 1, in the same order. */
export function toScores(similarities: readonly number[], temperature: number): number[] {
  const best = Math.max(...similarities);
  const weights = similarities.map((similarity) => Math.exp((similarity - best) / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Why a verdict is not `certain`, in words for those who write tills. */
export const UNCERTAIN_REASONS = Object.freeze({
  'no-templates': 'nothing was learned yet; the verdict is unknown',
  'unlike-all': 'no item is similar; the verdict is unknown',
  'not-similar-enough': 'similar to the best item, but not enough',
  'look-alikes': 'it may be another item, most likely the second',
  'few-templates': 'with more templates of the first two items it would be certain',
  'weight-differs': 'the weight that was sent is not that of a few pieces of the item that it looks like',
  'several-items': 'several things lie on the tray, and not all are the same item',
});
type UncertainReason = keyof typeof UNCERTAIN_REASONS;

export const VerdictSchema = Type.Object({
  certain: Type.Boolean(),
  unknown: Type.Boolean(),
  reason: Type.Union([enumOf(UNCERTAIN_REASONS), Type.Null()], {
    description: `why it is not certain: ${describeNames(UNCERTAIN_REASONS)}`,
  }),
});
export type Verdict = Readonly<Static<typeof VerdictSchema>>;

const CERTAIN: Verdict = Object.freeze({ certain: true, unknown: false, reason: null });

function uncertain(reason: UncertainReason): Verdict {
  return Object.freeze({ certain: false, unknown: reason === 'unlike-all' || reason === 'no-templates', reason });
}

/** The same, had both items been learned well. */
function wellLearned({ pair, ...evidence }: Evidence): Evidence {
  const [first, second] = pair.templates;
  const templates = [Math.max(first, ENOUGH_TEMPLATES), Math.max(second, ENOUGH_TEMPLATES)] as const;
  return { ...evidence, pair: { ...pair, templates } };
}

/**
 * What may be made of an answer.
 * @param evidence null where nothing was learned
 * @param confidence left out where the model says nothing of it: then nothing is certain, and nothing unknown
 */
export function judge(evidence: Evidence | null, confidence: Confidence | undefined): Verdict {
  if (evidence === null) return uncertain('no-templates');
  if (confidence === undefined) return uncertain('not-similar-enough');
  const { right, wrong, stranger } = likelihoodOf(confidence, evidence);
  if (stranger >= confidence.unknown) return uncertain('unlike-all');
  if (evidence.items < ENOUGH_ITEMS && evidence.similarity < confidence.floor) return uncertain('not-similar-enough');
  if (right >= confidence.certain) return CERTAIN;
  if (likelihoodOf(confidence, wellLearned(evidence)).right >= confidence.certain) return uncertain('few-templates');
  return uncertain(stranger > wrong ? 'not-similar-enough' : 'look-alikes');
}
