/**
 * Finds things on the tray: what differs from the learned empty tray or, where none was learned, what stands out of its
 * surroundings. Arms, strings and stalks are removed: what is left is the body of a region.
 */
import { type Background, differences, isOfOneSize, learnBackground } from './background.ts';
import type { View } from './frame.ts';
import {
  type Box,
  boxAround,
  type Extent,
  extentOf,
  filled,
  type Grid,
  type Mask,
  maskOf,
  type Region,
  regionsOf,
  rimContact,
} from './regions.ts';
import { standingOut } from './standing-out.ts';

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

/**
 * The region without parts narrower than twice `radius`: an opening by a disc (Serra, "Image Analysis and Mathematical
 * Morphology", 1982).
 */
function opened(grid: Grid, region: Region, depth: Uint16Array, radius: number): Region {
  const core = maskOf(
    grid,
    region.cells.filter((cell) => (depth[cell] ?? 0) > radius),
  );
  const distance = distances(core, boxAround(grid, region), 1, FAR);
  return { cells: region.cells.filter((cell) => (distance[cell] ?? 0) <= radius) };
}

const deepest = ({ cells }: Region, depth: Uint16Array): number =>
  cells.reduce((most, cell) => Math.max(most, depth[cell] ?? 0), 0);

/** Width of the region at its widest place, in cells. */
const widthOf = (grid: Grid, region: Region): number => (2 * deepest(region, depths(grid, region))) / STRAIGHT;

const largestPart = (grid: Grid, region: Region): Region | null => regionsOf(maskOf(grid, region.cells))[0] ?? null;

