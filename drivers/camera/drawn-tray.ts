/** A tray to play with where there is no camera: it shows the drawn thing that somebody lays on it, until another one is laid. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../lib/errors.ts';
import { SerialQueue } from '../lib/serial-queue.ts';
import type { CameraOptions, DrawnCamera, DrawnThing, Frame } from './contract.ts';
import { SlotCamera } from './frame-slot.ts';

/** Drawn by `test/tools/scenes/render.ts`. */
const FOLDER = join(import.meta.dirname, 'pictures');

/** Two pictures of each: laid again, it lies another way. */
const PICTURES: Readonly<Record<DrawnThing, readonly [string, string]>> = Object.freeze({
  'apple-green': ['01-apple-green.jpg', '07-apple-green.jpg'],
  banana: ['05-banana.jpg', '11-banana.jpg'],
  'milk-carton': ['02-milk-carton.jpg', '08-milk-carton.jpg'],
  orange: ['03-orange.jpg', '09-orange.jpg'],
  'tea-box': ['04-tea-box.jpg', '10-tea-box.jpg'],
  nothing: ['06-empty.jpg', '12-empty.jpg'],
});
const FIRST: DrawnThing = 'banana';

export class DrawnTray extends SlotCamera implements DrawnCamera {
  readonly kind = 'replay';
  readonly streaming = false;
  readonly #laid = new Map<DrawnThing, number>();
  #lies: DrawnThing = FIRST;
  /** Those that are laid at once are shown in the order of their calls. */
  readonly #queue = new SerialQueue();

  constructor(options: CameraOptions) {
    super(options, Number.POSITIVE_INFINITY);
    this.lay(FIRST).catch((error: unknown) => {
      const reason = messageOf(error);
      this.log('no picture of the drawn tray', { reason });
      this.setState({ name: 'lost', reason });
    });
  }

  get lies(): DrawnThing {
    return this.#lies;
  }

  lay(thing: DrawnThing): Promise<Frame> {
    return this.#queue.run(async () => {
      const times = this.#laid.get(thing) ?? 0;
      const [first, second] = PICTURES[thing];
      const jpeg = await readFile(join(FOLDER, times % 2 === 0 ? first : second));
      const frame = await this.takeChecked(jpeg, performance.now());
      this.#laid.set(thing, times + 1);
      this.#lies = thing;
      return frame;
    });
  }
}
