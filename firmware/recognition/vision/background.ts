/**
 * Finds the cells of a view that differ from the learned empty tray (a pixel of a small view is a cell). A change of
 * the lamp alone is no difference. A doubtful cell counts as a thing, because a false "empty" would hide an item.
 */
import type { View } from './frame.ts';
import { lightChange } from './light.ts';

/** Difference of a cell that noise and the camera's own corrections make, in levels of 0 to 255. */
const BASE_TOLERANCE = 14;
/** Tolerance relative to a cell's expected level: a lamp never brightens all places alike. */
const RELATIVE_TOLERANCE = 0.05;
/** How far a cell may exceed the differences that were seen while learning. */
const SPREAD_FACTOR = 2;
/**
 * Tolerance relative to a cell's difference to its neighbours: a tray that is moved by a fifth of a cell is no item.
 */
const EDGE_FACTOR = 0.2;
const BURNT_OUT = 250;
/** Largest tolerance: no level is farther away. */
const ANY_LEVEL = 255;
/**
 * How much light a shadow leaves, and how much it may change the colour; levels are raised by an offset, because noise
 * is large in the dark.
 */
const SHADE = { darkest: 0.55, lightest: 0.985, colour: 0.05, offset: 4 } as const;

/** A learned empty tray. */
export interface Background {
  /** Mean colour of each cell. */
  readonly view: View;
  /** How far each cell may be from it, in levels. */
  readonly tolerance: Uint8Array;
}

/** The difference of each cell. */
export interface Differences {
  /** Difference from the tray as a multiple of the tolerance: above 1 the cell shows something else. */
  readonly excess: Float32Array;
  /** 1 where the cell shows something else that could be the tray in a shadow. */
  readonly shaded: Uint8Array;
}

/** Largest difference of a channel between two cells of one view or of two, in levels. */
function step(one: Uint8Array, cell: number, other: Uint8Array, beside: number): number {
  const [at, to] = [cell * 3, beside * 3];
  const red = Math.abs((one[at] ?? 0) - (other[to] ?? 0));
  const green = Math.abs((one[at + 1] ?? 0) - (other[to + 1] ?? 0));
  const blue = Math.abs((one[at + 2] ?? 0) - (other[to + 2] ?? 0));
  return Math.max(red, green, blue);
}

/** Largest difference of each cell to its four neighbours, in levels. */
function edges({ width, height, pixels }: View): Uint8Array {
  const result = new Uint8Array(width * height);
  const note = (one: number, other: number): void => {
    const edge = step(pixels, one, pixels, other);
    result[one] = Math.max(result[one] ?? 0, edge);
    result[other] = Math.max(result[other] ?? 0, edge);
  };
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cell = row * width + column;
      if (column + 1 < width) note(cell, cell + 1);
      if (row + 1 < height) note(cell, cell + width);
    }
  }
  return result;
}

/** Mean of each channel of each cell. */
function meanOf(views: readonly View[], { width, height }: View): View {
  const sums = new Float64Array(width * height * 3);
  for (const { pixels } of views)
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (pixels[at] ?? 0);
  const pixels = new Uint8Array(sums.length);
  for (let at = 0; at < sums.length; at++) pixels[at] = Math.round((sums[at] ?? 0) / views.length);
  return { width, height, pixels };
}

/**
 * Learns the empty tray from some views of one size (five or more show what flickers).
 * @throws {RangeError} there is no view
 */
export function learnBackground(views: readonly View[]): Background {
  const [first] = views;
  if (first === undefined) throw new RangeError('a background needs a view of the empty tray');
  const view = meanOf(views, first);
  const edge = edges(view);
  const tolerance = new Uint8Array(edge.length);
  for (let cell = 0; cell < tolerance.length; cell++) {
    let spread = 0;
    for (const { pixels } of views) spread = Math.max(spread, step(pixels, cell, view.pixels, cell));
    const base = BASE_TOLERANCE + EDGE_FACTOR * (edge[cell] ?? 0);
    tolerance[cell] = Math.min(ANY_LEVEL, Math.round(base + SPREAD_FACTOR * spread));
  }
  return Object.freeze({ view, tolerance });
}

