/**
 * The views of an item: the groups that its templates fall into where they fall apart clearly, as those of a box from the front and
 * from the back do. One group where they do not.
 *
 * Templates are joined step by step, always the two groups whose templates are the nearest in the mean, and the last joints are
 * undone as long as what they joined lies apart. A function of the templates in their order, and of nothing else.
 */

import { directionOf } from '../embedding/embedder-vectors.ts';
import { dotRow, dotRows } from './matrix.ts';

/** Templates of a view: one alone may be a slip. */
const LEAST_TEMPLATES = 2;
/**
 * How much nearer the templates of each of two views are to each other than to those of the other view, in mean cosines: so much, and
 * more where a view has few templates, since of few some are near each other by chance. Of unseen items with five templates
 * fewer than 1 in 100 fall apart, of two items under one name 6 in 10 (`models/README.md`).
 */
const GAP = 0.25;
const GAP_OF_FEW = 0.2;
/** Templates that are compared with each other; each further one goes to the view that it is nearest to. */
const MOST_COMPARED = 60;
/** Cosines become integers: their sums have no order. */
const COSINE_UNITS = 2 ** 20;

interface Cluster {
  /** Places of its templates, in no order but the same one each time. */
  readonly members: readonly number[];
  /** Of all pairs of its members. */
  readonly cosines: number;
  /** Null where it is one template. */
  readonly parts: readonly [Cluster, Cluster] | null;
  /** Of all pairs of one of each part. */
  readonly between: number;
}

/**
 * Places of the templates of each view; every template stands in one.
 * @param vectors of length 1. Of more than can be compared the last ones are
 */
export function viewsOf(vectors: readonly Float32Array[]): number[][] {
  const first = Math.max(0, vectors.length - MOST_COMPARED);
  const compared = vectors.slice(first);
  const root = joined(compared);
  const views = root === null ? [] : apart(root).map(({ members }) => members.map((place) => place + first));
  if (views.length <= 1) return [vectors.map((_, place) => place)];
  return withOthers(vectors, views);
}

/** All templates in one cluster, with its parts; null of none. */
function joined(vectors: readonly Float32Array[]): Cluster | null {
  // each cluster stands at the place of its first template
  const clusters = vectors.map((_, place): Cluster => ({ members: [place], cosines: 0, parts: null, between: 0 }));
  const places = [...vectors.keys()];
  const sums = cosinesOf(vectors);
  while (places.length > 1) {
    const [into, from] = nearestTwo(places, clusters, sums);
    const [one, other] = [clusters[into], clusters[from]];
    if (one === undefined || other === undefined) throw new RangeError('a cluster that is not there');
    clusters[into] = join(one, other, sums[into]?.[from] ?? 0);
    places.splice(places.indexOf(from), 1);
    for (const place of places) {
      const sum = (sums[into]?.[place] ?? 0) + (sums[from]?.[place] ?? 0);
      for (const [row, column] of [
        [into, place],
        [place, into],
      ] as const) {
        const values = sums[row];
        if (values !== undefined) values[column] = sum;
      }
    }
  }
  return clusters[0] ?? null;
}

/** Of each with each, in integers. */
function cosinesOf(vectors: readonly Float32Array[]): Float64Array[] {
  const size = vectors[0]?.length ?? 0;
  const packed = new Float32Array(vectors.length * size);
  for (const [row, vector] of vectors.entries()) packed.set(vector, row * size);
  const sums = vectors.map(() => new Float64Array(vectors.length));
  for (const [row, vector] of vectors.entries()) {
    const own = sums[row] ?? new Float64Array(0);
    dotRows(vector, packed, row, own);
    for (let column = 0; column < row; column++) {
      own[column] = Math.round((own[column] ?? 0) * COSINE_UNITS);
      sums[column]?.fill(own[column] ?? 0, row, row + 1);
    }
  }
  return sums;
}

/** Places of the two clusters whose templates are the nearest in the mean; of equal ones of those that come first. */
function nearestTwo(places: readonly number[], clusters: readonly Cluster[], sums: readonly Float64Array[]) {
  let [into, from] = [0, 0];
  let best = Number.NEGATIVE_INFINITY;
  for (const [at, one] of places.entries()) {
    const row = sums[one];
    const count = clusters[one]?.members.length ?? 0;
    for (let next = at + 1; next < places.length; next++) {
      const other = places[next] ?? 0;
      const mean = (row?.[other] ?? 0) / (count * (clusters[other]?.members.length ?? 0));
      if (mean > best) [best, into, from] = [mean, one, other];
    }
  }
  return [into, from] as const;
}

const join = (one: Cluster, other: Cluster, between: number): Cluster => ({
  members: [...one.members, ...other.members],
  cosines: one.cosines + other.cosines + between,
  parts: [one, other],
  between,
});

/** The parts of a cluster that lie apart; itself where none do. Slips, too few to be a view, are in none of several. */
function apart(cluster: Cluster): Cluster[] {
  if (cluster.parts === null) return [cluster];
  const [one, other] = cluster.parts;
  if (Math.min(one.members.length, other.members.length) < LEAST_TEMPLATES) {
    const views = apart(one.members.length < other.members.length ? other : one);
    return views.length > 1 ? views : [cluster];
  }
  // what falls apart itself is as alike as each of its views
  const views = [...apart(one), ...apart(other)];
  const least = Math.min(...views.map(({ members }) => members.length));
  const within = Math.min(...views.map(meanWithin));
  const between = cluster.between / COSINE_UNITS / (one.members.length * other.members.length);
  return within - between < GAP + GAP_OF_FEW / least ? [cluster] : views;
}

const meanWithin = ({ members: { length }, cosines }: Cluster): number =>
  cosines / COSINE_UNITS / ((length * (length - 1)) / 2);

/** The views with the templates that are in none yet, each in the one whose direction is the nearest; of equal ones the first. */
function withOthers(vectors: readonly Float32Array[], views: readonly (readonly number[])[]): number[][] {
  const directions = views.map((places) => directionOf(places.flatMap((place) => vectors[place] ?? [])));
  const isIn = new Set(views.flat());
  const whole = views.map((places) => [...places]);
  for (const [place, vector] of vectors.entries()) {
    if (isIn.has(place)) continue;
    const cosines = directions.map((direction) => dotRow(vector, direction, 0));
    whole[cosines.indexOf(Math.max(...cosines))]?.push(place);
  }
  return whole;
}
