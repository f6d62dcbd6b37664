/** How long and wide a thing on the tray is. */
import type { Thing } from '../vision/finder.ts';
import type { Area, View } from '../vision/frame.ts';
import type { Projection } from './projection.ts';
import { mmSteps } from './tray-scale.ts';

/** In whole millimetres, seen from above: a thing that is nearer to the camera than the tray is told larger than it is. */
export interface Size {
  readonly lengthMm: number;
  /** Across its length; never more than that. */
  readonly widthMm: number;
}

/** No tray is larger. */
export const MAX_SIZE_MM = 5_000;

/** Standard deviations that a rectangle is long, and an ellipse. */
const OF_RECTANGLE = Math.sqrt(12);
const OF_ELLIPSE = 4;
/** `compactness` of an ellipse; that of a rectangle is 1. */
const ELLIPSE = Math.PI / 3;

/** Between a rectangle and an ellipse, by what it is more like. */
function deviations(compactness: number): number {
  const roundness = Math.min(1, Math.max(0, (compactness - 1) / (ELLIPSE - 1)));
  return OF_RECTANGLE + roundness * (OF_ELLIPSE - OF_RECTANGLE);
}

/**
 * @param view that it was found in @param area that the view is of
 * @returns null of one that is not seen whole
 */
export function sizeOf(thing: Thing, view: View, area: Area, projection: Projection): Size | null {
  if (thing.cover !== null) return null;
  const [scaleX, scaleY] = [area.width / view.width, area.height / view.height];
  const { across, down } = mmSteps(projection, { x: area.x + thing.x * scaleX, y: area.y + thing.y * scaleY });
  const { xx, yy, xy } = thing.spread;
  // the spread in pixels, and by J S Jᵀ on the tray
  const [a, b, c] = [xx * scaleX ** 2, yy * scaleY ** 2, xy * scaleX * scaleY];
  const onTray = (one: 'x' | 'y', other: 'x' | 'y'): number =>
    across[one] * across[other] * a +
    down[one] * down[other] * b +
    (across[one] * down[other] + across[other] * down[one]) * c;
  const [left, right, both] = [onTray('x', 'x'), onTray('y', 'y'), onTray('x', 'y')];
  const difference = Math.hypot((left - right) / 2, both);
  const length = (variance: number): number =>
    Math.min(MAX_SIZE_MM, Math.max(1, Math.round(deviations(thing.compactness) * Math.sqrt(Math.max(0, variance)))));
  return { lengthMm: length((left + right) / 2 + difference), widthMm: length((left + right) / 2 - difference) };
}
