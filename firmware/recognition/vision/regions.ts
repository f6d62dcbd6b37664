/** Regions of connected marked cells: where each lies, how far it reaches, whether the rim of the grid cuts it. */

/** Which cells of a grid are marked, row by row: 1 or 0. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;
}

/** Size of a grid, in cells. */
export type Grid = Pick<Mask, 'width' | 'height'>;

export interface Region {
  /** Indices of its cells in the grid. */
  readonly cells: readonly number[];
}

/** Steps to the neighbours of a cell: the four beside it, and those at its corners. */
const ACROSS = Int8Array.of(-1, 1, 0, 0, -1, 1, -1, 1);
const DOWN = Int8Array.of(0, 0, -1, 1, -1, -1, 1, 1);
export const BESIDE = 4;
const AROUND = 8;

/** Whether a flood may go from a cell to its neighbour. */
type Passage = (from: number, to: number) => boolean;

/**
 * Cells that can be reached from the first ones. They are removed from `left`, where 1 marks a cell that may be
 * reached.
 * @param neighbours `BESIDE` or `AROUND` @param isOpen whether a step is allowed; always when left out
 */
export function flood(
  { width, height }: Grid,
  first: readonly number[],
  left: Uint8Array,
  neighbours: number,
  isOpen?: Passage,
): number[] {
  const reached = [...first];
  for (const cell of first) left[cell] = 0;
  for (let at = 0; at < reached.length; at++) {
    const cell = reached[at] ?? 0;
    const row = Math.floor(cell / width);
    const column = cell - row * width;
    for (let step = 0; step < neighbours; step++) {
      const x = column + (ACROSS[step] ?? 0);
      const y = row + (DOWN[step] ?? 0);
      if (x < 0 || x >= width || y < 0 || y >= height) continue;
      const next = y * width + x;
      if (left[next] !== 1 || isOpen?.(cell, next) === false) continue;
      left[next] = 0;
      reached.push(next);
    }
  }
  return reached;
}

/** The regions, the largest first; cells that touch at a corner are connected. */
export function regionsOf(mask: Mask): Region[] {
  const unvisited = mask.cells.slice();
  const regions: Region[] = [];
  for (let cell = unvisited.indexOf(1); cell >= 0; cell = unvisited.indexOf(1, cell))
    regions.push({ cells: flood(mask, [cell], unvisited, AROUND) });
  return regions.sort((one, other) => other.cells.length - one.cells.length);
}

/** A mask of some cells of a grid. */
export function maskOf({ width, height }: Grid, cells: Iterable<number>): Mask {
  const marked = new Uint8Array(width * height);
  for (const cell of cells) marked[cell] = 1;
  return { width, height, cells: marked };
}

const isAtRim = ({ width, height }: Grid, cell: number): boolean => {
  const row = Math.floor(cell / width);
  const column = cell - row * width;
  return column === 0 || row === 0 || column === width - 1 || row === height - 1;
};

/** Number of the region's cells along the rim of the grid. */
export function rimContact(grid: Grid, { cells }: Region): number {
  let contact = 0;
  for (const cell of cells) if (isAtRim(grid, cell)) contact += 1;
  return contact;
}

/** Cells within `reach` of the grid's rim, row by row. */
export function cellsAtRim({ width, height }: Grid, reach: number): number[] {
  const cells: number[] = [];
  for (let row = 0; row < height; row++) {
    const isWhole = row < reach || row >= height - reach;
    for (let column = 0; column < width; column++)
      if (isWhole || column < reach || column >= width - reach) cells.push(row * width + column);
  }
  return cells;
}

/** An upright rectangle of a grid, in cells. */
export interface Box extends Grid {
  readonly left: number;
  readonly top: number;
}

/** The box around a region, some cells wider on each side, within the grid. @param region of at least one cell */
export function boxAround({ width, height }: Grid, { cells }: Region, wider = 0): Box {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (const cell of cells) {
    const row = Math.floor(cell / width);
    const column = cell - row * width;
    left = Math.min(left, column);
    right = Math.max(right, column);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row);
  }
  [left, top] = [Math.max(0, left - wider), Math.max(0, top - wider)];
  [right, bottom] = [Math.min(width, right + 1 + wider), Math.min(height, bottom + 1 + wider)];
  return { left, top, width: right - left, height: bottom - top };
}

/** The region with what it encloses: a label as white as the tray does not make an item a ring. */
export function filled(grid: Grid, region: Region): Region {
  // what lies outside of this box is not enclosed
  const box = boxAround(grid, region, 1);
  const first = box.top * grid.width + box.left;
  const free = new Uint8Array(box.width * box.height).fill(1);
  for (const cell of region.cells) {
    const row = Math.floor((cell - first) / grid.width);
    free[cell - first - row * (grid.width - box.width)] = 0;
  }
  const outside = cellsAtRim(box, 1).filter((cell) => free[cell] === 1);
  flood(box, outside, free, BESIDE);
  const enclosed: number[] = [];
  for (let cell = free.indexOf(1); cell >= 0; cell = free.indexOf(1, cell + 1)) {
    const row = Math.floor(cell / box.width);
    enclosed.push(first + cell + row * (grid.width - box.width));
  }
  return { cells: [...region.cells, ...enclosed] };
}

/** Where a region lies and how far it reaches, in cells. Middle, side and compactness do not depend on how it is turned. */
export interface Extent extends Box {
  /** Its middle. */
  readonly x: number;
  readonly y: number;
  /** Length of a square or of a rectangle's long side; for a disc 0.87 of its diameter. */
  readonly side: number;
  /** Cells relative to a rectangle of the same length and width: 1 for that, 1.05 for a disc, less where a part sticks out. */
  readonly compactness: number;
}

/** The extent by the second moments of the cells. @param region of at least one cell */
export function extentOf(grid: Grid, region: Region): Extent {
  const { cells } = region;
  const { width } = grid;
  let [sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0];
  for (const cell of cells) {
    const row = Math.floor(cell / width);
    const column = cell - row * width;
    sumX += column;
    sumY += row;
    sumXX += column * column;
    sumYY += row * row;
    sumXY += column * row;
  }
  const count = cells.length;
  const [x, y] = [sumX / count, sumY / count];
  const [xx, yy, xy] = [sumXX / count - x * x, sumYY / count - y * y, sumXY / count - x * y];
  const halfDifference = Math.sqrt(((xx - yy) / 2) ** 2 + xy ** 2);
  // 1/12: the second moment of a cell itself
  const [largest, smallest] = [(xx + yy) / 2 + halfDifference + 1 / 12, (xx + yy) / 2 - halfDifference + 1 / 12];
  const compactness = count / (12 * Math.sqrt(largest * smallest));
  return { x: x + 0.5, y: y + 0.5, side: Math.sqrt(12 * largest), compactness, ...boxAround(grid, region) };
}