/** @param view of the same size as the background */
export function differences({ view: tray, tolerance }: Background, view: View): Differences {
  const change = lightChange(tray, view);
  const brightest = Math.max(1, ...change);
  const excess = new Float32Array(tolerance.length);
  const shaded = new Uint8Array(tolerance.length);
  for (let cell = 0; cell < tolerance.length; cell++) {
    const allowed = (tolerance[cell] ?? 0) * brightest;
    let worst = 0;
    for (let channel = 0; channel < 3; channel++) {
      const level = view.pixels[cell * 3 + channel] ?? 0;
      const learned = tray.pixels[cell * 3 + channel] ?? 0;
      const expected = Math.min(255, learned * (change[channel] ?? 1));
      // how bright a burnt-out place really is was never seen
      const beyond = level > expected && learned >= BURNT_OUT ? 0 : Math.abs(level - expected);
      worst = Math.max(worst, beyond / (allowed + RELATIVE_TOLERANCE * expected));
    }
    excess[cell] = worst;
    if (worst > 1 && isShade(tray, change, view, cell)) shaded[cell] = 1;
  }
  return { excess, shaded };
}

/** Whether a cell could be the tray in a shadow. */
function isShade(tray: View, change: readonly [number, number, number], view: View, cell: number): boolean {
  let darkest = Number.POSITIVE_INFINITY;
  let lightest = 0;
  for (let channel = 0; channel < 3; channel++) {
    const at = cell * 3 + channel;
    const expected = Math.min(255, (tray.pixels[at] ?? 0) * (change[channel] ?? 1));
    const left = ((view.pixels[at] ?? 0) + SHADE.offset) / (expected + SHADE.offset);
    darkest = Math.min(darkest, left);
    lightest = Math.max(lightest, left);
  }
  return darkest > SHADE.darkest && lightest < SHADE.lightest && lightest - darkest < SHADE.colour;
}

/** Share of changed cells between two frames from which something moves. */
const MOVING_SHARE = 0.012;

/** Share of the cells, 0 to 1, that are not the learned background. */
export function changedShare(background: Background, view: View): number {
  const { excess } = differences(background, view);
  let changed = 0;
  for (const one of excess) if (one > 1) changed += 1;
  return changed / excess.length;
}

/** Whether two views have one size; views of different areas may not be compared. */
export const isOfOneSize = (one: View, other: View): boolean =>
  one.width === other.width && one.height === other.height;

/** Whether something moved between two views. */
export function isMoving(before: View, now: View): boolean {
  return !isOfOneSize(before, now) || changedShare(learnBackground([before]), now) > MOVING_SHARE;
}

/** Begins a file of this form: width and height in cells (16 bits each), colours, tolerances. */
const MAGIC = 'LWT2';
const HEADER_BYTES = MAGIC.length + 4;

/** The background as bytes for a file. */
export function packBackground({ view: { width, height, pixels }, tolerance }: Background): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + pixels.length + tolerance.length);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt16LE(width, MAGIC.length);
  bytes.writeUInt16LE(height, MAGIC.length + 2);
  bytes.set(pixels, HEADER_BYTES);
  bytes.set(tolerance, HEADER_BYTES + pixels.length);
  return bytes;
}

/** @throws {Error} where the bytes are no background: the tray must be learned again */
export function unpackBackground(packed: Uint8Array): Background {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const isOne = bytes.length >= HEADER_BYTES && bytes.toString('latin1', 0, MAGIC.length) === MAGIC;
  const [width, height] = isOne ? [bytes.readUInt16LE(MAGIC.length), bytes.readUInt16LE(MAGIC.length + 2)] : [0, 0];
  const count = width * height;
  if (count === 0 || bytes.length !== HEADER_BYTES + count * 4) throw new Error('it is no learned tray');
  const pixels = new Uint8Array(bytes.subarray(HEADER_BYTES, HEADER_BYTES + count * 3));
  return Object.freeze({
    view: { width, height, pixels },
    tolerance: new Uint8Array(bytes.subarray(HEADER_BYTES + count * 3)),
  });
}
