/** Finds what stands out of its surroundings, where no empty tray was learned: only what is unmistakable. */
import type { View } from './frame.ts';
import { BESIDE, cellsAtRim, flood, type Mask, type Region, regionsOf } from './regions.ts';

/** Share of the short side: cells this near to the rim are the surroundings. */
const RING_SHARE = 0.08;
/** Levels by which a cell may differ from one of the surroundings' colours. */
const OWN_COLOUR = 26;
/**
 * The most colours of the surroundings, each with a least share of the ring; together they must explain nearly all of
 * it.
 */
const MAX_COLOURS = 5;
const COLOUR_SHARE = 0.06;
const EXPLAINED_SHARE = 0.92;
/** Levels from one cell to the next from which there is an edge; light and soft shadows change less. */
const EDGE = 12;
/** Share of the area: a smaller region is a crumb; a larger total might be the tray itself. */
const SMALLEST_SHARE = 0.01;
const LARGEST_SHARE = 0.6;
/** More regions are no things but the pattern of the ground. */
const MOST_REGIONS = 4;

/** Steps of `OWN_COLOUR` that a channel has. */
const CUBES = Math.ceil(256 / OWN_COLOUR);

type Colour = readonly [number, number, number];

/** Largest difference of a channel. */
const fromColour = ({ pixels }: View, cell: number, [red, green, blue]: Colour): number =>
  Math.max(
    Math.abs((pixels[cell * 3] ?? 0) - red),
    Math.abs((pixels[cell * 3 + 1] ?? 0) - green),
    Math.abs((pixels[cell * 3 + 2] ?? 0) - blue),
  );

function ring(view: View): number[] {
  return cellsAtRim(view, Math.max(1, Math.round(RING_SHARE * Math.min(view.width, view.height))));
}

/** Whether the surroundings have few colours: among too many nothing stands out. */
function isEven(view: View, surroundings: readonly number[]): boolean {
  const total = surroundings.length;
  let left = surroundings;
  for (let colours = 0; left.length > (1 - EXPLAINED_SHARE) * total; colours++) {
    if (colours === MAX_COLOURS) return false;
    const next = commonest(view, left);
    const others = left.filter((cell) => fromColour(view, cell, next) > OWN_COLOUR);
    if (left.length - others.length < COLOUR_SHARE * total) return false;
    left = others;
  }
  return true;
}

/** The mean colour of the fullest cube, when cells are sorted into cubes of colours. */
function commonest({ pixels }: View, cells: readonly number[]): Colour {
  const cube = (cell: number, channel: number): number => Math.floor((pixels[cell * 3 + channel] ?? 0) / OWN_COLOUR);
  const cubeOf = (cell: number): number => (cube(cell, 0) * CUBES + cube(cell, 1)) * CUBES + cube(cell, 2);
  const counts = new Uint32Array(CUBES ** 3);
  for (const cell of cells) counts[cubeOf(cell)] = (counts[cubeOf(cell)] ?? 0) + 1;
  let fullest = -1;
  for (const cell of cells) if ((counts[cubeOf(cell)] ?? 0) > (counts[fullest] ?? 0)) fullest = cubeOf(cell);
  const members = cells.filter((cell) => cubeOf(cell) === fullest);
  const mean = (channel: 0 | 1 | 2): number =>
    members.reduce((sum, cell) => sum + (pixels[cell * 3 + channel] ?? 0), 0) / members.length;
  return [mean(0), mean(1), mean(2)];
}

/** Whether two cells of a view differ by an edge. */
const isEdge = ({ pixels }: View, one: number, other: number): boolean =>
  Math.abs((pixels[one * 3] ?? 0) - (pixels[other * 3] ?? 0)) > EDGE ||
  Math.abs((pixels[one * 3 + 1] ?? 0) - (pixels[other * 3 + 1] ?? 0)) > EDGE ||
  Math.abs((pixels[one * 3 + 2] ?? 0) - (pixels[other * 3 + 2] ?? 0)) > EDGE;

/** Cells that cannot be reached from the surroundings without crossing an edge: something is there. */
function unreached(view: View, surroundings: readonly number[]): Mask {
  const { width, height } = view;
  const cells = new Uint8Array(width * height).fill(1);
  flood(view, surroundings, cells, BESIDE, (from, to) => !isEdge(view, from, to));
  return { width, height, cells };
}

/** Regions that stand out; null where none does, or it is unclear what does. */
export function standingOut(view: View): Region[] | null {
  const surroundings = ring(view);
  if (!isEven(view, surroundings)) return null;
  const area = view.width * view.height;
  const regions = regionsOf(unreached(view, surroundings)).filter(({ cells }) => cells.length >= SMALLEST_SHARE * area);
  const share = regions.reduce((sum, { cells }) => sum + cells.length, 0) / area;
  return regions.length === 0 || regions.length > MOST_REGIONS || share > LARGEST_SHARE ? null : regions;
}
