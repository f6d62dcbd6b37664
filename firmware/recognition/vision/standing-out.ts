/** What stands out of its surroundings where no empty tray was learned: nothing but what is unmistakable. */
import type { View } from './frame.ts';
import { maskOf, type Region, regionsOf, rimContact } from './regions.ts';

/** Of the short side: the surroundings are what lies so near to the rim. */
const RING_SHARE = 0.08;
/** Levels by which the surroundings may differ from one of their own colours; what stands out differs by more. */
const OWN_COLOUR = 26;
/** Colours that surroundings may have, each at least of so much of the ring; together they must explain nearly all of it. */
const MAX_COLOURS = 5;
const COLOUR_SHARE = 0.1;
const EXPLAINED_SHARE = 0.92;
/** Of the area: less is a crumb, more might be the tray itself. */
const REGION_SHARE = [0.01, 0.6] as const;
/** Of all that stands out: where other things do as well, which of them is meant cannot be told. */
const MAIN_SHARE = 0.85;

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

/** Null where nothing does, or more than one thing. */
export function standingOut(view: View): Region | null {
  const colours = surroundings(view);
  if (colours === null) return null;
  const cells = Array.from({ length: view.width * view.height }, (_, cell) => cell).filter((cell) =>
    colours.every((colour) => distance(colour, colourOf(view, cell)) > OWN_COLOUR),
  );
  const [main] = regionsOf(maskOf(view, cells));
  if (main === undefined || main.cells.length < MAIN_SHARE * cells.length || rimContact(view, main) > 0) return null;
  const share = main.cells.length / (view.width * view.height);
  return share < REGION_SHARE[0] || share > REGION_SHARE[1] ? null : main;
}
