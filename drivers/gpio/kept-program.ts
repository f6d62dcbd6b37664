/** A program that holds a line for as long as it runs: started again when it ends, ended with us, however we end. */
import { basename } from 'node:path';
import { after, pause } from '../lib/async.ts';
import { Backoff } from '../lib/backoff.ts';
import { messageOf } from '../lib/errors.ts';
import { GuardedProcess } from '../lib/guarded-process.ts';
import { byLines, type Chip } from './gpiod-programs.ts';
import type { OnTrouble } from './pins.ts';

export interface KeptTiming {
  /** A program that has run for so long works. */
  readonly wellAfterMs: number;
  /** Between two starts, at first and at most. */
  readonly minMs: number;
  readonly maxMs: number;
}

export const KEPT_TIMING: KeptTiming = Object.freeze({ wellAfterMs: 2000, minMs: 250, maxMs: 30_000 });

interface KeptOptions {
  /** Asked at each start, where no chip is known. @throws the reason of a pin that does not work */
  readonly findChip: () => Promise<Chip>;
  readonly command: (chip: Chip) => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timing: KeptTiming;
  readonly onTrouble: OnTrouble;
  /** Takes a line of its output; false where that is none of its lines: it is ended. */
  readonly onLine: (line: string) => boolean;
  readonly onEnd: () => void;
}

export class KeptProgram {
  readonly #options: KeptOptions;
  readonly #closing = new AbortController();
  readonly #over: Promise<void>;
  #child: GuardedProcess | null = null;
  #isReplaced = false;

  constructor(options: KeptOptions) {
    this.#options = options;
    this.#over = this.#run();
  }

  /** Ends what runs, for what the command is now. */
  replace(): void {
    this.#isReplaced = true;
    void this.#child?.end();
  }

  /** Settles when nothing runs any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#child?.end();
    await this.#over;
  }

  async #run(): Promise<void> {
    const { onTrouble, timing } = this.#options;
    const backoff = new Backoff({ ...timing, random: Math.random });
    const onWell = () => {
      backoff.reset();
      onTrouble(null);
    };
    while (!this.#closing.signal.aborted) {
      const reason = await this.#runOnce(onWell).catch(messageOf);
      if (reason === null) continue;
      onTrouble(reason);
      await pause(backoff.next(), this.#closing.signal);
    }
  }

  /** One life of the program. @returns why it ended; null where we have ended it */
  async #runOnce(onWell: () => void): Promise<string | null> {
    const { findChip, command, env, timing, onLine, onEnd } = this.#options;
    const chip = await findChip();
    if (this.#closing.signal.aborted) return null;
    this.#isReplaced = false;
    const words = command(chip);
    const child = new GuardedProcess(words, env);
    this.#child = child;
    const name = basename(words[0] ?? '');
    let trouble = '';
    const callOff = after(timing.wellAfterMs, onWell);
    byLines(child.stdout, (line) => {
      if (trouble !== '' || onLine(line)) return;
      trouble = `${name} says ${JSON.stringify(line)}`;
      void child.end();
    });
    byLines(child.stderr, (line) => {
      trouble ||= line;
    });
    const { code, error } = await child.ended;
    callOff();
    onEnd();
    if (this.#isReplaced || this.#closing.signal.aborted) return null;
    return error?.message || trouble || `${name} ended (${code ?? 'killed'})`;
  }
}
