/** The learned empty tray, stored in a small file, and what it finds in a view. */
import { TwoCopyFile } from '../../core/files/index.ts';
import { withFailureCodes } from '../model/failures.ts';
import { type Background, learnBackground, packBackground, unpackBackground } from './background.ts';
import type { View } from './frame.ts';
import { type FoundThings, findThings, isEmptyTray } from './thing-finder.ts';

/** Many times the size of a learned tray. */
const MAX_BYTES = 1024 * 1024;

/**
 * Share of the area: where no tray is known, a smaller thing that stands out may be a screw of the tray, or a scratch.
 */
const LARGE_SHARE = 0.025;

/** @throws what is wrong with the bytes */
export function readTray(bytes: Buffer): Background {
  if (bytes.length > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
  return unpackBackground(bytes);
}

export class Tray {
  readonly #file: TwoCopyFile<Background>;
  #background: Background | null;
  #isMisfit = false;
  #revision = 0;

  constructor(path: string) {
    this.#file = new TwoCopyFile(path, MAX_BYTES, readTray);
    this.#background = this.#file.value;
  }

  /** Rises when an empty tray is learned or forgotten. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Whether an empty tray was learned from pictures of the present size: otherwise a bare tray is taken for a thing.
   */
  get isKnown(): boolean {
    return this.#background !== null && !this.#isMisfit;
  }

  /** Whether the learned tray has another size than the newest picture: the camera or its size was changed. */
  get isMisfit(): boolean {
    return this.#isMisfit;
  }

  /** The learned empty tray; null where none was learned. */
  get known(): View | null {
    return this.#background?.view ?? null;
  }

  /** Finds things on the tray. @param view of the whole area */
  findThings(view: View): FoundThings {
    return findThings(view, this.#backgroundFor(view));
  }

  /** Whether the tray is empty; false while no empty tray was learned. */
  isEmpty(view: View): boolean {
    const background = this.#backgroundFor(view);
    return background !== null && isEmptyTray(view, background);
  }

  /** Whether a thing lies there that must not be learned as part of the tray. */
  isLoaded(view: View): boolean {
    const { width, height } = view;
    const least = this.#backgroundFor(view) === null ? LARGE_SHARE * width * height : 0;
    return this.findThings(view).things.some(({ size }) => size > least);
  }

  /** Durable when it settles. @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async learn(views: readonly View[]): Promise<void> {
    const background = learnBackground(views);
    await withFailureCodes(() => this.#file.write(packBackground(background)));
    this.#setBackground(background);
  }

  /** Forgets the learned tray, because the camera sees the tray differently now. */
  async forget(): Promise<void> {
    await withFailureCodes(() => this.#file.remove());
    this.#setBackground(null);
  }

  #setBackground(background: Background | null): void {
    this.#background = background;
    this.#isMisfit = false;
    this.#revision += 1;
  }

  /** The learned tray for this view; null where none was learned, or one of another shape. */
  #backgroundFor({ width, height }: View): Background | null {
    const shape = this.#background?.view;
    const fits = shape?.width === width && shape.height === height;
    this.#isMisfit = shape !== undefined && !fits;
    return fits ? this.#background : null;
  }
}
