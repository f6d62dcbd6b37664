/** Hands over what one side puts in to another that waits for it, in order: `for await (const item of queue)`. */
export class AsyncQueue<T> {
  readonly #items: T[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  push(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Ends the loop over it; what is still in it is dropped. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#isClosed) {
      if (this.#items.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else {
        yield this.#items.shift() as T;
      }
    }
  }
}
