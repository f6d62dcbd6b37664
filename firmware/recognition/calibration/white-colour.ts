/** The colour of a white place in a picture, and what it says of the lamp. */
import type { View } from '../vision/frame.ts';
import type { Gain } from '../vision/in-light.ts';

/** Median levels of red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** Above it a level may be any. */
const BURNT_OUT = 248;
/** Below it noise tells more than the lamp. */
const DARK = 40;
/** Of the middle colour: pixels that are farther from it are something else. */
const SAME = 0.15;
/** Share of the pixels that must have the middle colour: when the place is named, and later, when a crumb may lie on it. */
export const LEAST_SAME_NAMED = 0.8;
const LEAST_SAME = 0.5;
/** Of white paper under any lamp, the strongest channel is so many times the weakest at most. */
const MOST_COLOURED = 2;
/** A lamp changes a channel beside the others by so much at most: more is something that lies there. */
const MOST_CHANGED = 2;
/** A smaller change is noise, and changes nothing: 3 %. */
const LEAST_CHANGED = 1.03;

const CHANNELS = [0, 1, 2] as const;

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Why a place cannot tell the lamp, in words that go on after “it is”; null where it can. @param least share of the middle colour */
export function whiteProblem(colour: Colour, evenness: number, least: number): string | null {
  if (Math.max(...colour) > BURNT_OUT) return 'burnt out: dim the lamp, or take a greyer place';
  if (Math.min(...colour) < DARK) return 'too dark: switch the lamp on, or take a whiter place';
  if (Math.max(...colour) > MOST_COLOURED * Math.min(...colour)) return 'coloured, not white';
  if (evenness < least) return 'not of one colour: name a place that lies wholly on the white';
  return null;
}

/** The median colour of a view, and which share of its pixels has it. */
export function colourOf({ pixels }: View): { colour: Colour; evenness: number } {
  const starts = Array.from({ length: pixels.length / 3 }, (_, at) => at * 3);
  const channel = (which: number): number => median(starts.map((at) => pixels[at + which] ?? 0));
  const colour: Colour = [channel(0), channel(1), channel(2)];
  const isSame = (at: number): boolean =>
    CHANNELS.every((which) => Math.abs((pixels[at + which] ?? 0) - colour[which]) <= SAME * colour[which]);
  return { colour, evenness: starts.filter(isSame).length / starts.length };
}

/**
 * What takes the lamp's colour out, with the brightness as it is.
 * @param learned colour of the place when it was named @param view of the place now
 * @returns null where it is as it was, or does not tell: too dark, burnt out, or something lies there
 */
export function gainOf(learned: Colour, view: View): Gain | null {
  const { colour, evenness } = colourOf(view);
  if (whiteProblem(colour, evenness, LEAST_SAME) !== null) return null;
  const [red, green, blue] = CHANNELS.map((which) => learned[which] / colour[which]);
  if (red === undefined || green === undefined || blue === undefined) return null;
  const brightness = Math.cbrt(red * green * blue);
  const gain: Gain = [red / brightness, green / brightness, blue / brightness];
  const most = Math.max(...gain.map((factor) => Math.max(factor, 1 / factor)));
  return most < LEAST_CHANGED || most > MOST_CHANGED ? null : gain;
}
