/** A confidence that goes from none to all at once, for tests of what a verdict is used for. */
import {
  type Confidence,
  FEATURE_NAMES,
  type Feature,
  type Weights,
} from '../../firmware/recognition/matching/confidence.ts';

const STEEPNESS = 60;

/** All 0 but for these. */
export const weightsOf = (some: Partial<Record<Feature, number>>): Weights => ({
  ...(Object.fromEntries(FEATURE_NAMES.map((name) => [name, 0])) as Weights),
  ...some,
});

/** Certain from a similarity on with a lead, unknown somewhat below another similarity. @param floor where few items are known */
export function confidenceOf(steps: {
  readonly certain: number;
  readonly margin: number;
  readonly unknown: number;
  readonly floor?: number;
}): Confidence {
  const { certain, margin, unknown, floor = -1 } = steps;
  const others = 1 + Math.exp(STEEPNESS * margin);
  return {
    wrong: weightsOf({ constant: STEEPNESS * margin, lead: -STEEPNESS }),
    stranger: weightsOf({ constant: STEEPNESS * certain, similarity: -STEEPNESS }),
    certain: 0.4,
    unknown: 1 / (1 + others * Math.exp(-STEEPNESS * (certain - unknown))),
    floor,
    measured: [],
  };
}
