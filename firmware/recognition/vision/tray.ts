/** The empty tray as it was learned, kept in a small file. */
import { rmSync } from 'node:fs';
import { replaceFile } from '../../store/durable-file.ts';
import { isStoreError } from '../../store/errors.ts';
import { readPlainFileIfAny } from '../../store/plain-file.ts';
import { writeFailure } from '../../store/write-failure.ts';
import { withFailureCodes } from '../failures.ts';
import { type Background, learnBackground } from './background.ts';
import { packBackground, unpackBackground } from './background-file.ts';
import { type Found, find, isEmptyTray } from './finder.ts';
import type { View } from './frame.ts';

/** Many times what a learned tray has. */
const MAX_BYTES = 1024 * 1024;

export class Tray {
  readonly #path: string;
  #background: Background | null = null;
  /** What is stored; of which shape it is to be, the first view tells. */
  #stored: Uint8Array | null;
  #isMisfit = false;

  constructor(path: string) {
    this.#path = path;
    this.#stored = stored(path);
  }

  get isLearned(): boolean {
    return this.#background !== null || this.#stored !== null;
  }

  /** Whether what was learned is of another picture than the newest: of a camera that was changed, or gives another size. */
  get isMisfit(): boolean {
    return this.#isMisfit;
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

  /** Durable when it settles. @throws {RecognitionError} `storageFull`, `fileWrite` */
  async learn(views: readonly View[]): Promise<void> {
    const background = learnBackground(views);
    await withFailureCodes(() => replaceFile(this.#path, packBackground(background)));
    this.#use(background);
  }

  /** The tray is seen differently from now on: what was learned does not fit any more. */
  async forget(): Promise<void> {
    await withFailureCodes(() => rmSync(this.#path, { force: true, recursive: true }));
    this.#use(null);
  }

  #use(background: Background | null): void {
    this.#stored = null;
    this.#background = background;
    this.#isMisfit = false;
  }

  /** Null where none was learned, or one of another shape. */
  #backgroundFor({ width, height }: View): Background | null {
    if (this.#stored !== null) this.#background = unpackBackground(this.#stored, { width, height });
    this.#stored = null;
    const shape = this.#background?.view;
    const fits = shape?.width === width && shape.height === height;
    this.#isMisfit = shape !== undefined && !fits;
    return fits ? this.#background : null;
  }
}

/** Null where nothing was learned, or what is there cannot be read: it is learned anew with one call. */
function stored(path: string): Uint8Array | null {
  try {
    return readPlainFileIfAny(path, MAX_BYTES);
  } catch (error) {
    if (!isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE') && writeFailure(error) === null) throw error;
    return null;
  }
}
