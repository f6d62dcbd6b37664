/** A number that rises whenever certain data changes, so that pages fetch the data again. */
export class Revision {
  #number = 0;
  readonly #listeners: (() => void)[] = [];

  get number(): number {
    return this.#number;
  }

  /** Called after each rise. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  readonly rise = (): void => {
    this.#number += 1;
    for (const listener of this.#listeners) listener();
  };
}
