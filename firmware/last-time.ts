/** The last moment that the device knows to have passed, kept for a board whose clock starts anywhere after a power cut. */
import { readFileSync } from 'node:fs';
import type { SystemClock } from './clock.ts';
import { replaceFile } from './store/durable-file.ts';

/** One small write an hour: the clock falls back by an hour at most, and the card is spared. */
const SAVE_EVERY_MS = 3_600_000;

function read(file: string): number {
  try {
    const saved = Date.parse(readFileSync(file, 'utf8').trim());
    return Number.isNaN(saved) ? 0 : saved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 0; // the first start
  }
}

/** Raises the clock to what was saved, and keeps saving; answers how to save once more and stop. */
export function keepLastTime(clock: SystemClock, file: string, onFailure: (error: unknown) => void): () => void {
  clock.raiseFloor(read(file));
  const save = (): void => {
    try {
      replaceFile(file, `${new Date(clock.wall()).toISOString()}\n`);
    } catch (error) {
      onFailure(error);
    }
  };
  const timer = setInterval(save, SAVE_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    save();
  };
}
