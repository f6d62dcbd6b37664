/**
 * Is something on the tray, does it move: views compared cell by cell. A change of the light alone (brightness, and a
 * little of its colour) is no change; what cannot be told apart from one counts as something, because a false "empty"
 * would hide an item.
 */
import type { View } from './frame.ts';

const CELLS_ACROSS = 32;
const CELL_VALUES = CELLS_ACROSS * CELLS_ACROSS * 3;
/** Difference of a cell, in levels of 0 to 255, that noise and the camera's own corrections make. */
const BASE_TOLERANCE = 14;
/** How far beyond what was seen while learning a cell may go. */
const SPREAD_FACTOR = 2;
/** The light may become so much darker or brighter; each channel may differ from that by so much (white balance). */
const LIGHT_RANGE = [0.45, 2.2] as const;
const COLOUR_RANGE = [0.88, 1.14] as const;
/** Share of changed cells from which something is on the tray: five of 1024, a plum on a tray of half a metre. */
const SOMETHING_SHARE = 0.0045;
/** Share of changed cells between two frames from which something moves. */
const MOVING_SHARE = 0.02;

/** An empty tray as it was learned. Mean colour of each cell, and how far each may be from it. */
export interface Background {
  readonly cells: Float32Array;
  readonly tolerance: Float32Array;
}

/** Mean colours of the cells of a view. */
function toCells({ width, height, pixels }: View): Float32Array {
  const cells = new Float32Array(CELL_VALUES);
  for (let row = 0; row < CELLS_ACROSS; row++) {
    const [top, bottom] = [row, row + 1].map((edge) => Math.floor((edge * height) / CELLS_ACROSS));
    for (let column = 0; column < CELLS_ACROSS; column++) {
      const [left, right] = [column, column + 1].map((edge) => Math.floor((edge * width) / CELLS_ACROSS));
      cells.set(
        meanColour(pixels, width, top ?? 0, bottom ?? 0, left ?? 0, right ?? 0),
        (row * CELLS_ACROSS + column) * 3,
      );
    }
  }
  return cells;
}

function meanColour(
  pixels: Uint8Array,
  width: number,
  top: number,
  bottom: number,
  left: number,
  right: number,
): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 3;
      sums[0] += pixels[at] ?? 0;
      sums[1] += pixels[at + 1] ?? 0;
      sums[2] += pixels[at + 2] ?? 0;
    }
  }
  const count = Math.max(1, (bottom - top) * (right - left));
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

const within = (value: number, [low, high]: readonly [number, number]): number => Math.min(high, Math.max(low, value));

function median(values: Float32Array): number {
  return values.toSorted()[values.length >> 1] ?? 0;
}

/** How the light changed from one set of cells to another, for red, green and blue. */
function lightChange(from: Float32Array, to: Float32Array): [number, number, number] {
  const channel = (which: number): number => {
    const ratios = new Float32Array(CELL_VALUES / 3);
    // the added 4 keeps the noise of dark cells from counting
    for (let at = 0; at < ratios.length; at++) {
      ratios[at] = ((to[at * 3 + which] ?? 0) + 4) / ((from[at * 3 + which] ?? 0) + 4);
    }
    return median(ratios);
  };
  const [red, green, blue] = [channel(0), channel(1), channel(2)];
  const light = within(median(Float32Array.of(red, green, blue)), LIGHT_RANGE);
  const tinted = (value: number): number => light * within(value / light, COLOUR_RANGE);
  return [tinted(red), tinted(green), tinted(blue)];
}

/** Largest difference of the three channels of each cell, after the light is accounted for. */
function differences(from: Float32Array, to: Float32Array): Float32Array {
  const change = lightChange(from, to);
  const result = new Float32Array(CELL_VALUES / 3);
  for (let at = 0; at < CELL_VALUES; at++) {
    const expected = Math.min(255, (from[at] ?? 0) * (change[at % 3] ?? 1));
    const cell = Math.floor(at / 3);
    result[cell] = Math.max(result[cell] ?? 0, Math.abs((to[at] ?? 0) - expected));
  }
  return result;
}

/**
 * Learn the empty tray from some views of it (five or more tell what flickers).
 * @throws {RangeError} there is no view
 */
export function learnBackground(views: readonly View[]): Background {
  const all = views.map(toCells);
  const [first] = all;
  if (first === undefined) throw new RangeError('a background needs a view of the empty tray');
  const cells = new Float32Array(CELL_VALUES);
  for (const one of all) {
    for (let at = 0; at < CELL_VALUES; at++) cells[at] = (cells[at] ?? 0) + (one[at] ?? 0) / all.length;
  }
  const tolerance = new Float32Array(CELL_VALUES / 3).fill(BASE_TOLERANCE);
  for (const one of all) {
    for (const [cell, difference] of differences(cells, one).entries()) {
      tolerance[cell] = Math.max(tolerance[cell] ?? 0, BASE_TOLERANCE + difference * SPREAD_FACTOR);
    }
  }
  return Object.freeze({ cells, tolerance });
}

/** Share of the view, 0 to 1, that is not the learned background. */
export function changedShare({ cells, tolerance }: Background, view: View): number {
  const changed = differences(cells, toCells(view)).filter((difference, cell) => difference > (tolerance[cell] ?? 0));
  return changed.length / tolerance.length;
}

export function isEmptyTray(background: Background, view: View): boolean {
  return changedShare(background, view) < SOMETHING_SHARE;
}

/** Whether something moved between two views of one area. */
export function isMoving(before: View, now: View): boolean {
  return changedShare(learnBackground([before]), now) > MOVING_SHARE;
}

/** Whether what lies there is the same, as far as noise lets it be told: as sensitive as the look for an empty tray. */
export const isSame = (before: View, now: View): boolean => isEmptyTray(learnBackground([before]), now);

/** A background as bytes for a store: float32, little-endian, cells then tolerances. */
export function packBackground({ cells, tolerance }: Background): Uint8Array {
  const bytes = new DataView(new ArrayBuffer((cells.length + tolerance.length) * 4));
  for (const [at, value] of [...cells, ...tolerance].entries()) bytes.setFloat32(at * 4, value, true);
  return new Uint8Array(bytes.buffer);
}

/** Null where the bytes are no background of this release: it is to be learned again. */
export function unpackBackground(packed: Uint8Array): Background | null {
  const count = CELL_VALUES + CELL_VALUES / 3;
  if (packed.length !== count * 4) return null;
  const bytes = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const values = Float32Array.from({ length: count }, (_, at) => bytes.getFloat32(at * 4, true));
  if (!values.every((value) => value >= 0)) return null;
  return Object.freeze({ cells: values.slice(0, CELL_VALUES), tolerance: values.slice(CELL_VALUES) });
}
