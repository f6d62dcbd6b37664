/** The empty tray as it was learned, kept in a small file. */
import { rmSync } from 'node:fs';
import { replaceFile } from '../../store/durable-file.ts';
import { isStoreError } from '../../store/errors.ts';
import { readPlainFileIfAny } from '../../store/plain-file.ts';
import { writeFailure } from '../../store/write-failure.ts';
import { withFailureCodes } from '../failures.ts';
import type { View } from './frame.ts';
import { type Background, isEmptyTray, learnBackground, packBackground, unpackBackground } from './quality-tray.ts';

/** Many times what a learned tray has. */
const MAX_BYTES = 1024 * 1024;

/** Null where nothing was learned, or what is there cannot be read: it is learned anew with one call. */
function learned(path: string): Background | null {
  try {
    const bytes = readPlainFileIfAny(path, MAX_BYTES);
    return bytes === null ? null : unpackBackground(bytes);
  } catch (error) {
    if (!isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE') && writeFailure(error) === null) throw error;
    return null;
  }
}

export class Tray {
  readonly #path: string;
  #background: Background | null;

  constructor(path: string) {
    this.#path = path;
    this.#background = learned(path);
  }

  get isLearned(): boolean {
    return this.#background !== null;
  }

  /** False as long as no empty tray was learned. */
  isEmpty(view: View): boolean {
    return this.#background !== null && isEmptyTray(this.#background, view);
  }

  /** Durable when it settles. @throws {RecognitionError} `storageFull`, `fileWrite` */
  async learn(views: readonly View[]): Promise<void> {
    const background = learnBackground(views);
    await withFailureCodes(() => replaceFile(this.#path, packBackground(background)));
    this.#background = background;
  }

  /** The tray is seen differently from now on: what was learned does not fit any more. */
  async forget(): Promise<void> {
    await withFailureCodes(() => rmSync(this.#path, { force: true, recursive: true }));
    this.#background = null;
  }
}
