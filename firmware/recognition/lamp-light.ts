/** The light of the lamp over the tray: a self-test turns it off for moments, and each look at the tray turns it on. */

/** A camera has set its exposure by then. */
const SETTLED_MS = 300;
/** A look takes no longer. */
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

  /** @param on what a test wants @param turnOn called when a look needs the light @returns what the lamp is to be */
  set(on: boolean, turnOn: () => void): boolean {
    const isOn = on || this.#now() < this.#neededAt + LOOK_MS;
    if (isOn && !this.#isOn) this.#onAt = this.#now();
    this.#isOn = isOn;
    this.#turnOn = turnOn;
    return isOn;
  }

  /** Has the tray lit. @returns from when on a frame shows it so */
  need(): number {
    this.#neededAt = this.#now();
    if (!this.#isOn) {
      this.set(true, this.#turnOn);
      this.#turnOn();
    }
    return this.#onAt + SETTLED_MS;
  }
}
