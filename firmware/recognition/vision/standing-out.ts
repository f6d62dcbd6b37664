/** What stands out of its surroundings where no empty tray was learned: nothing but what is unmistakable. */
import type { View } from './frame.ts';
import { type Mask, type Region, regionsOf } from './regions.ts';

/** Of the short side: the surroundings are what lies so near to the rim. */
const RING_SHARE = 0.08;
/** Levels by which the surroundings may differ from one of their own colours. */
const OWN_COLOUR = 26;
/** Colours that surroundings may have, each at least of so much of the ring; together they must explain nearly all of it. */
const MAX_COLOURS = 5;
const COLOUR_SHARE = 0.06;
const EXPLAINED_SHARE = 0.92;
/** Levels from one cell to the next from which there is an edge; light and soft shadows change less. */
const EDGE = 12;
/** Of the area: less is a crumb; more in all might be the tray itself. */
const SMALLEST_SHARE = 0.01;
const LARGEST_SHARE = 0.6;
/** More are no things, but what the ground is like. */
const MOST_REGIONS = 4;

type Colour = readonly [number, number, number];

const colourOf = ({ pixels }: View, cell: number): Colour => [
  pixels[cell * 3] ?? 0,
  pixels[cell * 3 + 1] ?? 0,
  pixels[cell * 3 + 2] ?? 0,
];

const distance = (one: Colour, other: Colour): number =>
  Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]), Math.abs(one[2] - other[2]));

function ring({ width, height }: View): number[] {
  const reach = Math.max(1, Math.round(RING_SHARE * Math.min(width, height)));
  return Array.from({ length: width * height }, (_, cell) => cell).filter((cell) => {
    const [column, row] = [cell % width, Math.floor(cell / width)];
    return Math.min(column, row, width - 1 - column, height - 1 - row) < reach;
  });
}

/** The colours of the surroundings; null where they are of too many. */
function surroundings(view: View): Colour[] | null {
  let left = ring(view).map((cell) => colourOf(view, cell));
  const total = left.length;
  const colours: Colour[] = [];
  while (left.length > (1 - EXPLAINED_SHARE) * total) {
    if (colours.length === MAX_COLOURS) return null;
    const next = commonest(left);
    const others = left.filter((colour) => distance(colour, next) > OWN_COLOUR);
    if (left.length - others.length < COLOUR_SHARE * total) return null;
    colours.push(next);
    left = others;
  }
  return colours;
}

/** Mean of the colours in the fullest of the cubes that colours fall into. */
function commonest(colours: readonly Colour[]): Colour {
  const cubes = Map.groupBy(colours, (colour) => colour.map((level) => Math.floor(level / OWN_COLOUR)).join());
  const [fullest = []] = [...cubes.values()].sort((one, other) => other.length - one.length);
  const mean = (channel: 0 | 1 | 2): number =>
    fullest.reduce((sum, colour) => sum + colour[channel], 0) / fullest.length;
  return [mean(0), mean(1), mean(2)];
}

/** What can be reached from the ring without crossing an edge: 0 where it was, 1 where something stands in the way. */
function unreached(view: View): Mask {
  const { width, height } = view;
  const cells = new Uint8Array(width * height).fill(1);
  const reached = ring(view);
  for (const cell of reached) cells[cell] = 0;
  for (let at = 0; at < reached.length; at++) {
    const cell = reached[at] ?? 0;
    const colour = colourOf(view, cell);
    // the ring is wider than a cell, so that no neighbour lies outside of the view
    for (const next of [cell - 1, cell + 1, cell - width, cell + width]) {
      if (cells[next] !== 1 || distance(colour, colourOf(view, next)) > EDGE) continue;
      cells[next] = 0;
      reached.push(next);
    }
  }
  return { width, height, cells };
}

/** Null where nothing does, or it cannot be told what. */
export function standingOut(view: View): Region[] | null {
  if (surroundings(view) === null) return null;
  const area = view.width * view.height;
  const regions = regionsOf(unreached(view)).filter(({ cells }) => cells.length >= SMALLEST_SHARE * area);
  const share = regions.reduce((sum, { cells }) => sum + cells.length, 0) / area;
  return regions.length === 0 || regions.length > MOST_REGIONS || share > LARGEST_SHARE ? null : regions;
}
