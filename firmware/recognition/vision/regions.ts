/** Regions of marked cells that hang together: where each lies, how far it reaches, whether the rim of the grid cuts it. */

/** Which cells of a grid are marked, row by row: 1 or 0. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;
}

/** Size of a grid, in cells. */
export type Grid = Pick<Mask, 'width' | 'height'>;

export interface Region {
  /** Indices into the grid. */
  readonly cells: readonly number[];
}

const NEIGHBOURS = [-1, 0, 1]
  .flatMap((y) => [-1, 0, 1].map((x) => [x, y] as const))
  .filter(([x, y]) => x !== 0 || y !== 0);
const BESIDE = NEIGHBOURS.filter(([x, y]) => x === 0 || y === 0);

/** Cells that can be reached over neighbours that are `wanted`. */
function flood(
  { width, height }: Mask,
  start: number,
  seen: Uint8Array,
  wanted: (cell: number) => boolean,
  neighbours: readonly (readonly [number, number])[],
): number[] {
  const reached = [start];
  seen[start] = 1;
  // the list grows while it is walked
  for (const cell of reached) {
    const [column, row] = [cell % width, Math.floor(cell / width)];
    for (const [x, y] of neighbours) {
      if (column + x < 0 || column + x >= width || row + y < 0 || row + y >= height) continue;
      const next = cell + y * width + x;
      if (seen[next] === 1 || !wanted(next)) continue;
      seen[next] = 1;
      reached.push(next);
    }
  }
  return reached;
}

/** Largest first. Cells that touch at a corner hang together. */
export function regionsOf(mask: Mask): Region[] {
  const seen = new Uint8Array(mask.cells.length);
  const isMarked = (cell: number): boolean => mask.cells[cell] === 1;
  const regions: Region[] = [];
  for (const cell of mask.cells.keys()) {
    if (seen[cell] === 1 || !isMarked(cell)) continue;
    regions.push({ cells: flood(mask, cell, seen, isMarked, NEIGHBOURS) });
  }
  return regions.sort((one, other) => other.cells.length - one.cells.length);
}

/** A mask of some cells of a grid. */
export function maskOf({ width, height }: Grid, cells: Iterable<number>): Mask {
  const marked = new Uint8Array(width * height);
  for (const cell of cells) marked[cell] = 1;
  return { width, height, cells: marked };
}

const isAtRim = ({ width, height }: Grid, cell: number): boolean => {
  const [column, row] = [cell % width, Math.floor(cell / width)];
  return column === 0 || row === 0 || column === width - 1 || row === height - 1;
};

/** Cells of the region along the rim of the grid. */
export function rimContact(grid: Grid, { cells }: Region): number {
  return cells.filter((cell) => isAtRim(grid, cell)).length;
}

/** The same with what it encloses: a label as white as the tray does not make an item a ring. */
export function filled(grid: Grid, region: Region): Region {
  const mask = maskOf(grid, region.cells);
  const outside = new Uint8Array(mask.cells.length);
  const isFree = (cell: number): boolean => mask.cells[cell] === 0;
  for (const cell of mask.cells.keys()) {
    if (isAtRim(grid, cell) && isFree(cell) && outside[cell] === 0) flood(mask, cell, outside, isFree, BESIDE);
  }
  return { cells: [...outside.keys()].filter((cell) => outside[cell] === 0) };
}

/** Where a region lies and how far it reaches, in cells; the same however it is turned. */
export interface Extent {
  /** Its middle. */
  readonly x: number;
  readonly y: number;
  /** Of a square or the long side of a rectangle, its length; of a disc 0.87 of its diameter. */
  readonly side: number;
  /** Upright rectangle around it. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** By the second moments of its cells. */
export function extentOf({ width }: Grid, { cells }: Region): Extent {
  const places = cells.map((cell) => [(cell % width) + 0.5, Math.floor(cell / width) + 0.5] as const);
  const mean = (value: (place: readonly [number, number]) => number): number =>
    places.reduce((sum, place) => sum + value(place), 0) / places.length;
  const [x, y] = [mean(([across]) => across), mean(([, down]) => down)];
  const xx = mean(([across]) => (across - x) ** 2);
  const yy = mean(([, down]) => (down - y) ** 2);
  const xy = mean(([across, down]) => (across - x) * (down - y));
  // 1/12: of a cell itself
  const largest = (xx + yy) / 2 + Math.sqrt(((xx - yy) / 2) ** 2 + xy ** 2) + 1 / 12;
  let [left, right, top, bottom] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0];
  for (const [across, down] of places) {
    left = Math.min(left, across - 0.5);
    right = Math.max(right, across + 0.5);
    top = Math.min(top, down - 0.5);
    bottom = Math.max(bottom, down + 0.5);
  }
  return { x, y, side: Math.sqrt(12 * largest), left, top, width: right - left, height: bottom - top };
}
