/** The empty tray as it was learned, kept in a small file. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '../store/durable-file.ts';
import type { View } from './frame.ts';
import { type Background, isEmptyTray, learnBackground, packBackground, unpackBackground } from './quality-tray.ts';
import { storing } from './storage-errors.ts';

export class Tray {
  readonly #path: string;
  #background: Background | null;

  constructor(path: string) {
    this.#path = path;
    this.#background = existsSync(path) ? unpackBackground(readFileSync(path)) : null;
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
    await storing(() => replaceFile(this.#path, packBackground(background)));
    this.#background = background;
  }

  /** The tray is seen differently from now on: what was learned does not fit any more. */
  async forget(): Promise<void> {
    await storing(() => rmSync(this.#path, { force: true }));
    this.#background = null;
  }
}
