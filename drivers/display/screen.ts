/**
 * The display that is a page: an HDMI panel with a kiosk browser. It has no wire: the owner of the picture gives it to
 * all pages that are open. This driver only refuses impossible pictures and closes, as the other drivers do.
 */
import { messageOf } from '../lib/errors.ts';
import { type Display, DisplayError, type DisplayOptions, type DisplayState, type Picture } from './contract.ts';
import type { DisplayDriver } from './driver.ts';
import { payloadBytes } from './payload.ts';

export class ScreenDisplay implements Display {
  readonly kind = 'screen';
  readonly #options: DisplayOptions;
  #state: DisplayState = Object.freeze({ name: 'ready' });

  constructor(options: DisplayOptions) {
    this.#options = options;
    // the constructor must have returned before `onState` is called
    queueMicrotask(() => this.#announceState());
  }

  /** Always `ready`: a page that is not open just now fetches the picture when it opens. */
  get state(): DisplayState {
    return this.#state;
  }

  async draw(picture: Picture): Promise<void> {
    if (this.#state.name === 'closed') throw new DisplayError('screen', 'closed', 'the display was closed');
    if (picture.kind === 'qr') payloadBytes('screen', picture.payload);
  }

  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    this.#state = Object.freeze({ name: 'closed' });
    this.#announceState();
  }

  #announceState(): void {
    try {
      this.#options.onState?.(this.#state);
    } catch (error) {
      this.#options.log?.('a listener to the state of the display failed', { reason: messageOf(error) });
    }
  }
}

export const SCREEN: DisplayDriver<{ readonly type: 'screen' }> = {
  type: 'screen',
  name: 'Screen',
  fields: [],
  spellings: ['hdmi'],
  connection: () => ({ type: 'screen' }),
  open: (_, options) => new ScreenDisplay(options),
};
