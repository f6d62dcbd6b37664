/**
 * Finds where a code may be in a grey picture, and at which angle. A reader that searches a whole frame thoroughly
 * takes several times as long as a look of the model, and misses tilted bars. The patches found here are small, and are
 * straightened (`straightened-patch.ts`) before they are read: 323 of 396 test codes, where whole frames gave 233.
 *
 * Codes are the places where light and dark change most often. The gradients of a block of pixels show how often (their
 * energy) and, where all lie along one line, its angle (the structure tensor): those of bars do, those of squares do
 * not.
 */
import type { GreyPicture, Patch } from './straightened-patch.ts';

/** Side of a block, in pixels. */
const BLOCK = 16;
/** Pixels between two samples in a row, and between two rows of them. */
const STEP = 2;
/** Square of a gradient from light to dark: of bars in half the light, a little blurred, but not of a camera's noise. */
const STRONG = 30 ** 2;
/** Share of such samples in a block of a code; a block with a single edge has half as many. */
const BUSY_SHARE = 0.3;
/** The largest distance between blocks of one code. */
const REACH = 2;
/** Pixels around a patch: a reader needs the quiet zone around a code. */
const MARGIN = 28;
/** From this share the gradients of a patch lie along one line. */
const COHERENT = 0.35;
/** Bars that are tilted less than this are read without straightening (radians). */
const ASKEW = 0.09;

interface Blocks {
  readonly columns: number;
  readonly rows: number;
  /** 1 where a block may belong to a code. */
  readonly busy: Uint8Array;
  readonly energy: Float64Array;
  /**
   * The structure tensor's direction as a vector at twice its angle: `doubleCos` is the horizontal minus the vertical
   * energy (xx - yy), `doubleSin` twice their product (2xy).
   */
  readonly doubleCos: Float64Array;
  readonly doubleSin: Float64Array;
}

function blocksOf({ width, height, pixels }: GreyPicture): Blocks {
  const columns = Math.floor((width - 2) / BLOCK);
  const rows = Math.floor((height - 2) / BLOCK);
  const busy = new Uint8Array(columns * rows);
  const energy = new Float64Array(columns * rows);
  const doubleCos = new Float64Array(columns * rows);
  const doubleSin = new Float64Array(columns * rows);
  const leastStrong = BUSY_SHARE * (BLOCK / STEP) ** 2;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let strong = 0;
      let xx = 0;
      let yy = 0;
      let xy = 0;
      for (let down = 0; down < BLOCK; down += STEP) {
        let at = (row * BLOCK + down + 1) * width + column * BLOCK + 1;
        for (let right = 0; right < BLOCK; right += STEP, at += STEP) {
          const dx = (pixels[at + 1] ?? 0) - (pixels[at - 1] ?? 0);
          const dy = (pixels[at + width] ?? 0) - (pixels[at - width] ?? 0);
          if (dx * dx + dy * dy >= STRONG) strong += 1;
          xx += dx * dx;
          yy += dy * dy;
          xy += dx * dy;
        }
      }
      const block = row * columns + column;
      busy[block] = strong >= leastStrong ? 1 : 0;
      energy[block] = xx + yy;
      doubleCos[block] = xx - yy;
      doubleSin[block] = 2 * xy;
    }
  }
  return { columns, rows, busy, energy, doubleCos, doubleSin };
}

/** Busy blocks that form a square of four; the blocks of a tray's edge form a line and are left out. */
function inSquares({ columns, rows, busy }: Blocks): Uint8Array {
  const inSquare = new Uint8Array(busy.length);
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const at = row * columns + column;
      const square = [at, at + 1, at + columns, at + columns + 1];
      if (square.every((block) => busy[block] === 1)) for (const block of square) inSquare[block] = 1;
    }
  }
  return inSquare;
}

/** Groups of busy blocks near one another: a wide bar leaves a gap. */
function clustersOf(blocks: Blocks): number[][] {
  const { columns, rows } = blocks;
  const unvisited = inSquares(blocks);
  const clusters: number[][] = [];
  for (let start = 0; start < unvisited.length; start++) {
    if (unvisited[start] !== 1) continue;
    const cluster = [start];
    unvisited[start] = 0;
    for (const block of cluster) {
      const column = block % columns;
      const row = Math.floor(block / columns);
      for (let y = Math.max(0, row - REACH); y <= Math.min(rows - 1, row + REACH); y++) {
        for (let x = Math.max(0, column - REACH); x <= Math.min(columns - 1, column + REACH); x++) {
          const other = y * columns + x;
          if (unvisited[other] !== 1) continue;
          unvisited[other] = 0;
          cluster.push(other);
        }
      }
    }
    clusters.push(cluster);
  }
  return clusters;
}

const sum = (of: Float64Array, blocks: readonly number[]): number =>
  blocks.reduce((total, block) => total + (of[block] ?? 0), 0);

/**
 * The line along which a cluster's gradients lie, -90° to 90° in radians: across its bars. Null where there is none.
 */
function lineOf({ energy, doubleCos, doubleSin }: Blocks, cluster: readonly number[]): number | null {
  const cos = sum(doubleCos, cluster);
  const sin = sum(doubleSin, cluster);
  if (Math.hypot(cos, sin) < COHERENT * sum(energy, cluster)) return null;
  const angle = Math.atan2(sin, cos) / 2;
  return Math.abs(angle) < ASKEW ? 0 : angle;
}

/** The smallest patch along a line that holds all blocks and its margin. */
function patchAround({ columns }: Blocks, cluster: readonly number[], line: number | null): Patch {
  const angle = line ?? 0;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const block of cluster) {
    const x = ((block % columns) + 0.5) * BLOCK + 1;
    const y = (Math.floor(block / columns) + 0.5) * BLOCK + 1;
    const along = x * cos + y * sin;
    const across = y * cos - x * sin;
    left = Math.min(left, along);
    right = Math.max(right, along);
    top = Math.min(top, across);
    bottom = Math.max(bottom, across);
  }
  const middle = { along: (left + right) / 2, across: (top + bottom) / 2 };
  return {
    x: middle.along * cos - middle.across * sin,
    y: middle.along * sin + middle.across * cos,
    width: right - left + BLOCK + 2 * MARGIN,
    height: bottom - top + BLOCK + 2 * MARGIN,
    angle,
    areBars: line !== null,
  };
}

/** The patches of a picture that may hold a code, the busiest first. */
export function patchesOf(picture: GreyPicture): Patch[] {
  const blocks = blocksOf(picture);
  return clustersOf(blocks)
    .map((cluster) => ({ cluster, energy: sum(blocks.energy, cluster) }))
    .sort((one, other) => other.energy - one.energy)
    .map(({ cluster }) => patchAround(blocks, cluster, lineOf(blocks, cluster)));
}
