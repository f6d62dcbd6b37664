/**
 * Lamp, LED and button on the pins of either library: which pins work, when the button was pressed, and which pins are
 * given up.
 */
import { after } from '../lib/async.ts';
import { messageOf } from '../lib/errors.ts';
import { type Gpio, GpioError, type GpioOptions, type GpioPins, type GpioState } from './contract.ts';

/** A contact stops bouncing within this time; the level is read after it. */
export const BUTTON_DEBOUNCE_MS = 30;
/** Two presses within this time are one press of a worn button. */
export const BUTTON_PAUSE_MS = 300;
/** How often a pressed button is read: the kernel may miss the edge of its release. */
export const BUTTON_LOOK_MS = 50;
/** A press this long is no mistake. */
export const BUTTON_HELD_MS = 10_000;
const HELD_LOOKS = BUTTON_HELD_MS / BUTTON_LOOK_MS;

export interface Pin {
  /** The level; null where it is not known: a press that is being watched then does not count. */
  readSync(): 0 | 1 | null;
  writeSync(value: 0 | 1): void;
  watch(callback: (error: Error | null | undefined, value: 0 | 1) => void): void;
  release(): void | Promise<void>;
}

/** Called with the reason why a pin does not work now; null: it works again. */
export type OnTrouble = (reason: string | null) => void;

/** Opens pins by their BCM numbers. It throws for a pin that it cannot open, and reports a pin that may come back. */
export interface PinFactory {
  readonly kind: string;
  output(bcm: number, onTrouble: OnTrouble): Pin;
  /** Reports presses (a falling level), debounced. */
  button(bcm: number, onTrouble: OnTrouble): Pin;
}

type Role = keyof GpioPins;
const ROLES: readonly Role[] = ['lamp', 'statusLed', 'learnButton'];
const NAMES: Readonly<Record<Role, string>> = { lamp: 'lamp', statusLed: 'status LED', learnButton: 'learn button' };

export class Pins implements Gpio {
  readonly #options: GpioOptions;
  readonly #after: typeof after;
  readonly #now: () => number;
  readonly #pins = new Map<Role, Pin>();
  readonly #faults = new Map<Role, string>();
  #kind = 'none';
  #state: GpioState = Object.freeze({ name: 'absent', reason: 'no pin is configured' });
  #pressedAt = Number.NEGATIVE_INFINITY;
  #stopLooking: (() => void) | null = null;

  private constructor(options: GpioOptions, wait: typeof after, now: () => number) {
    this.#options = options;
    this.#after = wait;
    this.#now = now;
  }

  /** Opens the pins that it can get; never rejects. @param now monotonic milliseconds */
  static async open(
    wanted: GpioPins,
    openFactory: () => Promise<PinFactory>,
    options: GpioOptions = {},
    wait = after,
    now: () => number = performance.now.bind(performance),
  ): Promise<Pins> {
    const pins = new Pins(options, wait, now);
    const configured = ROLES.filter((role) => wanted[role] !== null);
    if (configured.length === 0) return pins;
    try {
      const factory = await openFactory();
      pins.#kind = factory.kind;
      options.log?.('pins are reached', { by: factory.kind });
      for (const role of configured) pins.#open(role, wanted, factory);
      pins.#updateState();
    } catch (error) {
      const code = error instanceof GpioError ? { code: error.code } : {};
      pins.#setState({ name: 'absent', reason: messageOf(error), ...code });
    }
    return pins;
  }

  get kind(): string {
    return this.#kind;
  }

  get state(): GpioState {
    return this.#state;
  }

  setLamp(on: boolean): void {
    this.#write('lamp', on);
  }

  setStatusLed(on: boolean): void {
    this.#write('statusLed', on);
  }

  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    this.#stopLooking?.();
    this.#write('lamp', false);
    this.#write('statusLed', false);
    const released = [...this.#pins.keys()].map((role) => this.#release(role));
    this.#setState({ name: 'closed' });
    await Promise.all(released);
  }

