/**
 * Decides whether the lamp over the tray is on: a self-test turns it off for moments, and each look at the tray turns
 * it on.
 */

/** Time in which a camera sets its exposure. */
const SETTLED_MS = 300;
/** The longest time of a look. */
const LOOK_MS = 500;

export class LampLight {
  readonly #now: () => number;
  #isOn = true;
  #onAt = Number.NEGATIVE_INFINITY;
  #neededAt = Number.NEGATIVE_INFINITY;
  #turnOn: () => void = () => undefined;

  /** @param now milliseconds of the clock that frames are stamped by */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param on state that a test asks for @param turnOn called when a look needs the light
   * @returns the state of the lamp
   */
  set(on: boolean, turnOn: () => void): boolean {
    const isOn = on || this.#now() < this.#neededAt + LOOK_MS;
    if (isOn && !this.#isOn) this.#onAt = this.#now();
    this.#isOn = isOn;
    this.#turnOn = turnOn;
    return isOn;
  }

  /** Lights the tray. @returns the time from which frames show it lit */
  need(): number {
    this.#neededAt = this.#now();
    if (!this.#isOn) {
      this.set(true, this.#turnOn);
      this.#turnOn();
    }
    return this.#onAt + SETTLED_MS;
  }
}
