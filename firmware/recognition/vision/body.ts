/**
 * Finds the body of a region: an opening by a disc (Serra, "Image Analysis and Mathematical Morphology", 1982) removes
 * narrower parts. Distances are chamfer distances with weights 3 and 4 (Borgefors, 1986), in thirds of a cell.
 */
import { type Box, boxAround, type Grid, type Mask, maskOf, type Region, regionsOf, rimContact } from './regions.ts';

const STRAIGHT = 3;
const DIAGONAL = 4;
/** More than any distance in a view; two more steps still fit into 16 bits. */
const FAR = 0xff00;
/** Share of the widest disc that fits in: a narrower part is an arm, a string or a stalk. */
const BODY_WIDTH = 0.65;
/** Least share of a region in its body: a region with less is all arms, as a bunch of dill, and is taken whole. */
const BODY_SHARE = 0.5;
/** A part this many times wider than its neck is a separate thing. */
const NECK_FACTOR = 1.25;
/** Precision of an arm's width, in thirds of a cell. */
const ARM_STEP = 3;

/**
 * Distance of each cell of a box to the nearest cell there that is in `mask`, or is not in it; `outside` is the
 * distance of cells outside of the box.
 * @param isMarked 1 for cells in the mask, 0 for others
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

/** Distance of each of its cells to the outside of the region. */
const depths = (grid: Grid, region: Region): Uint16Array =>
  distances(maskOf(grid, region.cells), boxAround(grid, region), 0, 0);

/** The region without parts narrower than twice `radius`. */
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

/** Width of the region at its widest place, in cells. */
export const widthOf = (grid: Grid, region: Region): number => (2 * deepest(region, depths(grid, region))) / STRAIGHT;

const largestPart = (grid: Grid, region: Region): Region | null => regionsOf(maskOf(grid, region.cells))[0] ?? null;

export function bodyOf(grid: Grid, region: Region): Region {
  const depth = depths(grid, region);
  const body = largestPart(grid, opened(grid, region, depth, BODY_WIDTH * deepest(region, depth)));
  return body === null || body.cells.length < BODY_SHARE * region.cells.length ? region : body;
}

/** How many cells of a part lie beside those of a body. */
const borderOf = ({ width }: Grid, { cells }: Region, { cells: body }: Mask): number =>
  cells.filter((cell) => {
    const column = cell % width;
    const isLeft = column > 0 && body[cell - 1] === 1;
    const isRight = column + 1 < width && body[cell + 1] === 1;
    return isLeft || isRight || body[cell - width] === 1 || body[cell + width] === 1;
  }).length;

/**
 * Things that touch a body by less than their own width. A stalk, a string or a pear's neck is none.
 * @param least fewest cells of a thing
 */
export function touching(grid: Grid, whole: Region, body: Region, least: number): Region[] {
  const own = maskOf(grid, body.cells);
  const rest = whole.cells.filter((cell) => own.cells[cell] === 0);
  return regionsOf(maskOf(grid, rest)).filter((part) => {
    const border = borderOf(grid, part, own);
    return part.cells.length >= least && border > 0 && widthOf(grid, part) > NECK_FACTOR * border;
  });
}

/** The part of a region at the rim that is wider than its connection with the rim; null where there is none. */
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