function bodyOf(grid: Grid, region: Region): Region {
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
function touching(grid: Grid, whole: Region, body: Region, least: number): Region[] {
  const bodyMask = maskOf(grid, body.cells);
  const rest = whole.cells.filter((cell) => bodyMask.cells[cell] === 0);
  return regionsOf(maskOf(grid, rest)).filter((part) => {
    const border = borderOf(grid, part, bodyMask);
    return part.cells.length >= least && border > 0 && widthOf(grid, part) > NECK_FACTOR * border;
  });
}

/** The part of a region at the rim that is wider than its connection with the rim; null where there is none. */
function withoutArm(grid: Grid, region: Region): Region | null {
  const depth = depths(grid, region);
  let narrow = 0;
  let wide = deepest(region, depth);
  let free: Region | null = null;
  // bisects for the least radius whose opening removes all contact with the rim
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

/** Share of the area from which something lies on the tray: a plum on a tray of half a metre. */
const SOMETHING_SHARE = 0.0025;
/** A cell with this excess begins a region; all connected cells above the tolerance belong to it. */
const SURE_EXCESS = 1.5;
/** Least share of a region that is no shadow: a region with less is taken whole, as a grey thing on grey steel. */
const SOLID_SHARE = 0.2;
/** Share of the largest thing's size: a smaller thing beside it is its stalk or a crumb. */
const SATELLITE_SHARE = 0.06;
/** Width in cells: a narrower thing beside a larger one is a string, or light on a bag. */
const THINNEST = 4;
/** Share of the largest part within one shadow: a smaller part belongs to it, a larger one is a separate thing. */
const PART_SHARE = 0.3;
/** Share of a touching thing that must be visible; the rest was only enclosed. */
const SEEN_SHARE = 0.5;
/** Cells along the rim from which the rim cuts a thing. */
const RIM_CONTACT = 2;
/** Share of a region with an arm that must be wider than the arm: that is what the hand holds. */
const HELD_SHARE = 0.25;
/** A region this compact has no parts that stick out. */
const COMPACT = 0.985;
/** Factor of a body's length: a part that makes it this much longer sticks out of it. */
const STRING_REACH = 1.1;
/** Cells along the rim from which a part is an arm: 2 cm where the area shows half a metre. */
const ARM_CONTACT = 5;
/** With a larger share left, no arm touches the rim but a string or the end of a bag. */
const STRING_SHARE = 0.93;

/** Why a thing is not seen whole. */
export type Cover = 'cut-by-rim' | 'hand';

export interface Thing extends Extent {
  /** Number of cells that the thing covers. */
  readonly size: number;
  readonly cover: Cover | null;
}

export interface Found {
  /** Things, the largest first; lengths in cells of the view. */
  readonly things: readonly Thing[];
  /** False where no empty tray was learned and nothing stands out clearly: the whole area must be looked at. */
  readonly isSure: boolean;
}

const isLarge = ({ width, height }: View, { cells }: Region): boolean =>
  cells.length >= SOMETHING_SHARE * width * height;

/** Regions of differing cells, each with one clear difference, without their shadows. */
function solidRegions(view: View, background: Background): Region[] {
  const { excess, shaded } = differences(background, view);
  const over = new Uint8Array(excess.length);
  for (let cell = 0; cell < over.length; cell++) over[cell] = (excess[cell] ?? 0) > 1 ? 1 : 0;
  const clear = (region: Region): boolean => region.cells.some((cell) => (excess[cell] ?? 0) > SURE_EXCESS);
  return regionsOf({ width: view.width, height: view.height, cells: over })
    .filter((region) => isLarge(view, region) && clear(region))
    .flatMap((region) => withoutShadow(view, region, shaded));
}

/** The parts of a region that are no shadow: one thing, or several that only their shadows join. */
function withoutShadow(view: View, region: Region, shaded: Uint8Array): Region[] {
  const solid = region.cells.filter((cell) => shaded[cell] === 0);
  if (solid.length < SOLID_SHARE * region.cells.length) return [region];
  const [largest, ...parts] = regionsOf(maskOf(view, solid));
  if (largest === undefined) return [region];
  const isThing = (part: Region): boolean => part.cells.length > PART_SHARE * largest.cells.length;
  const isPart = (part: Region): boolean =>
    !isThing(part) && part.cells.length > SATELLITE_SHARE * largest.cells.length;
  return [{ cells: [largest, ...parts.filter(isPart)].flatMap(({ cells }) => cells) }, ...parts.filter(isThing)];
}

/** The body of a region with narrower parts that stick out; the whole region where only its edge is uneven. */
function withoutStrings(grid: Grid, whole: Region): Region {
  const { side, compactness } = extentOf(grid, whole);
  if (compactness > COMPACT) return whole;
  const body = bodyOf(grid, whole);
  return side > STRING_REACH * extentOf(grid, body).side ? body : whole;
}

/** A region and the things that touch it, separately; a loop of string encloses much but is no thing. */
function separated(view: View, region: Region): Region[] {
  const whole = filled(view, region);
  const body = bodyOf(view, whole);
  const seen = maskOf(view, region.cells);
  const isSolid = ({ cells }: Region): boolean =>
    cells.filter((cell) => seen.cells[cell] === 1).length > SEEN_SHARE * cells.length;
  const beside = touching(view, whole, body, SATELLITE_SHARE * body.cells.length).filter(
    (part) => rimContact(view, part) < RIM_CONTACT && isSolid(part),
  );
  if (beside.length === 0) return [whole];
  const others = maskOf(
    view,
    beside.flatMap(({ cells }) => cells),
  );
  return [{ cells: whole.cells.filter((cell) => others.cells[cell] === 0) }, ...beside];
}

/** A thing and what covers it, without arms, strings and stalks. */
function thingOf(view: View, whole: Region): Thing {
  const body = withoutStrings(view, whole);
  const thing = (part: Region, cover: Cover | null): Thing => ({
    ...extentOf(view, part),
    size: part.cells.length,
    cover,
  });
  const contact = rimContact(view, whole);
  if (contact < RIM_CONTACT) return thing(body, null);
  const uncut = rimContact(view, body) < RIM_CONTACT ? body : withoutArm(view, whole);
  if (uncut === null || uncut.cells.length < HELD_SHARE * whole.cells.length) return thing(whole, 'cut-by-rim');
  const isString = contact < ARM_CONTACT || uncut.cells.length > STRING_SHARE * whole.cells.length;
  return thing(uncut, isString ? null : 'hand');
}

/** The things of some regions, the largest first, without crumbs, strings and a bag's glints beside a larger one. */
function things(view: View, regions: readonly Region[]): Thing[] {
  const [largest, ...others] = regions.toSorted((one, other) => other.cells.length - one.cells.length);
  if (largest === undefined) return [];
  const isThing = (region: Region): boolean =>
    region.cells.length > SATELLITE_SHARE * largest.cells.length && widthOf(view, region) >= THINNEST;
  return [largest, ...others.filter(isThing)]
    .flatMap((region) => separated(view, region))
    .map((whole) => thingOf(view, whole))
    .toSorted((one, other) => other.size - one.size);
}

/** @param view the whole area in its own shape */
export function find(view: View, background: Background | null): Found {
  if (background !== null) return { things: things(view, solidRegions(view, background)), isSure: true };
  const regions = standingOut(view);
  return regions === null ? { things: [], isSure: false } : { things: things(view, regions), isSure: true };
}

export const isEmptyTray = (view: View, background: Background): boolean => find(view, background).things.length === 0;

/** Whether the tray is unchanged, apart from noise: as sensitive as the check for an empty tray. */
export const isSame = (before: View, now: View): boolean =>
  isOfOneSize(before, now) && isEmptyTray(now, learnBackground([before]));
