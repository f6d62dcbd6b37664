/**
 * Finds things on the tray: what differs from the learned empty tray or, where none was learned, what stands out of its
 * surroundings. Each is measured by its body (`bodies.ts`).
 */
import { type Background, differences, isOfOneSize, learnBackground } from './background.ts';
import { bodyOf, touchingThings, widthOf, withoutArm } from './bodies.ts';
import type { View } from './frame.ts';
import { type Extent, extentOf, filled, type Grid, maskOf, type Region, regionsOf, rimContact } from './regions.ts';
import { standingOut } from './standing-out.ts';

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
export type CoveredBy = 'cut-by-rim' | 'hand';

export interface Thing extends Extent {
  /** Number of cells that the thing covers. */
  readonly size: number;
  readonly cover: CoveredBy | null;
}

export interface FoundThings {
  /** Things, the largest first; lengths in cells of the view. */
  readonly things: readonly Thing[];
  /** False where no empty tray was learned and nothing stands out clearly: the whole area must be looked at. */
  readonly isSure: boolean;
}

const isLarge = ({ width, height }: View, { cells }: Region): boolean =>
  cells.length >= SOMETHING_SHARE * width * height;

/** Regions of differing cells, each with at least one clearly differing cell, without their shadows. */
function solidRegions(view: View, background: Background): Region[] {
  const { excess, shaded } = differences(background, view);
  const over = new Uint8Array(excess.length);
  for (let cell = 0; cell < over.length; cell++) over[cell] = (excess[cell] ?? 0) > 1 ? 1 : 0;
  const isClear = (region: Region): boolean => region.cells.some((cell) => (excess[cell] ?? 0) > SURE_EXCESS);
  return regionsOf({ width: view.width, height: view.height, cells: over })
    .filter((region) => isLarge(view, region) && isClear(region))
    .flatMap((region) => withoutShadow(view, region, shaded));
}

/** The parts of a region that are no shadow: one thing, or several that only their shadows join. */
function withoutShadow(view: View, region: Region, shaded: Uint8Array): Region[] {
  const solid = region.cells.filter((cell) => shaded[cell] === 0);
  if (solid.length < SOLID_SHARE * region.cells.length) return [region];
  const [largest, ...parts] = regionsOf(maskOf(view, solid));
  if (largest === undefined) return [region];
  const isSeparate = (part: Region): boolean => part.cells.length > PART_SHARE * largest.cells.length;
  const belongsToLargest = (part: Region): boolean =>
    !isSeparate(part) && part.cells.length > SATELLITE_SHARE * largest.cells.length;
  const joined = [largest, ...parts.filter(belongsToLargest)].flatMap(({ cells }) => cells);
  return [{ cells: joined }, ...parts.filter(isSeparate)];
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
  const beside = touchingThings(view, whole, body, SATELLITE_SHARE * body.cells.length).filter(
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
  const measured = (part: Region, cover: CoveredBy | null): Thing => ({
    ...extentOf(view, part),
    size: part.cells.length,
    cover,
  });
  const contact = rimContact(view, whole);
  if (contact < RIM_CONTACT) return measured(body, null);
  const uncut = rimContact(view, body) < RIM_CONTACT ? body : withoutArm(view, whole);
  if (uncut === null || uncut.cells.length < HELD_SHARE * whole.cells.length) return measured(whole, 'cut-by-rim');
  const isString = contact < ARM_CONTACT || uncut.cells.length > STRING_SHARE * whole.cells.length;
  return measured(uncut, isString ? null : 'hand');
}

/** The things of some regions, the largest first, without crumbs, strings and a bag's glints beside a larger one. */
function thingsOf(view: View, regions: readonly Region[]): Thing[] {
  const [largest, ...others] = regions.toSorted((one, other) => other.cells.length - one.cells.length);
  if (largest === undefined) return [];
  const isLargeEnough = (region: Region): boolean =>
    region.cells.length > SATELLITE_SHARE * largest.cells.length && widthOf(view, region) >= THINNEST;
  return [largest, ...others.filter(isLargeEnough)]
    .flatMap((region) => separated(view, region))
    .map((whole) => thingOf(view, whole))
    .toSorted((one, other) => other.size - one.size);
}

/** @param view the whole area in its own shape */
export function findThings(view: View, background: Background | null): FoundThings {
  if (background !== null) return { things: thingsOf(view, solidRegions(view, background)), isSure: true };
  const regions = standingOut(view);
  return regions === null ? { things: [], isSure: false } : { things: thingsOf(view, regions), isSure: true };
}

export const isEmptyTray = (view: View, background: Background): boolean =>
  findThings(view, background).things.length === 0;

/** Whether the tray is unchanged, apart from noise: as sensitive as the check for an empty tray. */
export const isSameTray = (before: View, now: View): boolean =>
  isOfOneSize(before, now) && isEmptyTray(now, learnBackground([before]));
