/**
 * How similar a picture is to an item, the score that a client gets, and whether the best item can be trusted. It can
 * be replaced: `models/evaluate.ts` compares it with others.
 *
 * The similarity is that of the item's prototype, the direction of the sum of its template vectors, and a little that
 * of its nearest template: so an item whose sides look different is found from each of them.
 */
import Type, { type Static } from 'typebox';
import { describeNames, enumOf } from '../../core/schema/index.ts';
import { type Confidence, ENOUGH_ITEMS, type Evidence, likelihoodOf } from './confidence.ts';

/**
 * The nearest template's share of a similarity; the rest is the prototype's. Measured with 5 and 10 templates an item:
 * `models/README.md`.
 */
const NEAREST_SHARE = 0.25;
/** More templates of an item make few answers more certain. */
const ENOUGH_TEMPLATES = 10;

/** Similarity from the cosines to an item's prototype and to its nearest template. */
export const similarityOf = (prototype: number, nearest: number): number =>
  (1 - NEAREST_SHARE) * prototype + NEAREST_SHARE * nearest;

/** A similarity within -1 and 1: vectors of single precision are a little longer than 1. */
export const bounded = (similarity: number): number => Math.min(1, Math.max(-1, similarity));

/** Turns cosine similarities into the scores that a client sees: positive, summing to 1, in the same order. */
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

/** The evidence as it would be if both items had enough templates. */
function wellLearned({ pair, ...evidence }: Evidence): Evidence {
  const [first, second] = pair.templates;
  const templates = [Math.max(first, ENOUGH_TEMPLATES), Math.max(second, ENOUGH_TEMPLATES)] as const;
  return { ...evidence, pair: { ...pair, templates } };
}

/**
 * The verdict on an answer.
 * @param evidence null where nothing was learned
 * @param confidence left out where the model has none: then nothing is certain, and nothing unknown
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
