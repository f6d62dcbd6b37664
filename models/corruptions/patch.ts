/** The item of a photograph, as something that can be laid on a tray: the middle of the picture within a soft, rounded edge. */
import { loadSharp } from '../../drivers/camera/decode.ts';

/** Pixels of a side; the photographs have 256. */
export const PATCH_SIDE = 256;
/** Half the width of what is kept, as a share of the side. */
const REACH = 0.47;
/** 2 is a circle, much more a square. */
const ROUNDNESS = 3;
/** How much of the reach the edge fades over. */
const FADE = 0.03;

/** RGBA, row by row. */
export interface Patch {
  readonly pixels: Uint8Array;
}

/** 1 within the rounded square, 0 outside. @param x, y from the middle, as a share of the side */
function cover(x: number, y: number): number {
  const distance = (Math.abs(x / REACH) ** ROUNDNESS + Math.abs(y / REACH) ** ROUNDNESS) ** (1 / ROUNDNESS);
  return Math.min(1, Math.max(0, (1 - distance) / FADE));
}

/** Alpha of each place, the same for every patch. */
const MASK = Uint8Array.from({ length: PATCH_SIDE ** 2 }, (_, at) => {
  const [column, row] = [at % PATCH_SIDE, Math.floor(at / PATCH_SIDE)];
  return Math.round(255 * cover((column + 0.5) / PATCH_SIDE - 0.5, (row + 0.5) / PATCH_SIDE - 0.5));
});

/** @param photograph a JPEG, square or cut to one */
export async function cutOut(photograph: Uint8Array): Promise<Patch> {
  const sharp = await loadSharp();
  const pixels = await sharp(photograph)
    .resize(PATCH_SIDE, PATCH_SIDE, { fit: 'cover' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
  for (const [at, alpha] of MASK.entries()) pixels[at * 4 + 3] = alpha;
  return { pixels };
}
