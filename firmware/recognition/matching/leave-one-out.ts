/**
 * Compares the templates of two items: each template with the rest of its own item, as if it were a new look at it, and
 * with the other item. A pair is computed when it is asked for, and cached until one of the two changes: few items ever
 * come second to one.
 */

import { sumOf } from '../model/vectors.ts';
import { type Pair, type Spread, USUAL_LEAD_DEVIATION, USUAL_OWN_DEVIATION } from './confidence.ts';
import { dotRow } from './matrix.ts';
import { similarityOf } from './scoring.ts';
import { prototypeWithout } from './strays.ts';

/** What is compared of an item. */
export interface Compared {
  /** Of length 1, one for each view. */
  readonly prototypes: readonly Float32Array[];
  readonly templates: readonly Float32Array[];
}

/** The similarity that looks are assumed to have to an item with a single template. */
const USUAL_OWN = 0.7;
/** How many templates of an item are left out in turn: many more would make a recognition slow. */
const MOST_LEFT_OUT = 20;
/** Similarities become integers, so that the order of a sum does not matter. */
const UNITS = 2 ** 24;

function spreadOf(values: readonly number[]): Spread {
  const whole = values.map((value) => Math.round(value * UNITS));
  const mean = whole.reduce((sum, value) => sum + value, 0) / whole.length;
  const squares = whole.map((value) => Math.round((value - mean) ** 2 / UNITS)).reduce((sum, value) => sum + value, 0);
  return { mean: mean / UNITS, deviation: Math.sqrt(squares / UNITS / whole.length) };
}

const nearest = (vector: Float32Array, others: readonly Float32Array[]): number =>
  others.reduce((best, other) => Math.max(best, dotRow(vector, other, 0)), -1);

/** The templates that are left out in turn: of many only some, in an order that depends only on their values. */
function leftOut(templates: readonly Float32Array[]): readonly Float32Array[] {
  const { length } = templates;
  if (length <= MOST_LEFT_OUT) return templates;
  const sorted = templates.toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
  return sorted.filter(
    (_, at) => Math.floor((at * MOST_LEFT_OUT) / length) < Math.floor(((at + 1) * MOST_LEFT_OUT) / length),
  );
}

/** Similarity of each left-out template to the rest of its item; empty where it is the only one. */
function ownSimilarities({ templates }: Compared): number[] {
  if (templates.length < 2) return [];
  const sum = sumOf(templates);
  return leftOut(templates).map((vector) => {
    const others = templates.filter((other) => other !== vector);
    return similarityOf(dotRow(vector, prototypeWithout(sum, vector), 0), nearest(vector, others));
  });
}

export class LeaveOneOut<Member extends object> {
  readonly #stateOf: (member: Member) => Compared;
  readonly #own = new Map<Member, readonly number[]>();
  readonly #pairs = new Map<Member, Map<Member, Pair>>();

  /** @param stateOf returns an item's present state */
  constructor(stateOf: (member: Member) => Compared) {
    this.#stateOf = stateOf;
  }

  /** Must be called after each change of an item, which is then compared anew with all others. */
  forget(member: Member): void {
    this.#own.delete(member);
    this.#pairs.delete(member);
    for (const pairs of this.#pairs.values()) pairs.delete(member);
  }

  /** @param second null where the first is the only one */
  pairOf(first: Member, second: Member | null): Pair {
    if (second === null) return this.#alone(first);
    const pairs = this.#pairs.get(first) ?? new Map<Member, Pair>();
    this.#pairs.set(first, pairs);
    const known = pairs.get(second);
    if (known !== undefined) return known;
    const compared = this.#compare(first, second);
    pairs.set(second, compared);
    return compared;
  }

  #alone(member: Member): Pair {
    const own = this.#ownSpread(member);
    const { length } = this.#stateOf(member).templates;
    const lead = { mean: USUAL_OWN, deviation: USUAL_LEAD_DEVIATION };
    return { templates: [length, length], own: [own, own], leads: [lead, lead], cosine: 0 };
  }

  #compare(first: Member, second: Member): Pair {
    const [one, other] = [this.#stateOf(first), this.#stateOf(second)];
    const cosine = one.prototypes.reduce((best, prototype) => Math.max(best, nearest(prototype, other.prototypes)), -1);
    return {
      templates: [one.templates.length, other.templates.length],
      own: [this.#ownSpread(first), this.#ownSpread(second)],
      leads: [this.#leads(first, one, other, cosine), this.#leads(second, other, one, cosine)],
      cosine,
    };
  }

  #ownOf(member: Member): readonly number[] {
    const known = this.#own.get(member) ?? ownSimilarities(this.#stateOf(member));
    this.#own.set(member, known);
    return known;
  }

  #ownSpread(member: Member): Spread {
    const own = this.#ownOf(member);
    return own.length === 0 ? { mean: USUAL_OWN, deviation: USUAL_OWN_DEVIATION } : spreadOf(own);
  }

  #leads(member: Member, { templates }: Compared, other: Compared, cosine: number): Spread {
    const own = this.#ownOf(member);
    if (own.length === 0) return { mean: USUAL_OWN - cosine, deviation: USUAL_LEAD_DEVIATION };
    const leads = leftOut(templates).map((vector, at) => {
      const similarity = similarityOf(nearest(vector, other.prototypes), nearest(vector, other.templates));
      return (own[at] ?? 0) - similarity;
    });
    return spreadOf(leads);
  }
}
