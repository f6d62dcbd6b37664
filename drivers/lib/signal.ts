/** Wakes a loop that waits; raised while the loop is at work, it is not forgotten. */
export class Signal {
  #isRaised = false;
  #wake: () => void = () => undefined;

  raise(): void {
    this.#isRaised = true;
    this.#wake();
  }

  /** Settles when it has been raised since the last wait was over, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRaised) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    this.#isRaised = false;
  }
}