  #open(role: Role, wanted: GpioPins, factory: PinFactory): void {
    const bcm = wanted[role];
    if (bcm === null) return;
    try {
      const twin = ROLES.find((other) => other !== role && wanted[other] === bcm);
      if (twin !== undefined) throw new Error(`GPIO ${bcm} is the ${NAMES[twin]} too`);
      const onTrouble = (reason: string | null) => this.#onTrouble(role, reason);
      const pin = role === 'learnButton' ? factory.button(bcm, onTrouble) : factory.output(bcm, onTrouble);
      this.#pins.set(role, pin);
      if (role === 'learnButton') pin.watch((error, value) => this.#pressed(error, value));
    } catch (error) {
      this.#fault(role, error);
    }
  }

  /** Records that a pin has trouble and is tried again, or that it works again. */
  #onTrouble(role: Role, reason: string | null): void {
    if (this.#state.name === 'closed' || (reason === null && !this.#faults.has(role))) return;
    if (reason === null) {
      this.#faults.delete(role);
      this.#options.log?.('pin works again', { pin: NAMES[role] });
    } else {
      this.#recordFault(role, reason);
    }
    this.#updateState();
  }

  #pressed(error: Error | null | undefined, value: 0 | 1): void {
    if (this.#state.name === 'closed') return;
    if (error) {
      this.#fault('learnButton', error);
      this.#updateState();
      return;
    }
    if (value !== 1 || this.#stopLooking !== null || this.#now() - this.#pressedAt < BUTTON_PAUSE_MS) return;
    this.#look(1);
  }

  /**
   * A press is judged when it ends or has lasted long enough. It is measured by the number of looks, not by a clock: a
   * process that was held up would see a long press before it learns of the release.
   */
  #look(looks: number): void {
    this.#stopLooking = this.#after(BUTTON_LOOK_MS, () => {
      this.#stopLooking = null;
      const isPressed = this.#readButton();
      if (isPressed === null) return;
      if (isPressed) {
        if (looks === HELD_LOOKS) this.#options.onHeld?.();
        this.#look(looks + 1);
        return;
      }
      this.#pressedAt = this.#now();
      if (looks <= HELD_LOOKS) this.#options.onLearn?.();
    });
  }

  /** Whether the button is pressed; null where it can no longer be read. */
  #readButton(): boolean | null {
    try {
      const level = this.#pins.get('learnButton')?.readSync() ?? null;
      return level === null ? null : level === 1;
    } catch (error) {
      this.#fault('learnButton', error);
      this.#updateState();
      return null;
    }
  }

  #write(role: Role, on: boolean): void {
    const pin = this.#pins.get(role);
    if (pin === undefined) return;
    try {
      pin.writeSync(on ? 1 : 0);
    } catch (error) {
      this.#fault(role, error);
      this.#updateState();
    }
  }

  /** Gives up a pin that failed once: its wiring or its driver is gone, and every further call would fail too. */
  #fault(role: Role, error: unknown): void {
    this.#recordFault(role, messageOf(error));
    void this.#release(role);
  }

  #recordFault(role: Role, detail: string): void {
    const reason = `${NAMES[role]}: ${detail}`;
    if (this.#faults.get(role) !== reason) this.#options.log?.('pin failed', { reason });
    this.#faults.set(role, reason);
  }

  async #release(role: Role): Promise<void> {
    const pin = this.#pins.get(role);
    this.#pins.delete(role);
    try {
      await pin?.release();
    } catch (error) {
      this.#options.log?.('pin not given back', { pin: NAMES[role], reason: messageOf(error) });
    }
  }

  #updateState(): void {
    const reason = [...this.#faults.values()].join('; ');
    if (this.#faults.size === 0) this.#setState({ name: 'ready' });
    else if ([...this.#pins.keys()].every((role) => this.#faults.has(role))) this.#setState({ name: 'absent', reason });
    else this.#setState({ name: 'degraded', reason });
  }

  #setState(state: GpioState): void {
    this.#state = Object.freeze(state);
  }
}
