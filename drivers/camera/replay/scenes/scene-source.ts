/** Drawn scenes by turns: every item once a round, in an order of its own, with an empty tray now and then. */
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../contract.ts';
import type { Picture, PictureSource } from '../replay.ts';
import { type Random, randomOf } from './random.ts';
import { drawScene, SCENE_ITEMS, type SceneItem } from './scenes.ts';
import { TRAYS, type Tray } from './trays.ts';

/** After so many items the tray is empty once. */
const EMPTY_AFTER = 4;

/** What lies on the tray, one after the other, for ever; null is the empty tray. */
export function* turnsOf(random: Random): Generator<SceneItem | null, never> {
  for (;;) {
    for (const [index, item] of random.shuffled(SCENE_ITEMS).entries()) {
      yield item;
      if (index % EMPTY_AFTER === EMPTY_AFTER - 1) yield null;
    }
  }
}

export class SceneSource implements PictureSource {
  readonly #seed: number;
  /** A device has one tray: only light and goods change. */
  readonly #tray: Tray;
  readonly #turns: Generator<SceneItem | null, never>;
  #drawn = 0;

  constructor(seed: number) {
    this.#seed = seed;
    const random = randomOf('order', seed);
    this.#tray = random.pick(TRAYS);
    this.#turns = turnsOf(random);
  }

  async next(): Promise<Picture> {
    const item = this.#turns.next().value;
    // the numbers of two seeds stay far apart
    const seed = this.#seed * 1_000_003 + this.#drawn++;
    const jpeg = await drawScene({ item, seed, tray: this.#tray });
    return { jpeg, size: { width: FRAME_WIDTH, height: FRAME_HEIGHT } };
  }
}
