/**
 * Finds the cells of a view that differ from the learned empty tray (a pixel of a small view is a cell). A change of
 * the lamp alone is no difference. A doubtful cell counts as a thing, because a false "empty" would hide an item.
 */
import type { View } from './frame.ts';

/** Level of a burnt-out place, whose real brightness is unknown. */
const BURNT_OUT = 250;

/** Red, green and blue: factor from one view to the other. */
type LightChange = readonly [number, number, number];

/** How much darker or brighter the light may become. */
const LIGHT_RANGE = [0.35, 2.6] as const;
/** How much a channel may differ from the others: another lamp, half corrected by the camera's white balance. */
const COLOUR_RANGE = [0.72, 1.4] as const;
/** Step of the factor's logarithm: 4 %. */
const STEP = 0.04;
/** Steps to each side of the best one whose cells decide. */
const REACH_STEPS = 2;
/** Added to both levels, so that the noise of dark cells does not count. */
const OFFSET = 4;
/** Darker cells give no factor. */
const DARKEST = 6;
/** One in this many cells votes; no divisor of a usual width, so that voters are spread over the view. */
const VOTER_EVERY = 7;
/** Share of the voters that must agree; with fewer the light counts as unchanged. */
const LEAST_VOTES = 0.04;

const within = (value: number, [low, high]: readonly [number, number]): number => Math.min(high, Math.max(low, value));

const brightness = (pixels: Uint8Array, at: number): number =>
  (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0);

function isBurntOut(pixels: Uint8Array, at: number): boolean {
  return Math.max(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) > BURNT_OUT;
}

/** Step of each voter's factor, -1 where it has none. */
function votes(from: View, to: View): Int16Array {
  const lowest = Math.log(LIGHT_RANGE[0]);
  const highest = Math.log(LIGHT_RANGE[1]);
  const steps = new Int16Array(Math.floor((from.width * from.height) / VOTER_EVERY)).fill(-1);
  for (let voter = 0, at = 0; voter < steps.length; voter++, at += 3 * VOTER_EVERY) {
    const before = brightness(from.pixels, at);
    if (before < 3 * DARKEST || isBurntOut(from.pixels, at) || isBurntOut(to.pixels, at)) continue;
    const factor = Math.log((brightness(to.pixels, at) + 3 * OFFSET) / (before + 3 * OFFSET));
    if (factor >= lowest && factor <= highest) steps[voter] = Math.floor((factor - lowest) / STEP);
  }
  return steps;
}

/** The step around which most votes lie, and how many. */
function commonest(all: Int16Array): { step: number; count: number } {
  const counts = new Uint32Array(Math.ceil((Math.log(LIGHT_RANGE[1]) - Math.log(LIGHT_RANGE[0])) / STEP) + 1);
  for (const step of all) if (step >= 0) counts[step] = (counts[step] ?? 0) + 1;
  const around = (step: number): number => (counts[step - 1] ?? 0) + (counts[step] ?? 0) + (counts[step + 1] ?? 0);
  let best = 0;
  for (const step of counts.keys()) if (around(step) > around(best)) best = step;
  return { step: best, count: around(best) };
}

/** The median; changes the order of the values. */
function median(values: Float32Array): number {
  return values.sort()[values.length >> 1] ?? 1;
}

/**
 * How the light changed between two views of one tray, for red, green and blue separately. Some cells vote: things on
 * the tray change their cells each in its own way, the lamp changes all others alike. Cells that are burnt out in
 * either view do not vote.
 * @param from, to of the same size
 */
export function lightChange(from: View, to: View): LightChange {
  const all = votes(from, to);
  const { step, count } = commonest(all);
  if (count < LEAST_VOTES * all.length) return [1, 1, 1];
  const deciding: number[] = [];
  for (let voter = 0; voter < all.length; voter++) {
    const vote = all[voter] ?? -1;
    if (vote !== -1 && Math.abs(vote - step) <= REACH_STEPS) deciding.push(voter * VOTER_EVERY * 3);
  }
  const factors = new Float32Array(deciding.length);
  const channel = (which: number): number => {
    for (let vote = 0; vote < factors.length; vote++) {
      const at = (deciding[vote] ?? 0) + which;
      factors[vote] = ((to.pixels[at] ?? 0) + OFFSET) / ((from.pixels[at] ?? 0) + OFFSET);
    }
    return median(factors);
  };
  const [red, green, blue] = [channel(0), channel(1), channel(2)];
  const light = within(median(Float32Array.of(red, green, blue)), LIGHT_RANGE);
  const tinted = (value: number): number => light * within(value / light, COLOUR_RANGE);
  return [tinted(red), tinted(green), tinted(blue)];
}

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
interface Differences {
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
  const raise = (one: number, other: number): void => {
    const edge = step(pixels, one, pixels, other);
    result[one] = Math.max(result[one] ?? 0, edge);
    result[other] = Math.max(result[other] ?? 0, edge);
  };
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cell = row * width + column;
      if (column + 1 < width) raise(cell, cell + 1);
      if (row + 1 < height) raise(cell, cell + width);
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
      // the real brightness of a burnt-out place is unknown
      const beyond = level > expected && learned >= BURNT_OUT ? 0 : Math.abs(level - expected);
      worst = Math.max(worst, beyond / (allowed + RELATIVE_TOLERANCE * expected));
    }
    excess[cell] = worst;
    if (worst > 1 && isShade(tray, change, view, cell)) shaded[cell] = 1;
  }
  return { excess, shaded };
}

/** Whether a cell could be the tray in a shadow. */
function isShade(tray: View, change: LightChange, view: View, cell: number): boolean {
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
