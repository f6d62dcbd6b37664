/** A value whose changes parts of the page follow. */
import { useLayoutEffect, useState } from '/console/assets/preact.js';

/** @template Value */
export class Signal {
  /** @type {Value} */
  #value;
  /** @type {Set<() => void>} */
  #followers = new Set();

  /** @param {Value} value */
  constructor(value) {
    this.#value = value;
  }

  get value() {
    return this.#value;
  }

  /** @param {Value} value */
  set(value) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const follower of this.#followers) follower();
  }

  /** @param {() => void} follower called after each change @returns a function that ends the calls */
  follow(follower) {
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
    };
  }
}

/** @template Value @param {Signal<Value>} signal @returns {Value} the present value; each change redraws the part */
export function useSignal(signal) {
  const [, redraw] = useState(0);
  // together with the drawing: the value may change between it and a later effect
  useLayoutEffect(() => signal.follow(() => redraw((count) => count + 1)), [signal]);
  return signal.value;
}
