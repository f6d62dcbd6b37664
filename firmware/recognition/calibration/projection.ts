/**
 * How a plane is seen by a camera: a projective map (homography), fitted to points by least squares (Hartley and Zisserman,
 * "Multiple View Geometry", 2004, the inhomogeneous form of 4.1.2).
 */
import type { Point } from './sheet.ts';

/** Two points that are one: in the picture, and on the plane. */
export interface Pair {
  readonly seen: Point;
  readonly real: Point;
}

/** Of (x, y): ((a x + b y + c) / w, (d x + e y + f) / w) with w = g x + h y + 1. */
export type Projection = readonly [number, number, number, number, number, number, number, number];

const UNKNOWNS = 8;
/** Of the largest value of its column: with less in it nothing can be solved for. */
const LEAST_PIVOT = 1e-9;

/** Gauss–Jordan with pivots, of a square system with its right side as the last column; null where it has no one solution. */
function solved(rows: number[][]): number[] | null {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const rest = rows.slice(column);
    const pivot = rest.reduce((best, row) => (Math.abs(row[column] ?? 0) > Math.abs(best[column] ?? 0) ? row : best));
    const value = pivot[column] ?? 0;
    if (!(Math.abs(value) > LEAST_PIVOT)) return null;
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(column, 0, pivot);
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = (row[column] ?? 0) / value;
      for (let at = column; at <= size; at++) row[at] = (row[at] ?? 0) - factor * (pivot[at] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}

/**
 * From what is seen to the plane. Coordinates should be of the size of 1 around the middle, for the sake of the sums.
 * @returns null of less than four pairs, or where they lie on a line
 */
export function fitted(pairs: readonly Pair[]): Projection | null {
  const sums = Array.from({ length: UNKNOWNS }, () => new Array<number>(UNKNOWNS + 1).fill(0));
  for (const { seen, real } of pairs) {
    for (const [equation, right] of [
      [[seen.x, seen.y, 1, 0, 0, 0, -seen.x * real.x, -seen.y * real.x], real.x],
      [[0, 0, 0, seen.x, seen.y, 1, -seen.x * real.y, -seen.y * real.y], real.y],
    ] as const) {
      for (const [row, factor] of equation.entries()) {
        const sum = sums[row] ?? [];
        for (const [column, value] of equation.entries()) sum[column] = (sum[column] ?? 0) + factor * value;
        sum[UNKNOWNS] = (sum[UNKNOWNS] ?? 0) + factor * right;
      }
    }
  }
  const [a, b, c, d, e, f, g, h] = solved(sums) ?? [];
  if (h === undefined) return null;
  return [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f ?? 0, g ?? 0, h];
}

/** Below 0 lies what is behind the camera. */
export const depthAt = ([, , , , , , g, h]: Projection, { x, y }: Point): number => g * x + h * y + 1;

export function projected(projection: Projection, point: Point): Point {
  const [a, b, c, d, e, f] = projection;
  const depth = depthAt(projection, point);
  return { x: (a * point.x + b * point.y + c) / depth, y: (d * point.x + e * point.y + f) / depth };
}

/** What a small step to the right and one down become at a place (the Jacobian). */
export interface Steps {
  readonly across: Point;
  readonly down: Point;
}

export function stepsAt(projection: Projection, point: Point): Steps {
  const [a, b, , d, e, , g, h] = projection;
  const depth = depthAt(projection, point);
  const { x, y } = projected(projection, point);
  return {
    across: { x: (a - g * x) / depth, y: (d - g * y) / depth },
    down: { x: (b - h * x) / depth, y: (e - h * y) / depth },
  };
}

/** How many times as large an area becomes at a place. */
export const areaFactor = ({ across, down }: Steps): number => Math.abs(across.x * down.y - across.y * down.x);
