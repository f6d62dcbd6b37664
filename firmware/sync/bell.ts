/** Wakes a loop that waits: a ring while it is at work is not forgotten. */
export class Bell {
  #isRung = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Settles at the first ring since the last wait was over, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    this.#isRung = false;
  }
}
