/**
 * A simulated tray for a device without a camera: it shows the drawn thing that somebody lays on it, until another one
 * is laid.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../lib/errors.ts';
import { SerialQueue } from '../lib/serial-queue.ts';
import type { CameraOptions, DrawnCamera, DrawnThing, Frame } from './contract.ts';
import { SlotCamera } from './frame-slot.ts';

/** Drawn by `test/tools/scenes/render.ts`. */
const FOLDER = join(import.meta.dirname, 'pictures');

/** Numbers of each thing's pictures, enough of them to teach it. A thing that is laid again gets its next picture. */
const LOOKS: Readonly<Record<DrawnThing, readonly string[]>> = Object.freeze({
  'apple-green': ['01', '07', '13', '18', '23'],
  'milk-carton': ['02', '08', '14', '19', '24'],
  orange: ['03', '09', '15', '20', '25'],
  'tea-box': ['04', '10', '16', '21', '26'],
  banana: ['05', '11', '17', '22', '27'],
  nothing: ['06', '12'],
});
const fileOf = (thing: DrawnThing, number: string): string =>
  join(FOLDER, `${number}-${thing === 'nothing' ? 'empty' : thing}.jpg`);
const FIRST: DrawnThing = 'banana';

export class DrawnTray extends SlotCamera implements DrawnCamera {
  readonly kind = 'replay';
  readonly streaming = false;
  readonly #laid = new Map<DrawnThing, number>();
  #lies: DrawnThing = FIRST;
  /** Things laid at the same time are shown in the order of their calls. */
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
      const looks = LOOKS[thing];
      const jpeg = await readFile(fileOf(thing, looks[times % looks.length] ?? ''));
      const frame = await this.takeChecked(jpeg, performance.now());
      this.#laid.set(thing, times + 1);
      this.#lies = thing;
      return frame;
    });
  }
}
