/** Removes arms, strings and stalks from a region by openings: what is left is its body, and things that touch it. */
import { type Box, boxAround, type Grid, type Mask, maskOf, type Region, regionsOf, rimContact } from './regions.ts';

/** Weights of a step: distances are chamfer distances (Borgefors, 1986), in thirds of a cell. */
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
 * Distance of each cell of a box to the nearest cell with this value of the mask.
 * @param around the distance of the cells around the box
 */
function distances(mask: Mask, { left, top, width, height }: Box, value: 0 | 1, around: number): Uint16Array {
  // a line more on each side, so that no cell is without neighbours
  const line = width + 2;
  const far = new Uint16Array(line * (height + 2)).fill(around);
  const first = top * mask.width + left;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      far[(row + 1) * line + column + 1] = mask.cells[first + row * mask.width + column] === value ? 0 : FAR;
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

/** Distance of each cell of a box to the mask, as if none of it lay outside of the box. */
const distancesToMask = (mask: Mask, box: Box): Uint16Array => distances(mask, box, 1, FAR);

/** Distance of each cell of a box to what is not in the mask, as all is outside of the box. */
const distancesToOutside = (mask: Mask, box: Box): Uint16Array => distances(mask, box, 0, 0);

/** Distance of each of its cells to the outside of the region. */
const depths = (grid: Grid, region: Region): Uint16Array =>
  distancesToOutside(maskOf(grid, region.cells), boxAround(grid, region));

/**
 * The region without parts narrower than twice `radius`: an opening by a disc (Serra, "Image Analysis and Mathematical
 * Morphology", 1982).
 */
function opened(grid: Grid, region: Region, depth: Uint16Array, radius: number): Region {
  const core = maskOf(
    grid,
    region.cells.filter((cell) => (depth[cell] ?? 0) > radius),
  );
  const distance = distancesToMask(core, boxAround(grid, region));
  return { cells: region.cells.filter((cell) => (distance[cell] ?? 0) <= radius) };
}

const deepest = ({ cells }: Region, depth: Uint16Array): number =>
  cells.reduce((most, cell) => Math.max(most, depth[cell] ?? 0), 0);

/** Width of the region at its widest place, in cells. */
export const widthOf = (grid: Grid, region: Region): number => (2 * deepest(region, depths(grid, region))) / STRAIGHT;

const largestPart = (grid: Grid, region: Region): Region | null => regionsOf(maskOf(grid, region.cells))[0] ?? null;

/** The widest part of a region without parts much narrower; the whole region where that would be too little of it. */
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
export function touchingThings(grid: Grid, whole: Region, body: Region, least: number): Region[] {
  const bodyMask = maskOf(grid, body.cells);
  const rest = whole.cells.filter((cell) => bodyMask.cells[cell] === 0);
  return regionsOf(maskOf(grid, rest)).filter((part) => {
    const border = borderOf(grid, part, bodyMask);
    return part.cells.length >= least && border > 0 && widthOf(grid, part) > NECK_FACTOR * border;
  });
}

/** The part of a region at the rim that is wider than its connection with the rim; null where there is none. */
export function withoutArm(grid: Grid, region: Region): Region | null {
  const depth = depths(grid, region);
  let narrow = 0;
  let wide = deepest(region, depth);
  let free: Region | null = null;
  // bisects for the least radius whose opening removes all contact with the rim: `narrow` leaves contact, `wide` none
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
