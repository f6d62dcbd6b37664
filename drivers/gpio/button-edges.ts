/** What the edges of a button come to: one press for each, however its contact bounces and however late an edge is heard of. */
import { after } from '../lib/async.ts';
import type { Edge } from './gpiod-programs.ts';
import { BUTTON_DEBOUNCE_MS } from './pins.ts';

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

  /** Null while it was pressed when edges could last be heard of. */
  get level(): 0 | 1 | null {
    if (!this.#isKnown) return null;
    return this.#pressedAtMs === null ? 0 : 1;
  }

  take({ isPressed, atMs }: Edge): void {
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

  /** No edge will be heard of until one is taken again. */
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
