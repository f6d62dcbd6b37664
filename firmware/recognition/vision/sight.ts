/**
 * The parts of a frame that recognition would look at, computed by its own code, for people who set up a camera or
 * teach.
 */
import type { Frame } from '../../../drivers/camera/contract.ts';
import type { Speed } from '../../core/config/index.ts';
import type { Manifest } from '../embedding/manifest.ts';
import { boxOf, cutAround, ofPicture, type Rectangle, toPixels } from './cut.ts';
import type { Cover, Found } from './finder.ts';
import { type Area, modelViews, seenOf, trayView } from './frame.ts';
import { openPicture } from './frame-picture.ts';
import { type Flaw, flawsOf, type Measures, measure } from './quality.ts';
import type { Tray } from './tray.ts';

/** Lengths in the frame's own pixels. */
export interface Sight {
  readonly frame: Frame;
  readonly area: Rectangle;
  /** `unsure`: nothing stands out clearly, and the whole area is looked at. */
  readonly tray: 'empty' | 'things' | 'unsure';
  /** Whether an empty tray was learned from pictures of this size. */
  readonly isLearned: boolean;
  /** Things, the largest first. */
  readonly things: readonly { readonly box: Rectangle; readonly cover: Cover | null }[];
  /** The model's looks in their order; of several things those at the largest. Empty where no model runs, or the tray is empty. */
  readonly looks: readonly Rectangle[];
  readonly flaws: readonly Flaw[];
  /** Measures of the first look; null where there is none. */
  readonly measures: Measures | null;
}

interface Way {
  readonly area: Area;
  /** Input of the model; null where none runs. */
  readonly input: Manifest['input'] | null;
  readonly speed: Speed;
}

const stateOf = ({ isSure, things }: Found): Sight['tray'] =>
  isSure ? (things.length === 0 ? 'empty' : 'things') : 'unsure';

/** @throws {FrameRefused} */
export async function sightOf(
  frame: Frame,
  tray: Pick<Tray, 'find' | 'isKnown'>,
  { area, input, speed }: Way,
): Promise<Sight> {
  const picture = await openPicture(frame.jpeg);
  const small = await trayView(picture, area);
  const found = tray.find(small);
  const state = stateOf(found);
  const [thing = null] = found.things;
  const cut = thing === null ? null : cutAround(thing, small);
  const isLooked = input !== null && state !== 'empty';
  const measures = isLooked ? measure((await modelViews(picture, area, input, 'fast', cut))[0]) : null;
  const covers = found.things.flatMap(({ cover }) => cover ?? []).slice(0, 1);
  return {
    frame,
    area: toPixels(area, picture),
    tray: state,
    isLearned: tray.isKnown,
    things: found.things.map((one) => ({ box: ofPicture(boxOf(one, small, area), picture), cover: one.cover })),
    looks: isLooked ? seenOf(picture, area, input, speed, cut) : [],
    flaws: measures === null ? [] : [...covers, ...flawsOf(measures)],
    measures,
  };
}
