/** The constants of a manifest's `thresholds` and `gallery`, chosen so that `certain` keeps its promise in every gallery. */
import type { Judging } from '../../firmware/recognition/matching/bounds.ts';
import { type Shares, type Sighting, sharesOf } from './sightings.ts';

/** Of the certain answers of each gallery: at most so many per cent may be wrong. */
const PROMISE = 0.9;
/** What an answer as certain of an item that nobody has shown weighs beside a right one of a known item. */
const FOOLED_WEIGHT = 0.7;
/** Of the known: at most so many per cent may be called unknown in the smallest gallery. */
const FLAGGED = 6;

const CERTAINS = [0.5, 0.52, 0.54, 0.56, 0.58, 0.6, 0.62] as const;
const FEW = [0.4, 0.5, 0.6, 0.7] as const;
const LOOK_ALIKES = [0, 0.25, 0.5, 0.75] as const;
const STEP = 0.01;
const MOST_MARGIN = 0.3;

export interface Choice {
  readonly judging: Judging;
  /** Mean over the galleries of what was maximised. */
  readonly worth: number;
}

const worthOf = (all: readonly Shares[]): number =>
  all.reduce((sum, { certain, fooled }) => sum + certain - FOOLED_WEIGHT * fooled, 0) / all.length;

const keepsPromise = ({ wrong }: Shares): boolean => wrong === null || wrong <= PROMISE;

/** The least margin that keeps the promise everywhere, and what it is worth; null where none does. */
function leastMargin(galleries: readonly (readonly Sighting[])[], made: (margin: number) => Judging): Choice | null {
  // the one that broke the promise last breaks it first at the next margin, too
  const order = [...galleries];
  for (let margin = 0.02; margin <= MOST_MARGIN; margin += STEP) {
    const judging = made(Math.round(margin * 100) / 100);
    const broken = order.findIndex((sightings) => !keepsPromise(sharesOf(sightings, judging)));
    if (broken < 0) return { judging, worth: worthOf(galleries.map((sightings) => sharesOf(sightings, judging))) };
    order.unshift(...order.splice(broken, 1));
  }
  return null;
}

/** The quantile of the known ones' similarity that may be missed. */
function unknownOf(smallest: readonly Sighting[]): number {
  const known = smallest.filter(({ enrolled }) => enrolled).map(({ similarity }) => similarity);
  known.sort((one, other) => one - other);
  return Math.round((known[Math.floor((known.length * FLAGGED) / 100)] ?? 0) * 1000) / 1000;
}

/** @param galleries sightings of each, the smallest first @throws {Error} no constants keep the promise */
export function chooseJudging(galleries: readonly (readonly Sighting[])[]): Judging {
  const unknown = unknownOf(galleries[0] ?? []);
  let best: Choice | null = null;
  for (const certain of CERTAINS)
    for (const fewTemplates of FEW)
      for (const lookAlike of LOOK_ALIKES) {
        const gallery = { fewTemplates, lookAlike, lookAlikeFrom: 0.75, strangers: 0.35, strangersFrom: 0.5 };
        const choice = leastMargin(galleries, (margin) => ({ thresholds: { certain, margin, unknown }, gallery }));
        if (choice !== null && choice.worth > (best?.worth ?? Number.NEGATIVE_INFINITY)) best = choice;
      }
  if (best === null) throw new Error('no constants keep the promise in every gallery');
  return best.judging;
}
