/**
 * How the light changed between two views of one tray, for red, green and blue separately. Some cells vote: things on
 * the tray change their cells each in its own way, the lamp changes all others alike. Cells that are burnt out in
 * either view do not vote.
 */
import type { View } from './frame.ts';

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
const BURNT_OUT = 250;
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
function elected(all: Int16Array): { step: number; count: number } {
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

/** @param from, to of the same size */
export function lightChange(from: View, to: View): LightChange {
  const all = votes(from, to);
  const { step, count } = elected(all);
  if (count < LEAST_VOTES * all.length) return [1, 1, 1];
  const deciding: number[] = [];
  for (let voter = 0; voter < all.length; voter++) {
    const own = all[voter] ?? -1;
    if (own !== -1 && Math.abs(own - step) <= REACH_STEPS) deciding.push(voter * VOTER_EVERY * 3);
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
