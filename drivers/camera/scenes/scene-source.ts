/** Drawn scenes by turns: every item once a round, in an order of its own, with an empty tray now and then. */
import { FRAME_HEIGHT, FRAME_WIDTH } from '../contract.ts';
import type { Picture, PictureSource } from '../replay.ts';
import { type Random, randomOf } from './random.ts';
import { drawScene, isSceneItem, SCENE_ITEMS, type SceneItem } from './scenes.ts';
import { TRAYS, type Tray } from './trays.ts';

/** After so many items the tray is empty once. */
const EMPTY_AFTER = 4;

export class SceneSource implements PictureSource {
  readonly items: readonly string[] = SCENE_ITEMS;
  readonly #seed: number;
  /** A device has one tray: only light and goods change. */
  readonly #tray: Tray;
  readonly #random: Random;
  #round: (SceneItem | null)[] = [];
  #drawn = 0;
  #held: SceneItem | null | undefined;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = randomOf('order', seed);
    this.#tray = this.#random.pick(TRAYS);
  }

  hold(item: string | null): void {
    if (item !== null && !isSceneItem(item)) throw new RangeError(`there is no ${item} to put on the tray`);
    this.#held = item;
  }

  release(): void {
    this.#held = undefined;
  }

  async next(): Promise<Picture> {
    const item = this.#held === undefined ? this.#turn() : this.#held;
    // the numbers of two seeds stay far apart
    const seed = this.#seed * 1_000_003 + this.#drawn++;
    const jpeg = await drawScene({ item, seed, tray: this.#tray });
    return { jpeg, size: { width: FRAME_WIDTH, height: FRAME_HEIGHT }, showing: { item } };
  }

  #turn(): SceneItem | null {
    if (this.#round.length === 0) {
      this.#round = this.#random
        .shuffled(SCENE_ITEMS)
        .flatMap((item, index) => (index % EMPTY_AFTER === EMPTY_AFTER - 1 ? [item, null] : [item]));
    }
    return this.#round.shift() ?? null;
  }
}
