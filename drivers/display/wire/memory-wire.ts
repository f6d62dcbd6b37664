/** A wire in memory to the simulated display: it carries the same frames and has the same faults as a cable. */
import { type Display, DisplayError, type DisplayOptions } from '../contract.ts';
import type { Connection } from './link.ts';
import type { SimulatedDisplay } from './simulator-device.ts';
import { type ConnectContext, WireDisplay, type WireTuning } from './wire-display.ts';

/** `frozen`: the display takes no bytes and reports nothing. */
export const WIRE_STATES = ['plugged', 'unplugged', 'frozen'] as const;
type WireState = (typeof WIRE_STATES)[number];

const isEnded = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

export class MemoryWire {
  readonly #device: SimulatedDisplay;
  #state: WireState = 'plugged';
  #end: ((why: string) => void) | null = null;
  #thaw = Promise.withResolvers<void>();

  constructor(device: SimulatedDisplay) {
    this.#device = device;
    this.#thaw.resolve();
  }

  get state(): WireState {
    return this.#state;
  }

  /** Unplugs the display, plugs it in again, or makes it take no bytes. */
  set state(state: WireState) {
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'frozen') this.#thaw = Promise.withResolvers<void>();
    else this.#thaw.resolve();
    if (state === 'unplugged') this.#end?.('it was unplugged');
  }

  /** @param kind of the display that this wire stands in for */
  open(kind: string, options: DisplayOptions, tuning: Partial<WireTuning> = {}): Display {
    return new WireDisplay({ ...options, ...tuning, kind, connect: (context) => this.#connect(kind, context) });
  }

  async #connect(kind: string, { openReader }: ConnectContext): Promise<Connection> {
    const read = await openReader(); // awaited first: the display may be unplugged meanwhile
    if (this.#state === 'unplugged')
      throw new DisplayError(kind, 'not-found', 'the simulated display is unplugged: plug it in again');
    this.#device.connected();
    const { promise: closed, resolve } = Promise.withResolvers<DisplayError>();
    let isOpen = true;
    const end = (why: string): void => {
      isOpen = false;
      resolve(new DisplayError(kind, 'lost', why));
    };
    this.#end = end;
    const write = async (frames: readonly Uint8Array[], signal: AbortSignal): Promise<void> => {
      if (this.#state === 'frozen') await Promise.race([this.#thaw.promise, isEnded(signal)]);
      if (!isOpen) throw new DisplayError(kind, 'lost', 'the wire was closed');
      read(this.#device.feed(Buffer.concat(frames)));
    };
    return { closed, write, close: async () => end('it was closed') };
  }
}
