/**
 * What of a region is its body: an opening by a disc (Serra, "Image Analysis and Mathematical Morphology", 1982) takes away whatever is
 * narrower. Distances are chamfer distances with weights 3 and 4 (Borgefors, 1986), in thirds of a cell.
 */
import { type Grid, type Mask, maskOf, type Region, regionsOf, rimContact } from './regions.ts';

const STRAIGHT = 3;
const DIAGONAL = 4;
const FAR = 0xffff;
/** Of the widest disc that fits in: what is narrower is an arm, a string or a stalk. */
const BODY_WIDTH = 0.65;
/** Of a region: with less in its body it is all arms, a bunch of dill, and is taken whole. */
const BODY_SHARE = 0.5;
/** How near the width of an arm is found, in thirds of a cell. */
const ARM_STEP = 3;

/** Of each cell to the nearest one that is `wanted`; `outside` is what the grid is surrounded by. */
function distances({ width, height }: Grid, wanted: (cell: number) => boolean, outside: number): Uint16Array {
  const line = width + 2;
  const far = new Uint16Array(line * (height + 2)).fill(outside);
  const placeOf = (cell: number): number => (Math.floor(cell / width) + 1) * line + (cell % width) + 1;
  for (let cell = 0; cell < width * height; cell++) far[placeOf(cell)] = wanted(cell) ? 0 : FAR - DIAGONAL;
  const pass = (place: number, step: 1 | -1): void => {
    const nearest = Math.min(
      (far[place - step] ?? 0) + STRAIGHT,
      (far[place - step * line] ?? 0) + STRAIGHT,
      (far[place - step * (line + 1)] ?? 0) + DIAGONAL,
      (far[place - step * (line - 1)] ?? 0) + DIAGONAL,
    );
    if (nearest < (far[place] ?? 0)) far[place] = nearest;
  };
  for (let cell = 0; cell < width * height; cell++) pass(placeOf(cell), 1);
  for (let cell = width * height - 1; cell >= 0; cell--) pass(placeOf(cell), -1);
  return Uint16Array.from({ length: width * height }, (_, cell) => far[placeOf(cell)] ?? 0);
}

/** Of each cell to what does not belong to the region. */
function depths(grid: Grid, region: Region): Uint16Array {
  const { cells }: Mask = maskOf(grid, region.cells);
  return distances(grid, (cell) => cells[cell] === 0, 0);
}

/** The region without what is narrower than twice `radius`. */
function opened(grid: Grid, region: Region, depth: Uint16Array, radius: number): Region {
  const away = distances(grid, (cell) => (depth[cell] ?? 0) > radius, FAR - DIAGONAL);
  return { cells: region.cells.filter((cell) => (away[cell] ?? 0) <= radius) };
}

const largestPart = (grid: Grid, region: Region): Region | null => regionsOf(maskOf(grid, region.cells))[0] ?? null;

export function bodyOf(grid: Grid, region: Region): Region {
  const depth = depths(grid, region);
  const deepest = region.cells.reduce((most, cell) => Math.max(most, depth[cell] ?? 0), 0);
  const body = largestPart(grid, opened(grid, region, depth, BODY_WIDTH * deepest));
  return body === null || body.cells.length < BODY_SHARE * region.cells.length ? region : body;
}

/** What of a region that touches the rim is wider than what connects it with the rim; null where nothing is. */
export function withoutArm(grid: Grid, region: Region): Region | null {
  const depth = depths(grid, region);
  let narrow = 0;
  let wide = region.cells.reduce((most, cell) => Math.max(most, depth[cell] ?? 0), 0);
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
