/**
 * Turns a camera frame into the model's views, and into the crop that a template keeps.
 *
 * One rule connects the two: a template's vector is made of its stored crop, decoded again (`modelViews(crop, null,
 * input)`), never of the frame that it was cut from. So the vector can be made again from the crop at any time, bit for
 * bit, here and on every other device.
 */

import type { Speed } from '../../core/config/index.ts';
import type { Manifest } from '../embedding/manifest.ts';
import { AREA_COORDINATES, type Area } from '../model/area.ts';
import {
  type Cut,
  cutPixels,
  inside,
  middle,
  type Rectangle,
  type Size,
  scaledSize,
  toPixels,
  wholeOf,
  wholePixels,
} from './cut.ts';
import { cutOut, encodeJpeg, openPicture, type Picture, type View } from './frame-picture.ts';

export type { Cut } from './cut.ts';
export type { View } from './frame-picture.ts';

type InputRule = Pick<Manifest['input'], 'width' | 'height' | 'closerLooks'>;

/** A JPEG, or an opened one that several readers share. */
export type Source = Uint8Array | Picture;

const pictureOf = async (source: Source): Promise<Picture> =>
  source instanceof Uint8Array ? await openPicture(source) : source;

/** The long side of the small view in which things are looked for. */
const TRAY_VIEW_PIXELS = 160;
const CROP_SHORT_SIDE_PIXELS = 256;
const CROP_LONG_SIDE_PIXELS = 512;
const CROP_QUALITY = 90;
/** The grey where a cut reaches beyond the area. */
const FRAME_GREY = 128;
/** The note in the JPEG of a crop that was cut around a thing. */
const CUT_MARK = 'laneware cut 1';
/**
 * Above this scale it is cheaper to cut the area out first. Below it the whole frame is scaled while it is decoded,
 * which the decoder does at a fraction of the cost, and the area is cut from the small picture.
 */
const SCALE_WHOLE_BELOW = 0.36;

/** The middle of a part, in the shape of the model's input. */
function covered(part: Rectangle, { width, height }: InputRule): Rectangle {
  const scale = Math.max(width / part.width, height / part.height);
  return middle(part, width / scale, height / scale);
}

/** The part `seen` of a picture in the given size, by the cheaper of two ways. */
async function scaled(picture: Picture, seen: Rectangle, width: number, height: number): Promise<View> {
  const scaleX = width / seen.width;
  const scaleY = height / seen.height;
  if (Math.max(scaleX, scaleY) > SCALE_WHOLE_BELOW) {
    return await picture.pixels(width, height, wholePixels(seen, wholeOf(picture)));
  }
  const small = await picture.pixels(Math.round(picture.width * scaleX), Math.round(picture.height * scaleY));
  const place = (offset: number, scale: number, room: number): number =>
    Math.max(0, Math.min(room, Math.round(offset * scale)));
  const left = place(seen.left, scaleX, small.width - width);
  const top = place(seen.top, scaleY, small.height - height);
  return cutOut(small, { left, top, width, height });
}

interface Place {
  readonly left: number;
  readonly top: number;
}

/** A view of the input's size with `view` at a place of it, in grey. */
function framed(view: View, { width, height }: InputRule, { left, top }: Place): View {
  if (view.width === width && view.height === height) return view;
  const pixels = new Uint8Array(width * height * 3).fill(FRAME_GREY);
  for (let row = 0; row < view.height; row++) {
    const start = row * view.width * 3;
    pixels.set(view.pixels.subarray(start, start + view.width * 3), ((top + row) * width + left) * 3);
  }
  return { width, height, pixels };
}

/** @param seen the part to show, in the shape of the input; beyond the area it is grey */
async function view(picture: Picture, seen: Rectangle, area: Rectangle, input: InputRule): Promise<View> {
  const { width, height } = input;
  const there = inside(seen, area);
  const [scaleX, scaleY] = [width / seen.width, height / seen.height];
  const shrunk = (length: number, scale: number, room: number): number =>
    Math.min(room, Math.max(1, Math.round(length * scale)));
  const [partWidth, partHeight] = [shrunk(there.width, scaleX, width), shrunk(there.height, scaleY, height)];
  const place = (offset: number, room: number, size: number): number =>
    Math.min(room - size, Math.max(0, Math.round(offset)));
  return framed(await scaled(picture, there, partWidth, partHeight), input, {
    left: place((there.left - seen.left) * scaleX, width, partWidth),
    top: place((there.top - seen.top) * scaleY, height, partHeight),
  });
}

