/**
 * How good a view is: whether blur, darkness or glare would explain a bad answer. Pure functions of the pixels that the
 * model sees (`View` of `frame.ts`).
 */
import type { View } from './frame.ts';

/** Flaws that an answer names; none of them refuses it. */
export const FLAWS = Object.freeze({
  dark: 'hardly any light: is the lamp on?',
  glare: 'a large part is burnt out by light',
  blurred: 'out of focus, or moved: is the lens clean?',
  moving: 'what lies on the tray still moves',
  'cut-by-rim': 'the rim of the area cuts it: push it towards the middle',
  hand: 'a hand is in the picture',
});
export type Flaw = keyof typeof FLAWS;

export interface Measures {
  /** Brightness that one tenth of the pixels reaches, 0 to 255. */
  readonly highlights: number;
  /** Share of the pixels that are burnt out in all three channels. */
  readonly glare: number;
  /** 0 for a sharp picture to 1 for one that blurring no longer changes; null where there is nothing to see. */
  readonly blur: number | null;
}

/** Under the lamp of a tray even a dark aubergine shines somewhere. */
const DARK_HIGHLIGHTS = 55;
const GLARE_SHARE = 0.12;
/** 1 in 200 photographs of groceries is above it; of the same blurred by 1 % of their width, half are. */
const BLURRED = 0.48;
const BURNT_OUT = 250;
const HIGHLIGHT_SHARE = 0.1;
/** Mean step between neighbours, in grey levels, below which a picture is flat and its blur unknown. */
const FLAT_STEP = 0.8;
/** Half the width of the box that blurs the picture for the comparison with itself. */
const BLUR_RADIUS = 4;
/** Larger views are reduced first, so that the same blur measures the same. */
const MAX_GREY_SIDE = 160;
/** Parts on a side of a view; the light of each is measured. */
const LIGHT_PARTS = 3;
/** Step between measured rows and columns: every second one shows the blur as well. */
const LINE_STEP = 2;

interface Grey {
  readonly width: number;
  readonly height: number;
  readonly levels: Float32Array;
}

/** Grey levels of a view, 0 to 255 (ITU-R BT.601), each the mean of a square of pixels. */
function toGrey({ width, height, pixels }: View): Grey {
  const square = Math.ceil(Math.max(width, height) / MAX_GREY_SIDE);
  const [columns, rows] = [Math.floor(width / square), Math.floor(height / square)];
  const levels = new Float32Array(columns * rows);
  const share = 1 / (square * square);
  for (let y = 0; y < rows * square; y++) {
    let from = y * width * 3;
    for (let column = 0, at = Math.floor(y / square) * columns; column < columns; column++, at++) {
      for (const end = from + square * 3; from < end; from += 3) {
        const level = 0.299 * (pixels[from] ?? 0) + 0.587 * (pixels[from + 1] ?? 0) + 0.114 * (pixels[from + 2] ?? 0);
        levels[at] = (levels[at] ?? 0) + level * share;
      }
    }
  }
  return { width: columns, height: rows, levels };
}

/** The level that `share` of the values reach. */
function levelReachedBy(share: number, levels: Float32Array): number {
  const counts = new Uint32Array(256);
  // by index: an iterator would make garbage of tens of thousands of values
  for (let place = 0; place < levels.length; place++) {
    const at = Math.min(255, Math.floor(levels[place] ?? 0));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  let level = 255;
  for (let reached = counts[255] ?? 0; level > 0 && reached < share * levels.length; reached += counts[level] ?? 0) {
    level -= 1;
  }
  return level;
}

/**
 * How much of the steps between neighbours along one direction survives blurring along it: a sharp picture loses most
 * of them, a blurred one has none to lose. After Crété-Roffet et al., "The blur effect" (2007).
 * @param step distance of neighbours in a line; `nextLine` between lines, both in places of `levels`
 */
function blurAlong(levels: Float32Array, lines: number, nextLine: number, length: number, step: number): number | null {
  let before = 0;
  let lost = 0;
  const values = new Float64Array(length);
  const blurred = new Float64Array(length);
  for (let line = 0; line < lines; line += LINE_STEP) {
    for (let at = 0; at < length; at++) values[at] = levels[line * nextLine + at * step] ?? 0;
    boxBlur(values, blurred);
    for (let at = 1; at < length; at++) {
      const sharp = Math.abs((values[at] ?? 0) - (values[at - 1] ?? 0));
      before += sharp;
      lost += Math.max(0, sharp - Math.abs((blurred[at] ?? 0) - (blurred[at - 1] ?? 0)));
    }
  }
  const steps = Math.ceil(lines / LINE_STEP) * (length - 1);
  return before < FLAT_STEP * steps ? null : 1 - lost / before;
}

/** Means over a window that slides along and is cut at the ends. */
function boxBlur(values: Float64Array, out: Float64Array): void {
  let sum = 0;
  let count = 0;
  for (let ahead = 0; ahead < values.length + BLUR_RADIUS; ahead++) {
    if (ahead < values.length) {
      sum += values[ahead] ?? 0;
      count += 1;
    }
    const behind = ahead - 2 * BLUR_RADIUS - 1;
    if (behind >= 0) {
      sum -= values[behind] ?? 0;
      count -= 1;
    }
    if (ahead >= BLUR_RADIUS) out[ahead - BLUR_RADIUS] = sum / count;
  }
}

/** Number of pixels that are burnt out in all three channels. */
function burntOut({ pixels }: View): number {
  let burnt = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    if ((pixels[at] ?? 0) < BURNT_OUT || (pixels[at + 1] ?? 0) < BURNT_OUT) continue;
    if ((pixels[at + 2] ?? 0) >= BURNT_OUT) burnt += 1;
  }
  return burnt;
}

/** Lightness, glare and blur of a view. */
export function measure(view: View): Measures {
  const { width, height, levels } = toGrey(view);
  const blurs = [blurAlong(levels, height, width, width, 1), blurAlong(levels, width, 1, height, width)];
  const known = blurs.filter((blur) => blur !== null);
  return {
    highlights: levelReachedBy(HIGHLIGHT_SHARE, levels),
    glare: burntOut(view) / (view.width * view.height),
    // motion blurs one direction only, so the worse one counts
    blur: known.length === 0 ? null : Math.max(...known),
  };
}

/** How dark the darkest part of a view is beside the brightest: 1 where all are lit alike. */
export function evennessOf(view: View): number {
  const { width, height, levels } = toGrey(view);
  const sums = new Float64Array(LIGHT_PARTS * LIGHT_PARTS);
  const counts = new Uint32Array(sums.length);
  for (const [at, level] of levels.entries()) {
    const column = Math.floor(((at % width) * LIGHT_PARTS) / width);
    const part = Math.floor((Math.floor(at / width) * LIGHT_PARTS) / height) * LIGHT_PARTS + column;
    sums[part] = (sums[part] ?? 0) + level;
    counts[part] = (counts[part] ?? 0) + 1;
  }
  const means = [...sums].map((sum, part) => sum / (counts[part] ?? 1));
  return Math.min(...means) / Math.max(1, ...means);
}

/** Flaws of a view by its measures, the worst first. Motion is found by `background.ts`, a cover by `thing-finder.ts`. */
export function flawsOf({ highlights, glare, blur }: Measures): Flaw[] {
  const flaws: Flaw[] = [];
  if (highlights < DARK_HIGHLIGHTS) flaws.push('dark');
  if (glare > GLARE_SHARE) flaws.push('glare');
  if (blur !== null && blur > BLURRED) flaws.push('blurred');
  return flaws;
}
