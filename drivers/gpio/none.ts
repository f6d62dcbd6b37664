/** No pins: every call does nothing. */
import type { Gpio, GpioOptions, GpioState } from './contract.ts';

export class NoGpio implements Gpio {
  readonly kind = 'none';
  readonly #options: GpioOptions;
  #state: GpioState = Object.freeze({ name: 'absent', reason: 'no GPIO is configured' });

  constructor(options: GpioOptions) {
    this.#options = options;
  }

  get state(): GpioState {
    return this.#state;
  }

  setLamp(): void {}

  setStatusLed(): void {}

  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    this.#state = Object.freeze({ name: 'closed' });
    this.#options.onState?.(this.#state);
  }
}
