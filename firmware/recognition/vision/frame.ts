/**
 * A camera frame to what the model looks at, and to the crop that a template keeps.
 *
 * One rule joins the two: a template's vector is made of its stored crop, decoded again (`modelViews(crop, null, input)`),
 * never of the frame that it was cut from. So the vector can be made again from the crop at any time, bit for bit, here and
 * on every other device.
 */

import { FRAME_HEIGHT, FRAME_WIDTH } from '../../../drivers/camera/contract.ts';
import type { Speed } from '../../config/choices.ts';
import type { Manifest } from '../embedding/manifest.ts';
import { openPicture, type Picture } from './frame-picture.ts';

/** Part of a frame, in the coordinates of a frame of 1280×720 whatever the camera gives. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels as the model takes them: RGB, row by row. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

type InputRule = Pick<Manifest['input'], 'width' | 'height' | 'resize' | 'closerLooks'>;

export const AREA_COORDINATES = Object.freeze({ width: FRAME_WIDTH, height: FRAME_HEIGHT });

const CROP_SHORT_SIDE_PIXELS = 256;
const CROP_LONG_SIDE_PIXELS = 512;
const CROP_QUALITY = 90;
/** What `contain` puts around a picture of another shape. */
const FRAME_GREY = 128;
/**
 * Above this scale it is cheaper to cut the area out first. Below it the whole frame is scaled while it is decoded,
 * which the decoder does at a fraction of the price, and the area is cut from the small picture.
 */
const SCALE_WHOLE_BELOW = 0.36;

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** An area in the pixels of a picture, at least one pixel and never outside. Null is the whole picture. */
function toPixels(area: Area | null, picture: Picture): Rectangle {
  if (area === null) return { left: 0, top: 0, width: picture.width, height: picture.height };
  const scaleX = picture.width / AREA_COORDINATES.width;
  const scaleY = picture.height / AREA_COORDINATES.height;
  const left = Math.min(picture.width - 1, Math.max(0, Math.round(area.x * scaleX)));
  const top = Math.min(picture.height - 1, Math.max(0, Math.round(area.y * scaleY)));
  return {
    left,
    top,
    width: Math.max(1, Math.min(picture.width - left, Math.round(area.width * scaleX))),
    height: Math.max(1, Math.min(picture.height - top, Math.round(area.height * scaleY))),
  };
}

/** The middle of a rectangle, with sides of the given sizes. */
function middle(of: Rectangle, width: number, height: number): Rectangle {
  return { left: of.left + (of.width - width) / 2, top: of.top + (of.height - height) / 2, width, height };
}

/** What is seen of `area` and how large it becomes, by the model's resize rule. */
function fit(
  area: Rectangle,
  { width, height, resize }: InputRule,
): { seen: Rectangle; width: number; height: number } {
  if (resize === 'fill') return { seen: area, width, height };
  if (resize === 'contain') {
    const scale = Math.min(width / area.width, height / area.height);
    const shrink = (side: number) => Math.max(1, Math.round(side * scale));
    return { seen: area, width: shrink(area.width), height: shrink(area.height) };
  }
  const scale = Math.max(width / area.width, height / area.height);
  return { seen: middle(area, width / scale, height / scale), width, height };
}

/** Whole pixels around a rectangle, inside of `bounds`. */
function wholePixels(rectangle: Rectangle, bounds: Rectangle): Rectangle {
  const left = Math.max(bounds.left, Math.round(rectangle.left));
  const top = Math.max(bounds.top, Math.round(rectangle.top));
  return {
    left,
    top,
    width: Math.max(1, Math.min(bounds.left + bounds.width - left, Math.round(rectangle.width))),
    height: Math.max(1, Math.min(bounds.top + bounds.height - top, Math.round(rectangle.height))),
  };
}

/** Copies a part of an RGB picture. */
function cut(from: View, part: Rectangle): View {
  const pixels = new Uint8Array(part.width * part.height * 3);
  for (let row = 0; row < part.height; row++) {
    const start = ((part.top + row) * from.width + part.left) * 3;
    pixels.set(from.pixels.subarray(start, start + part.width * 3), row * part.width * 3);
  }
  return { width: part.width, height: part.height, pixels };
}

/** The part `seen` of a picture in the given size, by the cheaper of two ways. */
async function scaled(picture: Picture, seen: Rectangle, width: number, height: number): Promise<View> {
  const scaleX = width / seen.width;
  const scaleY = height / seen.height;
  if (Math.max(scaleX, scaleY) > SCALE_WHOLE_BELOW) {
    const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
    return await picture.pixels(width, height, wholePixels(seen, whole));
  }
  const small = await picture.pixels(Math.round(picture.width * scaleX), Math.round(picture.height * scaleY));
  const place = (offset: number, scale: number, room: number): number =>
    Math.max(0, Math.min(room, Math.round(offset * scale)));
  const left = place(seen.left, scaleX, small.width - width);
  const top = place(seen.top, scaleY, small.height - height);
  return cut(small, { left, top, width, height });
}

/** A view of the input's size with `view` in the middle of grey. */
function framed(view: View, { width, height }: InputRule): View {
  if (view.width === width && view.height === height) return view;
  const pixels = new Uint8Array(width * height * 3).fill(FRAME_GREY);
  const left = Math.floor((width - view.width) / 2);
  const top = Math.floor((height - view.height) / 2);
  for (let row = 0; row < view.height; row++) {
    const start = row * view.width * 3;
    pixels.set(view.pixels.subarray(start, start + view.width * 3), ((top + row) * width + left) * 3);
  }
  return { width, height, pixels };
}

async function view(picture: Picture, area: Rectangle, input: InputRule): Promise<View> {
  const { seen, width, height } = fit(area, input);
  return framed(await scaled(picture, seen, width, height), input);
}

/** One view of an area of a JPEG, or of all of it. @throws {FrameRefused} */
export async function areaView(jpeg: Uint8Array, area: Area | null, input: InputRule): Promise<View> {
  const picture = await openPicture(jpeg);
  return await view(picture, toPixels(area, picture), input);
}

/**
 * All views that a model asks for of an area of a JPEG, or of all of it; their vectors are to be averaged. The first is
 * that of `areaView`, and at speed `fast` the only one.
 * @throws {FrameRefused}
 */
export async function modelViews(
  jpeg: Uint8Array,
  area: Area | null,
  input: InputRule,
  speed: Speed = 'normal',
): Promise<readonly [View, ...View[]]> {
  const picture = await openPicture(jpeg);
  const whole = toPixels(area, picture);
  const shares = speed === 'normal' ? (input.closerLooks ?? []) : [];
  const closer = shares.map((share) =>
    view(picture, wholePixels(middle(whole, whole.width * share, whole.height * share), whole), input),
  );
  return await Promise.all([view(picture, whole, input), ...closer]);
}

/** The JPEG that a template keeps of an area: all of it, never enlarged, at most 256 by 512 pixels. @throws {FrameRefused} */
export async function storedCrop(jpeg: Uint8Array, area: Area | null): Promise<Uint8Array> {
  const picture = await openPicture(jpeg);
  const part = toPixels(area, picture);
  const scale = Math.min(
    1,
    CROP_SHORT_SIDE_PIXELS / Math.min(part.width, part.height),
    CROP_LONG_SIDE_PIXELS / Math.max(part.width, part.height),
  );
  const shrink = (side: number) => Math.max(1, Math.round(side * scale));
  return await picture.jpeg(shrink(part.width), shrink(part.height), part, CROP_QUALITY);
}
