/** The learned empty tray, kept in a small file. */
import { KeptFile } from '../../core/store/index.ts';
import { withFailureCodes } from '../failures.ts';
import { type Background, learnBackground, packBackground, unpackBackground } from './background.ts';
import { type Found, find, isEmptyTray } from './finder.ts';
import type { View } from './frame.ts';

/** Many times what a learned tray has. */
const MAX_BYTES = 1024 * 1024;

/** Of the area: where no tray is known, what stands out and is smaller may be a screw of the tray, or a scratch. */
const LARGE_SHARE = 0.025;

export class Tray {
  readonly #file: KeptFile<Background>;
  #background: Background | null;
  #isMisfit = false;
  #revision = 0;

  constructor(path: string) {
    this.#file = new KeptFile(path, MAX_BYTES, unpackBackground);
    this.#background = this.#file.value;
  }

  /** Rises when another empty tray is learned, and when it is forgotten. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether an empty tray was learned of pictures as the newest: else a bare tray is taken for a thing. */
  get isKnown(): boolean {
    return this.#background !== null && !this.#isMisfit;
  }

  /** Whether what was learned is of another picture than the newest: of a camera that was changed, or gives another size. */
  get isMisfit(): boolean {
    return this.#isMisfit;
  }

  /** The learned empty tray; null where none was learned. */
  get known(): View | null {
    return this.#background?.view ?? null;
  }

  /** What lies on the tray. @param view of the whole area */
  find(view: View): Found {
    return find(view, this.#backgroundFor(view));
  }

  /** False as long as no empty tray was learned. */
  isEmpty(view: View): boolean {
    const background = this.#backgroundFor(view);
    return background !== null && isEmptyTray(view, background);
  }

  /** Whether something lies there that must not be learned as a part of the tray. */
  isLoaded(view: View): boolean {
    const { width, height } = view;
    const least = this.#backgroundFor(view) === null ? LARGE_SHARE * width * height : 0;
    return this.find(view).things.some(({ size }) => size > least);
  }

  /** Durable when it settles. @throws {RecognitionError} `storageFull`, `fileWrite` */
  async learn(views: readonly View[]): Promise<void> {
    const background = learnBackground(views);
    await withFailureCodes(() => this.#file.write(packBackground(background)));
    this.#use(background);
  }

  /** The tray is seen differently from now on: what was learned does not fit any more. */
  async forget(): Promise<void> {
    await withFailureCodes(() => this.#file.remove());
    this.#use(null);
  }

  #use(background: Background | null): void {
    this.#background = background;
    this.#isMisfit = false;
    this.#revision += 1;
  }

  /** Null where none was learned, or one of another shape. */
  #backgroundFor({ width, height }: View): Background | null {
    const shape = this.#background?.view;
    const fits = shape?.width === width && shape.height === height;
    this.#isMisfit = shape !== undefined && !fits;
    return fits ? this.#background : null;
  }
}
