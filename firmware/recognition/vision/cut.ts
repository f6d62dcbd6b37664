/**
 * Rectangles of a picture: the area that is looked at, the square around a thing that the model gets, and the box that
 * is reported of the thing.
 */
import { AREA_COORDINATES, type Area } from '../model/area.ts';
import type { Extent } from './regions.ts';

/** A square around a thing, in shares of the area that it lies in; it may reach beyond the area. */
export interface Cut {
  /** Horizontal place of its middle, as a share of the area's width. */
  readonly x: number;
  /** Vertical place of its middle, as a share of the area's height. */
  readonly y: number;
  /** Its side, as a share of the area's width. */
  readonly side: number;
}

/** Size of a picture or a view, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Side of the square in lengths of the thing: the model looks at the middle of its input. */
const MARGIN = 1.2;

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a frame of 1280×720 in the pixels of a picture that was stretched to it, which may be fractions. */
export function ofPicture({ x, y, width, height }: Area, picture: Size): Rectangle {
  const [scaleX, scaleY] = [picture.width / AREA_COORDINATES.width, picture.height / AREA_COORDINATES.height];
  return { left: x * scaleX, top: y * scaleY, width: width * scaleX, height: height * scaleY };
}

/** All of a picture. */
export const wholeOf = ({ width, height }: Size): Rectangle => ({ left: 0, top: 0, width, height });

/** An area in the pixels of a picture, at least one pixel and never outside. Null is the whole picture. */
export const toPixels = (area: Area | null, picture: Size): Rectangle =>
  area === null ? wholeOf(picture) : wholePixels(ofPicture(area, picture), wholeOf(picture));

/** Sides of something in another scale, at least a pixel each. */
export function scaledSize({ width, height }: Size, scale: number): Size {
  const shrink = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: shrink(width), height: shrink(height) };
}

/** The middle of a rectangle, with sides of the given sizes. */
export function middle(of: Rectangle, width: number, height: number): Rectangle {
  return { left: of.left + (of.width - width) / 2, top: of.top + (of.height - height) / 2, width, height };
}

export function cutPixels(area: Rectangle, { x, y, side }: Cut): Rectangle {
  const length = side * area.width;
  return {
    left: area.left + x * area.width - length / 2,
    top: area.top + y * area.height - length / 2,
    width: length,
    height: length,
  };
}

/** The part of a rectangle that lies in another; at least one pixel. */
export function inside({ left, top, width, height }: Rectangle, bounds: Rectangle): Rectangle {
  const within = (value: number, from: number, room: number): number => Math.min(from + room, Math.max(from, value));
  const [right, bottom] = [
    within(left + width, bounds.left, bounds.width),
    within(top + height, bounds.top, bounds.height),
  ];
  const part = { left: within(left, bounds.left, bounds.width - 1), top: within(top, bounds.top, bounds.height - 1) };
  return { ...part, width: Math.max(1, right - part.left), height: Math.max(1, bottom - part.top) };
}

/** A rectangle rounded to whole pixels, at least one and none outside of `bounds`. */
export function wholePixels(rectangle: Rectangle, bounds: Rectangle): Rectangle {
  const left = Math.min(bounds.left + bounds.width - 1, Math.max(bounds.left, Math.round(rectangle.left)));
  const top = Math.min(bounds.top + bounds.height - 1, Math.max(bounds.top, Math.round(rectangle.top)));
  return {
    left,
    top,
    width: Math.max(1, Math.min(bounds.left + bounds.width - left, Math.round(rectangle.width))),
    height: Math.max(1, Math.min(bounds.top + bounds.height - top, Math.round(rectangle.height))),
  };
}

/** @param view that the thing was found in */
export const cutAround = ({ x, y, side }: Extent, { width, height }: Size): Cut => ({
  x: x / width,
  y: y / height,
  side: (MARGIN * side) / width,
});

/** A rectangle with its edges on whole pixels. */
function onPixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top };
}

/**
 * Upright rectangle around a thing, in whole pixels of a frame of 1280×720.
 * @param thing null where none stood out: the whole area
 * @param view that the thing was found in
 * @param area of the view; its sides may be fractions
 */
export function boxOf(thing: Extent | null, { width, height }: Size, area: Area | null): Area {
  const whole = area ?? { x: 0, y: 0, ...AREA_COORDINATES };
  if (thing === null) return onPixels(whole);
  const [scaleX, scaleY] = [whole.width / width, whole.height / height];
  return onPixels({
    x: whole.x + thing.left * scaleX,
    y: whole.y + thing.top * scaleY,
    width: thing.width * scaleX,
    height: thing.height * scaleY,
  });
}
