/**
 * Pins of a Raspberry Pi through libgpiod's programs, for kernels without GPIO files: a running `gpioset` holds each
 * level, and a `gpiomon` writes a line for each edge of the button.
 */

import { basename } from 'node:path';
import { after, Backoff, pause } from '../lib/async.ts';
import { messageOf } from '../lib/errors.ts';
import { GuardedProcess } from '../lib/guarded-process.ts';
import { answerOf, byLines, type Chip, type Edge, edgeOf, findChip } from './gpiod-programs.ts';
import type { OnTrouble, Pin, PinFactory } from './pins.ts';
import { BUTTON_DEBOUNCE_MS } from './pins.ts';

/** Turns the edges of a button into presses: one each, however the contact bounces and however late an edge is reported. */
export class ButtonEdges {
  readonly #onPress: () => void;
  readonly #after: typeof after;
  #pressedAtMs: number | null = null;
  #isReported = false;
  #isKnown = true;
  #callOff: (() => void) | null = null;

  constructor(onPress: () => void, wait = after) {
    this.#onPress = onPress;
    this.#after = wait;
  }

  /** The level; null where the button was pressed when the last edge was reported and no more edges are. */
  get level(): 0 | 1 | null {
    if (!this.#isKnown) return null;
    return this.#pressedAtMs === null ? 0 : 1;
  }

  add({ isPressed, atMs }: Edge): void {
    this.#isKnown = true;
    this.#callOff?.();
    if (!isPressed) {
      // by the kernel's clock: this process may hear of a whole press at once
      if (this.#pressedAtMs !== null && atMs - this.#pressedAtMs >= BUTTON_DEBOUNCE_MS) this.#press();
      this.#pressedAtMs = null;
      this.#isReported = false;
      return;
    }
    this.#pressedAtMs = atMs;
    this.#callOff = this.#after(BUTTON_DEBOUNCE_MS, () => this.#press());
  }

  /** Edges are no longer reported until the next call of `add`. */
  lose(): void {
    this.#callOff?.();
    if (this.#pressedAtMs === null) return;
    this.#pressedAtMs = null;
    this.#isReported = false;
    this.#isKnown = false;
  }

  #press(): void {
    if (!this.#isReported) this.#onPress();
    this.#isReported = true;
  }
}

export interface HolderTiming {
  /** A program that has run for this long works. */
  readonly wellAfterMs: number;
  /** The wait between two starts: the first and the longest. */
  readonly minMs: number;
  readonly maxMs: number;
}

const HOLDER_TIMING: HolderTiming = Object.freeze({ wellAfterMs: 2000, minMs: 250, maxMs: 30_000 });

/** A program that holds a line, and the callbacks for its output and its end. */
interface Kept {
  readonly command: (chip: Chip) => readonly string[];
  readonly onTrouble: OnTrouble;
  /** Takes a line of the output; false where the line is not the program's: it is then ended. */
  readonly onLine: (line: string) => boolean;
  readonly onEnd: () => void;
}

/**
 * A program that holds a line while it runs: it is restarted when it ends, and it ends with this process in every case.
 */
class LineHolder {
  readonly #kept: Kept;
  readonly #findChip: () => Promise<Chip>;
  readonly #env: NodeJS.ProcessEnv;
  readonly #timing: HolderTiming;
  readonly #closing = new AbortController();
  readonly #over: Promise<void>;
  #child: GuardedProcess | null = null;
  #isReplaced = false;

  /** @param findChip called at a start where no chip is known; throws the reason why the pin does not work */
  constructor(kept: Kept, findChip: () => Promise<Chip>, env: NodeJS.ProcessEnv, timing: HolderTiming) {
    this.#kept = kept;
    this.#findChip = findChip;
    this.#env = env;
    this.#timing = timing;
    this.#over = this.#run();
  }

  /** Ends the running program, so that it starts again with the current command. */
  replace(): void {
    this.#isReplaced = true;
    void this.#child?.end();
  }

  /** Ends the program; settles when it no longer runs. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#child?.end();
    await this.#over;
  }

  async #run(): Promise<void> {
    const { onTrouble } = this.#kept;
    const backoff = new Backoff(this.#timing);
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

  /** Runs the program once. @returns why it ended; null where we have ended it */
  async #runOnce(onWell: () => void): Promise<string | null> {
    const { command, onLine, onEnd } = this.#kept;
    const chip = await this.#findChip();
    if (this.#closing.signal.aborted) return null;
    this.#isReplaced = false;
    const words = command(chip);
    const child = new GuardedProcess(words, this.#env);
    this.#child = child;
    const name = basename(words[0] ?? '');
    let trouble = '';
    const callOff = after(this.#timing.wellAfterMs, onWell);
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

export function libgpiodPins(env: NodeJS.ProcessEnv, timing = HOLDER_TIMING): PinFactory {
  let chip: Promise<Chip> | null = null;
  const cachedChip = (): Promise<Chip> => {
    chip ??= findChip(env);
    return chip;
  };
  const keep = (kept: Kept): LineHolder => new LineHolder(kept, cachedChip, env, timing);
  /** Looks for the chip again after trouble: it may have come back under another name. */
  const forgetting =
    (onTrouble: OnTrouble): OnTrouble =>
    (reason) => {
      if (reason !== null) chip = null;
      onTrouble(reason);
    };
  return {
    kind: 'libgpiod',
    output(bcm, onTrouble): Pin {
      let level: 0 | 1 = 0;
      let used: Chip | null = null;
      const kept = keep({
        command(found) {
          used = found;
          return found.edition.hold(found.name, bcm, level);
        },
        onTrouble: forgetting(onTrouble),
        onLine: () => true,
        onEnd: () => {},
      });
      return {
        readSync: () => level,
        writeSync(value) {
          if (value === level) return;
          level = value;
          kept.replace();
        },
        watch: () => {},
        /** Ends the program and sets the final level: a released line may stay at the level that the program held. */
        async release() {
          await kept.close();
          if (used === null) return;
          const { trouble } = await answerOf(used.edition.set(used.name, bcm, level), env);
          if (trouble !== '') throw new Error(trouble);
        },
      };
    },
    button(bcm, onTrouble): Pin {
      let callback: Parameters<Pin['watch']>[0] = () => {};
      const edges = new ButtonEdges(() => callback(null, 1));
      const kept = keep({
        command: ({ name, edition }) => edition.watch(name, bcm),
        onTrouble: forgetting(onTrouble),
        onLine(line) {
          const edge = edgeOf(line);
          if (edge !== null) edges.add(edge);
          return edge !== null;
        },
        onEnd: () => edges.lose(),
      });
      return {
        readSync: () => edges.level,
        writeSync: () => {},
        watch: (listener) => {
          callback = listener;
        },
        async release() {
          edges.lose();
          await kept.close();
        },
      };
    },
  };
}
