/** How far the clock of a kept lane is ahead of the machine's: a lane that is killed and started again goes on from there. */
import { existsSync, readFileSync } from 'node:fs';
import { isCode } from '../../../../drivers/lib/errors.ts';
import { replaceFile } from '../../../core/store/index.ts';
import { SimulatedTime, SLOWEST } from './simulated-time.ts';

/** Between two looks at a clock that runs faster. */
const LOOK_MS = 1000;
/** Looks that a kill may come too late for: a machine that has no time just then. */
const LOOKS_AHEAD = 2;

/** @returns milliseconds; 0 where nothing was kept @throws where the file holds no number */
function kept(file: string): number {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  if (/^\d{1,15}\n$/.test(text)) return Number(text);
  throw new Error(`${file} holds no number of milliseconds: delete it, and the lane begins at the time of the machine`);
}

/** The clock of a lane whose folder is kept. */
export class KeptTime extends SimulatedTime {
  readonly #file: string;
  #look: NodeJS.Timeout | null = null;

  /** @param file that need not be there yet */
  constructor(speed: number, file: string) {
    super(speed, kept(file));
    this.#file = file;
  }

  /** To be called once the folder is this process's own: from then on it is written down how far it is ahead. */
  begin(): void {
    this.#look = setInterval(() => this.speed !== SLOWEST && this.#keep(true), LOOK_MS).unref();
    this.#keep(true);
  }

  override get speed(): number {
    return super.speed;
  }

  override set speed(speed: number) {
    super.speed = speed;
    this.#keep(true);
  }

  override advance(ms: number): void {
    super.advance(ms);
    this.#keep(true);
  }

  end(): void {
    clearInterval(this.#look ?? undefined);
    this.#keep(false);
    this.#look = null;
  }

  /** @param isRunning a faster clock is kept where it will be, for a kill gives no notice */
  #keep(isRunning: boolean): void {
    if (this.#look === null) return; // the folder is another's, or may be
    const more = isRunning ? LOOKS_AHEAD * LOOK_MS * (this.speed - SLOWEST) : 0;
    try {
      replaceFile(this.#file, `${this.ahead + more}\n`);
    } catch (error) {
      if (!isCode(error, 'ENOSPC')) throw error; // a full disk stops no clock: a later look keeps it
    }
  }
}
