/** Figures of one head on one set of vectors: how often it is right, and whether it knows what it does not know. */

import type { Speed } from '../../firmware/core/config/choices.ts';
import { Classifier, type ClassifierRules } from '../../firmware/recognition/matching/classifier.ts';
import { dotRow } from '../../firmware/recognition/matching/matrix.ts';
import type { Verdict } from '../../firmware/recognition/matching/scoring.ts';
import { averageVectors } from '../../firmware/recognition/model/vectors.ts';
import { DRAWS, type Draw, drawTemplates, type Row } from './protocol.ts';

export interface Answer {
  /** Best first. */
  readonly ids: readonly string[];
  /** What known and unknown items are told apart by. */
  readonly similarity: number;
  readonly verdict: Verdict | null;
}

/** Learns templates by item and answers queries. */
export type Head = (templates: ReadonlyMap<string, readonly Float32Array[]>) => (query: Float32Array) => Answer;

/** The device's own classifier, for queries at a speed. */
export function classifier(rules: ClassifierRules, speed: Speed): Head {
  return (templates) => {
    const made = new Classifier(rules);
    for (const [item, vectors] of templates) {
      made.addAll(vectors.map((vector, at) => ({ item, key: `${item}/${at}`, vector })));
    }
    return (query) => {
      const { items, verdict } = made.classify(query, 3, speed);
      return { ids: items.map(({ id }) => id), similarity: items[0]?.similarity ?? -1, verdict };
    };
  };
}

/** Each item is as similar as its prototype. */
export const meanPrototype: Head = (templates) =>
  bySimilarity(new Map([...templates].map(([id, vectors]) => [id, [averageVectors(vectors)]])));

/** Each item is as similar as its nearest template. */
export const nearestTemplate: Head = (templates) => bySimilarity(templates);

const bySimilarity: Head = (templates) => (query) => {
  const ranked = [...templates]
    .map(([id, vectors]) => ({ id, similarity: Math.max(...vectors.map((vector) => dotRow(query, vector, 0))) }))
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, 3);
  return { ids: ranked.map(({ id }) => id), similarity: ranked[0]?.similarity ?? -1, verdict: null };
};

/** Area under the ROC curve: how often a known query scores above an unknown one. Ties count half. */
export function areaUnderCurve(known: readonly number[], unknown: readonly number[]): number {
  const sorted = [
    ...known.map((score) => ({ score, known: true })),
    ...unknown.map((score) => ({ score, known: false })),
  ].sort((one, other) => one.score - other.score);
  let area = 0;
  let below = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1;
    const tied = sorted.slice(from, to);
    const knownHere = tied.filter((one) => one.known).length;
    const unknownHere = tied.length - knownHere;
    area += knownHere * (below + unknownHere / 2);
    below += unknownHere;
    from = to;
  }
  return area / (known.length * unknown.length);
}

/** All in per cent, but for `auroc`. */
export interface Figures {
  readonly top1: number;
  readonly top3: number;
  readonly auroc: number;
  /** Of the known: answered as certain. Null where a head gives no verdict. */
  readonly certain: number | null;
  /** Of the certain among the known: wrong. */
  readonly wrong: number | null;
  /** Of the unknown: flagged as such. */
  readonly flagged: number | null;
  /** Of the unknown: answered as certain all the same. */
  readonly fooled: number | null;
}

const percent = (count: number, all: number): number => (all === 0 ? 0 : (100 * count) / all);

function enrol(vectors: readonly Float32Array[], draw: Draw, items: ReadonlySet<string> | null) {
  const templates = new Map<string, readonly Float32Array[]>();
  for (const [item, rows] of draw.templates) {
    if (items !== null && !items.has(item)) continue;
    templates.set(
      item,
      rows.map((row) => vectors[row] ?? new Float32Array(0)),
    );
  }
  return templates;
}

function judgeDraw(vectors: readonly Float32Array[], draw: Draw, head: Head): Figures {
  const query = (row: number): Float32Array => vectors[row] ?? new Float32Array(0);
  const ask = head(enrol(vectors, draw, null));
  const ranks = draw.queries.map(({ row, item }) => ask(query(row)).ids.indexOf(item));

  const areas: number[] = [];
  const counts = { known: 0, certain: 0, wrong: 0, unknown: 0, flagged: 0, fooled: 0, verdicts: 0 };
  for (const half of draw.halves) {
    const askHalf = head(enrol(vectors, draw, half));
    const known: number[] = [];
    const unknown: number[] = [];
    for (const { row, item } of draw.queries) {
      const { ids, similarity, verdict } = askHalf(query(row));
      const enrolled = half.has(item);
      (enrolled ? known : unknown).push(similarity);
      if (verdict === null) continue;
      counts.verdicts += 1;
      if (enrolled && verdict.certain) {
        counts.certain += 1;
        if (ids[0] !== item) counts.wrong += 1;
      }
      if (!enrolled && verdict.unknown) counts.flagged += 1;
      if (!enrolled && verdict.certain) counts.fooled += 1;
    }
    areas.push(areaUnderCurve(known, unknown));
    counts.known += known.length;
    counts.unknown += unknown.length;
  }
  const share = (count: number, all: number) => (counts.verdicts === 0 ? null : percent(count, all));
  return {
    top1: percent(ranks.filter((rank) => rank === 0).length, ranks.length),
    top3: percent(ranks.filter((rank) => rank >= 0).length, ranks.length),
    auroc: areas.reduce((sum, area) => sum + area, 0) / areas.length,
    certain: share(counts.certain, counts.known),
    wrong: share(counts.wrong, counts.certain),
    flagged: share(counts.flagged, counts.unknown),
    fooled: share(counts.fooled, counts.unknown),
  };
}

/**
 * Figures of every draw in every fold.
 * @param vectorsOf the vectors to judge a fold by, from a model that has not seen it
 */
export function judge(
  rows: readonly Row[],
  folds: readonly (readonly string[])[],
  vectorsOf: (fold: number) => readonly Float32Array[],
  count: number,
  head: Head,
): Figures[] {
  return folds.flatMap((judged, fold) =>
    Array.from({ length: DRAWS }, (_, number) =>
      judgeDraw(vectorsOf(fold), drawTemplates(rows, judged, count, number), head),
    ),
  );
}
