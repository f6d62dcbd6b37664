/**
 * How likely the answered item is right: one logistic model of three classes, with weights that `models/gallery.ts
 * --fit` finds and the model's manifest holds. The classes are a right answer, with which the others are compared; a
 * wrong one in place of another known item; and a stranger, an unknown item. Strangers count as 3 in 20 of all things
 * on trays.
 */
import type { Manifest } from '../embedding/manifest.ts';

export type Confidence = NonNullable<Manifest['confidence']>;

/** Mean and standard deviation of some similarities or leads. */
export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Figures of an answered item and the second one. Similarities are those of `scoring.ts`, leads their differences; both
 * -2 to 2.
 */
export interface Pair {
  /** Number of templates of the first and of the second item. */
  readonly templates: readonly [number, number];
  /** How similar each template is to the others of its own item. */
  readonly own: readonly [Spread, Spread];
  /** By how much each template of the first is more similar to its own item's others than to the second item, and the reverse. */
  readonly leads: readonly [Spread, Spread];
  /** Cosine of their two nearest prototypes. */
  readonly cosine: number;
}

/** The evidence for an answer. */
export interface Evidence {
  readonly items: number;
  readonly similarity: number;
  /** Cosine to the nearest template of the answered item. */
  readonly nearest: number;
  /** Lead over the second item. */
  readonly lead: number;
  /** Lead by the prototypes alone. */
  readonly prototypeLead: number;
  /** How much likelier the answered item is than another one (`ratio.ts`); 0 where the model has no ratio. */
  readonly ratio: number;
  readonly pair: Pair;
}

/** A larger lead counts as this one, and so does a missing second item. */
export const MOST_LEAD = 0.6;
/** Most information of a lead lies below this value. */
const CLOSE_LEAD = 0.25;
/** The largest ratio that counts. */
const MOST_RATIO = 1;
/** With fewer items most things on the tray are unknown, and nothing below the floor is certain. */
export const ENOUGH_ITEMS = 10;

/** The usual deviation counts as so many templates, because the deviation of a few templates says little. */
const USUAL_TEMPLATES = 5;
export const USUAL_LEAD_DEVIATION = 0.15;
export const USUAL_OWN_DEVIATION = 0.1;

const steadied = (deviation: number, templates: number, usual: number): number =>
  Math.sqrt((templates * deviation ** 2 + USUAL_TEMPLATES * usual ** 2) / (templates + USUAL_TEMPLATES));

/** Each number that the model weighs; a larger lead or similarity never speaks against an answer. */
export const FEATURES = Object.freeze({
  constant: (): number => 1,
  closeLead: ({ lead }: Evidence): number => Math.min(lead, CLOSE_LEAD),
  lead: ({ lead }: Evidence): number => Math.min(lead, MOST_LEAD),
  prototypeLead: ({ prototypeLead }: Evidence): number => Math.min(prototypeLead, MOST_LEAD),
  similarity: ({ similarity }: Evidence): number => similarity,
  nearest: ({ nearest }: Evidence): number => nearest,
  fewTemplates: ({ pair }: Evidence): number => 1 / pair.templates[0],
  fewOfSecond: ({ pair }: Evidence): number => 1 / pair.templates[1],
  ownLead: ({ pair }: Evidence): number => pair.leads[0].mean,
  leadOfSecond: ({ pair }: Evidence): number => pair.leads[1].mean,
  own: ({ pair }: Evidence): number => pair.own[0].mean,
  ownOfSecond: ({ pair }: Evidence): number => pair.own[1].mean,
  cosine: ({ pair }: Evidence): number => pair.cosine,
  /** How far the lead is from that of the second item's own templates, in deviations. */
  unlikeSecond: ({ lead, pair }: Evidence): number =>
    (Math.min(lead, MOST_LEAD) + pair.leads[1].mean) /
    steadied(pair.leads[1].deviation, pair.templates[1], USUAL_LEAD_DEVIATION),
  /** How far the similarity is from that of the item's own templates, in deviations. */
  likeOwn: ({ similarity, pair }: Evidence): number =>
    (similarity - pair.own[0].mean) / steadied(pair.own[0].deviation, pair.templates[0], USUAL_OWN_DEVIATION),
  ratio: ({ ratio }: Evidence): number => Math.min(ratio, MOST_RATIO),
});
export type Feature = keyof typeof FEATURES;
export const FEATURE_NAMES = Object.freeze(Object.keys(FEATURES) as Feature[]);
/** Features that speak for an answer: their weights are at most 0. */
export const SPEAK_FOR: ReadonlySet<Feature> = new Set([
  ...(['closeLead', 'lead', 'prototypeLead', 'similarity', 'nearest', 'unlikeSecond', 'likeOwn', 'ratio'] as const),
]);

export type Weights = Confidence['wrong'];

/** Probabilities, as shares of 1. */
export interface Likelihood {
  readonly right: number;
  readonly wrong: number;
  readonly stranger: number;
}

const weigh = (weights: Weights, evidence: Evidence): number =>
  FEATURE_NAMES.reduce((sum, name) => sum + (weights[name] ?? 0) * FEATURES[name](evidence), 0);

export function likelihoodOf(
  { wrong, stranger }: Pick<Confidence, 'wrong' | 'stranger'>,
  evidence: Evidence,
): Likelihood {
  const [oddsOfWrong, oddsOfStranger] = [weigh(wrong, evidence), weigh(stranger, evidence)]; // logarithms
  // relative to the largest, so that nothing overflows
  const top = Math.max(0, oddsOfWrong, oddsOfStranger);
  const [right, asWrong, asStranger] = [Math.exp(-top), Math.exp(oddsOfWrong - top), Math.exp(oddsOfStranger - top)];
  const sum = right + asWrong + asStranger;
  return { right: right / sum, wrong: asWrong / sum, stranger: asStranger / sum };
}
