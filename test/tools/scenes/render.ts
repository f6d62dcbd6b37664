/**
 * Draws the pictures that the replay camera shows where it is given no folder:
 *
 *   node test/tools/scenes/render.ts [FOLDER]      drivers/camera/pictures where none is given
 *
 * The device is given the pictures and not this program: it draws nothing.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JpegOptions } from 'sharp';
import { drawScene, type SceneItem } from './scenes.ts';

const FOLDER = join(import.meta.dirname, '../../../drivers/camera/pictures');
/** Every item comes five times, alone, and seen differently: so many looks of it are taught. */
const ITEMS: readonly SceneItem[] = ['apple-green', 'milk-carton', 'orange', 'tea-box', 'banana'];
/** A device has one tray: only light and goods change. */
const TRAY = 'rubber';
/** Small files rather than fine ones: they are in every release. */
const SMALL: JpegOptions = Object.freeze({ quality: 55, trellisQuantisation: true, overshootDeringing: true });

export interface ShownPicture {
  /** Its file: its number is the order, its words are what lies on the tray. */
  readonly file: string;
  readonly item: SceneItem | null;
  readonly seed: number;
}

/** Picture → another seed than its number: of apples 7 and 18 are the same to Teach once the empty tray is learned. */
const OTHER_SEEDS: Readonly<Record<number, number>> = { 18: 61 };

/** Two rounds of all items and the empty tray, then further looks of the items. */
export const SHOWN: readonly ShownPicture[] = [...ITEMS, null, ...ITEMS, null, ...ITEMS, ...ITEMS, ...ITEMS].map(
  (item, index) => ({
    file: `${String(index + 1).padStart(2, '0')}-${item ?? 'empty'}.jpg`,
    item,
    seed: OTHER_SEEDS[index + 1] ?? index + 1,
  }),
);

/** The file of a shown picture: a JPEG of 1280×720, below 40 KB. */
export const render = ({ item, seed }: ShownPicture) => drawScene({ item, seed, tray: TRAY, isAlone: true }, SMALL);

if (import.meta.main) {
  const folder = process.argv[2] ?? FOLDER;
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) if (file.endsWith('.jpg')) rmSync(join(folder, file));
  for (const shown of SHOWN) writeFileSync(join(folder, shown.file), await render(shown));
}
