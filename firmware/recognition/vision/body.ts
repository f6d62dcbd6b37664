/**
 * The body of a region: an opening by a disc (Serra, "Image Analysis and Mathematical Morphology", 1982) removes
 * narrower parts. Distances are chamfer distances with weights 3 and 4 (Borgefors, 1986), in thirds of a cell.
 */
import { type Box, boxAround, type Grid, type Mask, maskOf, type Region, regionsOf, rimContact } from './regions.ts';

const STRAIGHT = 3;
const DIAGONAL = 4;
/** More than any distance in a view; two more steps still fit into 16 bits. */
const FAR = 0xff00;
/** Of the widest disc that fits in: what is narrower is an arm, a string or a stalk. */
const BODY_WIDTH = 0.65;
/** Of a region: with less in its body it is all arms, a bunch of dill, and is taken whole. */
const BODY_SHARE = 0.5;
/** What is so many times wider than where it hangs on to something is a thing of its own. */
const NECK_FACTOR = 1.25;
/** How near the width of an arm is found, in thirds of a cell. */
const ARM_STEP = 3;

/**
 * Of each cell of a box to the nearest one there of `mask`, or that is none of it; of those outside of the box it is `outside`.
 * @param isMarked which of the two: 1 or 0
 */
function distances(mask: Mask, { left, top, width, height }: Box, isMarked: number, outside: number): Uint16Array {
  // a line more on each side, so that no cell is without neighbours
  const line = width + 2;
  const far = new Uint16Array(line * (height + 2)).fill(outside);
  const first = top * mask.width + left;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      far[(row + 1) * line + column + 1] = mask.cells[first + row * mask.width + column] === isMarked ? 0 : FAR;
  const relax = (place: number, step: number): void => {
    const beside = Math.min(far[place - step] ?? FAR, far[place - step * line] ?? FAR) + STRAIGHT;
    const corners = Math.min(far[place - step * (line + 1)] ?? FAR, far[place - step * (line - 1)] ?? FAR) + DIAGONAL;
    far[place] = Math.min(far[place] ?? FAR, beside, corners);
  };
  for (let row = 1; row <= height; row++) for (let column = 1; column <= width; column++) relax(row * line + column, 1);
  for (let row = height; row >= 1; row--)
    for (let column = width; column >= 1; column--) relax(row * line + column, -1);
  const result = new Uint16Array(mask.cells.length);
  for (let row = 0; row < height; row++)
    result.set(far.subarray((row + 1) * line + 1, (row + 1) * line + 1 + width), first + row * mask.width);
  return result;
}

/** Of each of its cells to what does not belong to the region. */
const depths = (grid: Grid, region: Region): Uint16Array =>
  distances(maskOf(grid, region.cells), boxAround(grid, region), 0, 0);

/** The region without what is narrower than twice `radius`. */
function opened(grid: Grid, region: Region, depth: Uint16Array, radius: number): Region {
  const core = maskOf(
    grid,
    region.cells.filter((cell) => (depth[cell] ?? 0) > radius),
  );
  const away = distances(core, boxAround(grid, region), 1, FAR);
  return { cells: region.cells.filter((cell) => (away[cell] ?? 0) <= radius) };
}

const deepest = ({ cells }: Region, depth: Uint16Array): number =>
  cells.reduce((most, cell) => Math.max(most, depth[cell] ?? 0), 0);

/** In cells, where the region is widest. */
export const widthOf = (grid: Grid, region: Region): number => (2 * deepest(region, depths(grid, region))) / STRAIGHT;

const largestPart = (grid: Grid, region: Region): Region | null => regionsOf(maskOf(grid, region.cells))[0] ?? null;

export function bodyOf(grid: Grid, region: Region): Region {
  const depth = depths(grid, region);
  const body = largestPart(grid, opened(grid, region, depth, BODY_WIDTH * deepest(region, depth)));
  return body === null || body.cells.length < BODY_SHARE * region.cells.length ? region : body;
}

/** Cells of a part that lie beside those of a body. */
const borderOf = ({ width }: Grid, { cells }: Region, { cells: body }: Mask): number =>
  cells.filter((cell) => {
    const column = cell % width;
    const isLeft = column > 0 && body[cell - 1] === 1;
    const isRight = column + 1 < width && body[cell + 1] === 1;
    return isLeft || isRight || body[cell - width] === 1 || body[cell + width] === 1;
  }).length;

/**
 * Things that touch a body: they hang on to it by less than their own width. A stalk, a string or a pear's neck does not.
 * @param least cells that one has
 */
export function touching(grid: Grid, whole: Region, body: Region, least: number): Region[] {
  const own = maskOf(grid, body.cells);
  const rest = whole.cells.filter((cell) => own.cells[cell] === 0);
  return regionsOf(maskOf(grid, rest)).filter((part) => {
    const border = borderOf(grid, part, own);
    return part.cells.length >= least && border > 0 && widthOf(grid, part) > NECK_FACTOR * border;
  });
}

/** What of a region that touches the rim is wider than what connects it with the rim; null where nothing is. */
export function withoutArm(grid: Grid, region: Region): Region | null {
  const depth = depths(grid, region);
  let narrow = 0;
  let wide = deepest(region, depth);
  let free: Region | null = null;
  while (wide - narrow > ARM_STEP) {
    const radius = (narrow + wide) / 2;
    const rest = opened(grid, region, depth, radius);
    if (rimContact(grid, rest) > 0) narrow = radius;
    else {
      wide = radius;
      free = rest;
    }
  }
  return free === null ? null : largestPart(grid, free);
}
