/** One answer for several things on one tray. */
import type { Area } from '../model/area.ts';
import { type TrustByWeight, weighed } from './by-weight.ts';
import type { Candidate, Classification } from './classifier.ts';
import type { Verdict } from './scoring.ts';

/** A thing on the tray. */
export interface SeenThing {
  /** Box of the thing, in the coordinates of a frame of 1280×720; the whole area where the thing did not stand out. */
  readonly box: Area;
  readonly classification: Classification;
}

/**
 * Several things of one item, as a few apples, become one answer, as sure as the least sure of them. Otherwise the
 * answer has the candidates of all, each with its mean share, and none is certain.
 * @param all at least one, the largest thing first
 * @param k how many candidates are returned
 * @param ofAll trust by the weight of all together; not used for different items
 */
export function together(
  all: readonly Classification[],
  k: number,
  ofAll: TrustByWeight | null = null,
): Classification {
  const [first] = all;
  if (first === undefined) throw new RangeError('an answer for no thing');
  const isSame = all.every(({ items, verdict }) => items[0]?.id === first.items[0]?.id && !verdict.unknown);
  if (all.length === 1) return first;
  if (isSame) return weighed(all.find(({ verdict }) => !verdict.certain) ?? first, ofAll, k);
  const isUnknown = all.every(({ verdict }) => verdict.unknown);
  const verdict: Verdict = { certain: false, unknown: isUnknown, reason: 'several-items' };
  return Object.freeze({ items: Object.freeze(asShares(mixed(all).slice(0, k))), verdict: Object.freeze(verdict) });
}

/** Candidates with scores that sum to 1. */
function asShares(candidates: readonly Candidate[]): Candidate[] {
  const sum = candidates.reduce((total, { score }) => total + score, 0);
  return candidates.map((candidate) => Object.freeze({ ...candidate, score: candidate.score / sum }));
}

/** The candidates of all things, best first. */
function mixed(all: readonly Classification[]): Candidate[] {
  const byId = new Map<string, Candidate>();
  for (const { id, score, similarity } of all.flatMap(({ items }) => items)) {
    const before = byId.get(id);
    byId.set(id, {
      id,
      score: (before?.score ?? 0) + score / all.length,
      similarity: Math.max(before?.similarity ?? -1, similarity),
    });
  }
  return [...byId.values()].sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
}
