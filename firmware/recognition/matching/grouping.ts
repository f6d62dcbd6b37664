/**
 * The views of an item: its templates in groups where they clearly differ, as pictures of a box's front and back do;
 * otherwise one group.
 *
 * Groups of templates are joined step by step, always the two that are nearest in the mean. Then the last joins are
 * undone as long as their parts clearly differ. The result depends only on the templates and their order.
 */

import { directionOf } from '../model/vectors.ts';
import { dotRow, dotRows } from './matrix.ts';

/** The fewest templates of a view: one alone may be a mistake. */
const LEAST_TEMPLATES = 2;
/**
 * By how much the templates of each of two views must be nearer to each other than to the other view's, in mean
 * cosines. Views with few templates need more, because a few may be near each other by chance. Of unseen items with
 * five templates fewer than 1 in 100 are split, of two items under one name 6 in 10 (`models/README.md`).
 */
const GAP = 0.25;
const GAP_OF_FEW = 0.2;
/** How many templates are compared with each other; each further one goes to its nearest view. */
const MOST_COMPARED = 60;
/** Cosines become integers, so that the order of a sum does not matter. */
const COSINE_UNITS = 2 ** 20;

interface Cluster {
  /** Places of its templates, in an arbitrary but fixed order. */
  readonly members: readonly number[];
  /** Sum of cosines of all pairs of its members. */
  readonly cosines: number;
  /** Its two parts; null where it is one template. */
  readonly parts: readonly [Cluster, Cluster] | null;
  /** Sum of cosines of all pairs with one member of each part. */
  readonly between: number;
}

/**
 * Places of the templates of each view; every template is in one view.
 * @param vectors of length 1; of too many the last ones are compared
 */
export function viewsOf(vectors: readonly Float32Array[]): number[][] {
  const first = Math.max(0, vectors.length - MOST_COMPARED);
  const compared = vectors.slice(first);
  const root = joinAll(compared);
  const views = root === null ? [] : separateViews(root).map(({ members }) => members.map((place) => place + first));
  if (views.length <= 1) return [vectors.map((_, place) => place)];
  return withOthers(vectors, views);
}

/** All templates in one cluster, with its parts; null where there are none. */
function joinAll(vectors: readonly Float32Array[]): Cluster | null {
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

/** The cosine of each pair, as an integer. */
function cosinesOf(vectors: readonly Float32Array[]): Float64Array[] {
  const size = vectors[0]?.length ?? 0;
  const packed = new Float32Array(vectors.length * size);
  for (const [row, vector] of vectors.entries()) packed.set(vector, row * size);
  const sums = vectors.map(() => new Float64Array(vectors.length));
  for (const [row, vector] of vectors.entries()) {
    const rowSums = sums[row] ?? new Float64Array(0);
    dotRows(vector, packed, row, rowSums);
    for (let column = 0; column < row; column++) {
      rowSums[column] = Math.round((rowSums[column] ?? 0) * COSINE_UNITS);
      // the same cosine in the mirrored cell
      sums[column]?.fill(rowSums[column] ?? 0, row, row + 1);
    }
  }
  return sums;
}

/** Places of the two clusters that are nearest in the mean; of equal ones the first. */
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

/**
 * The parts of a cluster that clearly differ; the cluster itself where none do. Parts too small to be a view are left
 * out.
 */
function separateViews(cluster: Cluster): Cluster[] {
  if (cluster.parts === null) return [cluster];
  const [one, other] = cluster.parts;
  if (Math.min(one.members.length, other.members.length) < LEAST_TEMPLATES) {
    const views = separateViews(one.members.length < other.members.length ? other : one);
    return views.length > 1 ? views : [cluster];
  }
  // of a part that is split itself each view counts: the least alike one decides
  const views = [...separateViews(one), ...separateViews(other)];
  const least = Math.min(...views.map(({ members }) => members.length));
  const within = Math.min(...views.map(meanWithin));
  const between = cluster.between / COSINE_UNITS / (one.members.length * other.members.length);
  return within - between < GAP + GAP_OF_FEW / least ? [cluster] : views;
}

const meanWithin = ({ members: { length }, cosines }: Cluster): number =>
  cosines / COSINE_UNITS / ((length * (length - 1)) / 2);

/** The views with the remaining templates, each in the view of the nearest direction; of equal ones the first. */
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
