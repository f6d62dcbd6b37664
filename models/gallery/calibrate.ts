/** A manifest's confidence, fitted to sightings, with the probabilities from which an answer is certain or unknown. */
import { type Confidence, type Likelihood, likelihoodOf } from '../../firmware/recognition/matching/confidence.ts';
import { type Class, fitWeights, STRANGERS } from './fit.ts';
import type { Sighting } from './sightings.ts';

/** Of the certain answers: at most this share may be wrong or to a stranger, of whom `STRANGERS` are laid down. */
const RISK = 0.022;
/** Of the answers on known items, disturbed ones on trays among them: at most this share may be called unknown. */
const MISSED = 0.12;
/** A curve of risk and coverage has these shares of the known that are certain. */
const COVERAGES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7] as const;
/** Parts that items are in: each is judged by what the others gave. */
export const PARTS = 5;

type Weighed = Pick<Confidence, 'wrong' | 'stranger'>;
type Floor = Confidence['floor'];
export interface Rated {
  readonly sighting: Sighting;
  readonly likelihood: Likelihood;
}

const classOf = ({ enrolled, right }: Sighting): Class => (enrolled ? (right ? 'right' : 'wrong') : 'stranger');

const rate = (sightings: readonly Sighting[], weighed: Weighed): Rated[] =>
  sightings.map((sighting) => ({ sighting, likelihood: likelihoodOf(weighed, sighting.evidence) }));

const countOf = <T>(list: readonly T[], fits: (one: T) => boolean): number =>
  list.reduce((count, one) => count + (fits(one) ? 1 : 0), 0);

/** The least probability from which the risk is kept; 1 where none keeps it. */
function certainFrom(rated: readonly Rated[]): number {
  const known = countOf(rated, ({ sighting }) => sighting.enrolled);
  const unknown = rated.length - known;
  const sorted = rated.toSorted((one, other) => other.likelihood.right - one.likelihood.right);
  let [good, bad, from] = [0, 0, 1];
  for (const { sighting, likelihood } of sorted) {
    const share = sighting.enrolled ? (1 - STRANGERS) / known : STRANGERS / unknown;
    if (sighting.right) good += share;
    else bad += share;
    if (bad <= RISK * (good + bad)) from = likelihood.right;
  }
  return from;
}

/** Above what the known ones that may be missed are. */
function unknownFrom(rated: readonly Rated[]): number {
  const known = rated.filter(({ sighting }) => sighting.enrolled).map(({ likelihood }) => likelihood.stranger);
  known.sort((one, other) => other - one);
  return known[Math.floor(known.length * MISSED)] ?? 1;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function partsOf(items: readonly string[]): readonly (readonly string[])[] {
  const size = Math.ceil(items.length / PARTS);
  return Array.from({ length: PARTS }, (_, part) => items.slice(part * size, (part + 1) * size));
}

const weighedBy = (fitting: readonly Sighting[]): Weighed =>
  fitWeights(fitting.map((sighting) => ({ evidence: sighting.evidence, is: classOf(sighting) })));

/** What each item has by what was fitted to others. @param fitting of all items */
export type Judge = (sightings: readonly Sighting[]) => readonly Rated[];

/** Items whose names begin alike, most look-alikes among them, are in one part as far as they can. */
export function judgeByOthers(fitting: readonly Sighting[]): Judge {
  const items = [...new Set(fitting.map(({ item }) => item))].sort();
  const parts = partsOf(items).map((part) => {
    const own = new Set(part);
    return { own, weighed: weighedBy(fitting.filter(({ item }) => !own.has(item))) };
  });
  return (sightings) =>
    parts.flatMap(({ own, weighed }) =>
      rate(
        sightings.filter(({ item }) => own.has(item)),
        weighed,
      ),
    );
}

/** Without what was measured. @param judge made of the same sightings: from which probabilities an answer is certain or unknown is found by others */
export function calibrated(fitting: readonly Sighting[], judge: Judge, floor: Floor): Confidence {
  const rated = judge(fitting);
  return {
    ...weighedBy(fitting),
    certain: rounded(certainFrom(rated), 3),
    unknown: rounded(unknownFrom(rated), 3),
    floor,
    measured: [],
  };
}

/** What would come of a probability from which an answer is certain. */
export function measuredAt(from: number, rated: readonly Rated[]): Confidence['measured'][number] {
  const known = rated.filter(({ sighting }) => sighting.enrolled);
  const isSure = ({ likelihood }: Rated): boolean => likelihood.right >= from;
  const share = (fits: (one: Rated) => boolean, of: readonly Rated[]): number =>
    rounded(of.length === 0 ? 0 : (100 * countOf(of, fits)) / of.length, 1);
  const sure = known.filter(isSure);
  const wrongOf = (of: readonly Rated[]): number => share(({ sighting }) => !sighting.right, of);
  const draws = [...new Set(sure.map(({ sighting }) => sighting.draw))];
  return {
    from: rounded(from, 3),
    certain: share(isSure, known),
    wrong: wrongOf(sure),
    worst: Math.max(0, ...draws.map((draw) => wrongOf(sure.filter(({ sighting }) => sighting.draw === draw)))),
    strangers: share(
      isSure,
      rated.filter(({ sighting }) => !sighting.enrolled),
    ),
  };
}

/** With a curve of risk and coverage. @param judged sightings of one gallery */
export function withCurve(confidence: Confidence, judged: readonly Rated[]): Confidence {
  const known = judged.filter(({ sighting }) => sighting.enrolled).map(({ likelihood }) => likelihood.right);
  known.sort((one, other) => other - one);
  const curve = COVERAGES.map((share) => known[Math.floor(known.length * share)] ?? 0);
  const from = [...curve, confidence.certain].sort((one, other) => other - one);
  return { ...confidence, measured: from.map((one) => measuredAt(one, judged)) };
}
