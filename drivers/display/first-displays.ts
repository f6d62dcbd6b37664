/**
 * The displays of a device that has not been set up: every likely connection is tried, and each display that connects shows the
 * same picture. Ready while at least one of them is ready.
 */
import { type Display, DisplayError, type DisplayOptions, type DisplayState, type Picture } from './contract.ts';

type Open = (options: DisplayOptions) => Display;

const KIND = 'first';

export class FirstDisplays implements Display {
  readonly kind = KIND;
  readonly #options: DisplayOptions;
  readonly #displays: readonly Display[];
  #isClosed = false;

  constructor(options: DisplayOptions, open: readonly Open[]) {
    this.#options = options;
    this.#displays = open.map((each) => each({ ...options, onState: () => this.#notifyState() }));
  }

  get state(): DisplayState {
    if (this.#isClosed) return { name: 'closed' };
    const states = this.#displays.map(({ state }) => state);
    const found = states.find(({ name }) => name === 'ready') ?? states.find(({ name }) => name === 'lost');
    return found ?? { name: 'connecting' };
  }

  async draw(picture: Picture): Promise<void> {
    const ready = this.#displays.filter(({ state }) => state.name === 'ready');
    if (ready.length === 0) throw new DisplayError(KIND, 'not-connected', 'no display is connected');
    await Promise.all(ready.map((display) => display.draw(picture)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#displays.map((display) => display.close()));
    this.#options.onState?.(this.state);
  }

  #notifyState(): void {
    if (!this.#isClosed) this.#options.onState?.(this.state);
  }
}
