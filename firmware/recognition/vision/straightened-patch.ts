/** Parts of a grey picture, cut out along turned axes and resampled, and whole pictures at half their size. */

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  /** A byte a pixel, row by row. */
  readonly pixels: Uint8Array;
}

/** A part of a picture: its middle and sides in pixels, along axes that are turned by `angle` radians. */
export interface Patch {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
  /** Whether all changes there are along one line, which then is the patch's x axis. */
  readonly areBars: boolean;
}

/** Outside of the picture all is white, as the quiet zone of a code. */
const OUTSIDE = 255;

/** A straightened patch of a picture, `scale` times as large. */
export interface StraightenedPatch {
  readonly picture: GreyPicture;
  readonly patch: Patch;
  readonly scale: number;
}

const sidesOf = ({ patch, scale }: StraightenedPatch): [width: number, height: number] => [
  Math.max(1, Math.round(patch.width * scale)),
  Math.max(1, Math.round(patch.height * scale)),
];

/** The place in the picture of a place in the patch, both in pixels. */
export function placeInPicture(straightened: StraightenedPatch, column: number, row: number): { x: number; y: number } {
  const { patch, scale } = straightened;
  const [columns, rows] = sidesOf(straightened);
  const [u, v] = [(column - columns / 2) / scale, (row - rows / 2) / scale];
  const [cos, sin] = [Math.cos(patch.angle), Math.sin(patch.angle)];
  return { x: patch.x + u * cos - v * sin, y: patch.y + u * sin + v * cos };
}

/** The pixels of the straightened patch, interpolated from the four around. */
export function straightenedPixels(straightened: StraightenedPatch): GreyPicture {
  const { width, height, pixels } = straightened.picture;
  const { patch, scale } = straightened;
  const [columns, rows] = sidesOf(straightened);
  const [cos, sin] = [Math.cos(patch.angle) / scale, Math.sin(patch.angle) / scale];
  const seen = new Uint8Array(columns * rows).fill(OUTSIDE);
  for (let row = 0; row < rows; row++) {
    const v = row + 0.5 - rows / 2;
    for (let column = 0; column < columns; column++) {
      const u = column + 0.5 - columns / 2;
      const x = patch.x + u * cos - v * sin - 0.5;
      const y = patch.y + u * sin + v * cos - 0.5;
      const left = Math.floor(x);
      const top = Math.floor(y);
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const at = top * width + left;
      const above = (pixels[at] ?? 0) * (left + 1 - x) + (pixels[at + 1] ?? 0) * (x - left);
      const below = (pixels[at + width] ?? 0) * (left + 1 - x) + (pixels[at + width + 1] ?? 0) * (x - left);
      // a byte array cuts fractions off, so that a half more rounds
      seen[row * columns + column] = above * (top + 1 - y) + below * (y - top) + 0.5;
    }
  }
  return { width: columns, height: rows, pixels: seen };
}

/** The same picture with sides half as long. */
export function halved({ width, height, pixels }: GreyPicture): GreyPicture {
  const [columns, rows] = [width >> 1, height >> 1];
  const half = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = (2 * row * width + 2 * column) | 0; // whole already: a hint to the compiler
      const four =
        (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + width] ?? 0) + (pixels[at + width + 1] ?? 0);
      // the mean, rounded
      half[row * columns + column] = (four + 2) >> 2;
    }
  }
  return { width: columns, height: rows, pixels: half };
}
