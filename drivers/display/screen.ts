/** The display that is a page: an HDMI panel with a kiosk browser. It holds the picture, any number of viewers draw it. */
import { CLEAR, type Display, DisplayError, type DisplayOptions, type DisplayState, type Picture } from './contract.ts';
import { messageOf } from './deadline.ts';
import { payloadBytes } from './payload.ts';

export class ScreenDisplay implements Display {
  readonly kind = 'screen';
  readonly #options: DisplayOptions;
  readonly #viewers = new Set<(picture: Picture) => void>();
  #shown: Picture | null = null;
  #state: DisplayState = Object.freeze({ name: 'ready' });

  constructor(options: DisplayOptions) {
    this.#options = options;
    // the constructor must have returned before `onState` is called
    queueMicrotask(() => this.#tellState());
  }

  /** Always `ready`: a page that is not there just now fetches the picture when it comes. */
  get state(): DisplayState {
    return this.#state;
  }

  /** What a viewer that comes now must draw. */
  get picture(): Picture {
    return this.#shown ?? this.#current();
  }

  /**
   * Calls `viewer` with each picture from the next one on; `picture` is the one before.
   * @returns the function that ends it, idempotent
   */
  subscribe(viewer: (picture: Picture) => void): () => void {
    const own = (picture: Picture) => viewer(picture);
    this.#viewers.add(own);
    return () => this.#viewers.delete(own);
  }

  async show(picture: Picture): Promise<void> {
    if (this.#state.name === 'closed') throw new DisplayError('screen', 'closed', 'the display was closed');
    if (picture.kind === 'qr') payloadBytes('screen', picture.payload);
    const shown = Object.freeze({ ...picture });
    this.#shown = shown;
    for (const viewer of this.#viewers) {
      try {
        viewer(shown);
      } catch (error) {
        this.#options.log?.('a viewer of the screen failed', { error: messageOf(error) });
      }
    }
  }

  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    this.#state = Object.freeze({ name: 'closed' });
    this.#viewers.clear();
    this.#tellState();
  }

  #tellState(): void {
    try {
      this.#options.onState?.(this.#state);
    } catch (error) {
      this.#options.log?.('a listener to the state of the display failed', { error: messageOf(error) });
    }
  }

  #current(): Picture {
    try {
      const picture = this.#options.current();
      if (picture.kind === 'qr') payloadBytes('screen', picture.payload);
      return picture;
    } catch (error) {
      this.#options.log?.('the current picture cannot be drawn', { error: messageOf(error) });
      return CLEAR;
    }
  }
}