/** The whole area in its own shape, small, in which things are looked for. @throws {FrameRefused} */
export async function trayView(source: Source, area: Area | null): Promise<View> {
  const picture = await pictureOf(source);
  const whole = toPixels(area, picture);
  const { width, height } = scaledSize(whole, TRAY_VIEW_PIXELS / Math.max(whole.width, whole.height));
  return await scaled(picture, whole, width, height);
}

/** The parts of a picture that the model gets, in the picture's pixels. */
interface Looks {
  /** The area that holds the things; nothing beyond it is shown. */
  readonly area: Rectangle;
  /** The part of each view of `modelViews`, in the shape of the model's input. */
  readonly parts: readonly [Rectangle, ...Rectangle[]];
}

/** The parts that `modelViews` reads; pages show people the same parts. */
function looksAt(picture: Size, area: Area | null, input: InputRule, speed: Speed, cut: Cut | null): Looks {
  const whole = toPixels(area, picture);
  const part = cut === null ? whole : cutPixels(whole, cut);
  const shares = speed === 'normal' ? (input.closerLooks ?? []) : [];
  const closer = shares.map((share) => {
    const within = middle(part, part.width * share, part.height * share);
    return cut === null ? wholePixels(within, whole) : within;
  });
  return { area: whole, parts: [covered(part, input), ...closer.map((at) => covered(at, input))] };
}

/** The parts that the model gets; beyond the area they are grey. */
export function seenOf(
  picture: Size,
  area: Area | null,
  input: InputRule,
  speed: Speed,
  cut: Cut | null = null,
): readonly Rectangle[] {
  return looksAt(picture, area, input, speed, cut).parts;
}

/**
 * All views that a model needs of a JPEG, an area of it, or a cut of that; the caller averages their vectors. At speed
 * `fast` there is only the first.
 * @throws {FrameRefused}
 */
export async function modelViews(
  source: Source,
  area: Area | null,
  input: InputRule,
  speed: Speed = 'normal',
  cut: Cut | null = null,
): Promise<readonly [View, ...View[]]> {
  const picture = await pictureOf(source);
  const { area: whole, parts } = looksAt(picture, area, input, speed, cut);
  const [first, ...closer] = parts;
  const look = (at: Rectangle): Promise<View> => view(picture, at, whole, input);
  return await Promise.all([look(first), ...closer.map(look)]);
}

/**
 * The JPEG that a template keeps: of the whole area, at most 256 by 512 pixels, or of a cut around a thing, at most 256
 * by 256. It is never enlarged. @throws {FrameRefused}
 */
export async function storedCrop(source: Source, area: Area | null, cut: Cut | null = null): Promise<Uint8Array> {
  const picture = await pictureOf(source);
  const whole = toPixels(area, picture);
  if (cut !== null) return await cutCrop(picture, whole, cutPixels(whole, cut));
  const scale = Math.min(
    1,
    CROP_SHORT_SIDE_PIXELS / Math.min(whole.width, whole.height),
    CROP_LONG_SIDE_PIXELS / Math.max(whole.width, whole.height),
  );
  const { width, height } = scaledSize(whole, scale);
  return await picture.jpeg(width, height, whole, CROP_QUALITY);
}

/** The crop of a square with the thing in its middle, with the note of a cut. */
async function cutCrop(picture: Picture, area: Rectangle, part: Rectangle): Promise<Uint8Array> {
  const side = Math.max(1, Math.min(CROP_SHORT_SIDE_PIXELS, Math.round(part.width)));
  return await encodeJpeg(await view(picture, part, area, { width: side, height: side }), CROP_QUALITY, CUT_MARK);
}

/** Whether a stored crop was cut around a thing. */
export const isCut = (crop: Picture): boolean => crop.hasNote(CUT_MARK);

/** An area of a JPEG in grey, for reading what is printed there: unscaled, but no larger than a frame. @throws {FrameRefused} */
export async function greyArea(source: Source, area: Area) {
  const picture = await pictureOf(source);
  const part = toPixels(area, picture);
  const { width, height } = AREA_COORDINATES;
  const size = scaledSize(part, Math.min(1, Math.sqrt((width * height) / (part.width * part.height))));
  return { ...size, pixels: await picture.grey(size.width, size.height, part) };
}
