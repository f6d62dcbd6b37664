/** Pins of a Raspberry Pi through npm's `onoff`, which drives the kernel's GPIO files. */
import { after } from '../lib/async.ts';
import { messageOf } from '../lib/errors.ts';
import type { Gpio, GpioOptions, GpioPins, GpioState } from './contract.ts';
import { findHeaderChip, type HeaderChip, kernelNumber } from './header-chip.ts';

/** A contact rests within this time; the level is read after it. */
export const BUTTON_DEBOUNCE_MS = 30;
/** Two presses within this time are one press of a worn button. */
export const BUTTON_PAUSE_MS = 300;
/** How often a pressed button is looked at: an edge that the kernel has not reported leaves none pressed for ever. */
export const BUTTON_LOOK_MS = 50;
/** Longer than anybody presses by mistake. */
export const BUTTON_HELD_MS = 10_000;

/** The part of an onoff pin that is used here. */
export interface Pin {
  readSync(): 0 | 1;
  writeSync(value: 0 | 1): void;
  watch(callback: (error: Error | null | undefined, value: 0 | 1) => void): void;
  unexport(): void;
}

export interface PinFactory {
  output(line: number): Pin;
  /** Reports presses (a falling level), debounced. */
  button(line: number): Pin;
}

export interface OnoffOptions extends GpioOptions {
  readonly sysfsRoot?: string;
  readonly pins?: () => Promise<PinFactory>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Runs a task once after milliseconds; returns what calls it off. */
  readonly after?: (ms: number, task: () => void) => () => void;
}

type Role = keyof GpioPins;
const ROLES: readonly Role[] = ['lamp', 'statusLed', 'learnButton'];
const NAMES: Readonly<Record<Role, string>> = { lamp: 'lamp', statusLed: 'status LED', learnButton: 'learn button' };

/** `onoff` needs a native build: it is optional, and loaded only where pins are configured. */
async function loadOnoff(): Promise<PinFactory> {
  const { Gpio: OnoffPin } = await import('onoff');
  return {
    output: (line) => new OnoffPin(line, 'low'),
    button: (line) => new OnoffPin(line, 'in', 'rising', { activeLow: true, debounceTimeout: BUTTON_DEBOUNCE_MS }),
  };
}

export class OnoffGpio implements Gpio {
  readonly kind = 'onoff';
  readonly #options: OnoffOptions;
  readonly #pins = new Map<Role, Pin>();
  readonly #faults = new Map<Role, string>();
  #state: GpioState = Object.freeze({ name: 'absent', reason: 'no pin is configured' });
  #pressedAt = Number.NEGATIVE_INFINITY;
  #stopLooking: (() => void) | null = null;

  private constructor(options: OnoffOptions) {
    this.#options = options;
  }

  /** Takes the pins that it can get; never rejects. */
  static async open(wanted: GpioPins, options: OnoffOptions = {}): Promise<OnoffGpio> {
    const gpio = new OnoffGpio(options);
    const configured = ROLES.filter((role) => wanted[role] !== null);
    if (configured.length === 0) return gpio;
    try {
      const chip = findHeaderChip(options.sysfsRoot);
      const factory = await (options.pins ?? loadOnoff)();
      for (const role of configured) gpio.#take(role, wanted, chip, factory);
      gpio.#judge();
    } catch (error) {
      gpio.#setState({ name: 'absent', reason: messageOf(error) });
    }
    return gpio;
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

  close(): void {
    if (this.#state.name === 'closed') return;
    this.#stopLooking?.();
    this.#write('lamp', false);
    this.#write('statusLed', false);
    for (const role of [...this.#pins.keys()]) this.#giveBack(role);
    this.#setState({ name: 'closed' });
  }

  #take(role: Role, wanted: GpioPins, chip: HeaderChip, factory: PinFactory): void {
    const bcm = wanted[role];
    if (bcm === null) return;
    try {
      const twin = ROLES.find((other) => other !== role && wanted[other] === bcm);
      if (twin !== undefined) throw new Error(`GPIO ${bcm} is the ${NAMES[twin]} too`);
      const line = kernelNumber(chip, bcm);
      const pin = role === 'learnButton' ? factory.button(line) : factory.output(line);
      this.#pins.set(role, pin);
      if (role === 'learnButton') pin.watch((error, value) => this.#pressed(error, value));
    } catch (error) {
      this.#fault(role, error);
    }
  }

  #pressed(error: Error | null | undefined, value: 0 | 1): void {
    if (this.#state.name === 'closed') return;
    if (error) {
      this.#fault('learnButton', error);
      this.#judge();
      return;
    }
    const now = this.#now();
    if (value !== 1 || this.#stopLooking !== null || now - this.#pressedAt < BUTTON_PAUSE_MS) return;
    this.#look(now, false);
  }

  /** What a press was is known when it has ended, or has lasted long enough. */
  #look(since: number, isHeld: boolean): void {
    this.#stopLooking = (this.#options.after ?? after)(BUTTON_LOOK_MS, () => {
      this.#stopLooking = null;
      const isPressed = this.#readButton();
      if (isPressed === null) return;
      if (isPressed) {
        const isLong = this.#now() - since >= BUTTON_HELD_MS;
        if (isLong && !isHeld) this.#options.onHeld?.();
        this.#look(since, isLong);
        return;
      }
      this.#pressedAt = this.#now();
      if (!isHeld) this.#options.onLearn?.();
    });
  }

  /** Null where it cannot be read any more. */
  #readButton(): boolean | null {
    try {
      return this.#pins.get('learnButton')?.readSync() === 1;
    } catch (error) {
      this.#fault('learnButton', error);
      this.#judge();
      return null;
    }
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  #write(role: Role, on: boolean): void {
    const pin = this.#pins.get(role);
    if (pin === undefined) return;
    try {
      pin.writeSync(on ? 1 : 0);
    } catch (error) {
      this.#fault(role, error);
      this.#judge();
    }
  }

  /** A pin that failed once is given up: its wiring or its driver is gone, and every further call would fail alike. */
  #fault(role: Role, error: unknown): void {
    const reason = `${NAMES[role]}: ${messageOf(error)}`;
    this.#faults.set(role, reason);
    this.#options.log?.('pin failed', { reason });
    this.#giveBack(role);
  }

  #giveBack(role: Role): void {
    const pin = this.#pins.get(role);
    this.#pins.delete(role);
    try {
      pin?.unexport();
    } catch (error) {
      this.#options.log?.('pin not given back', { pin: NAMES[role], reason: messageOf(error) });
    }
  }

  #judge(): void {
    const reason = [...this.#faults.values()].join('; ');
    if (this.#faults.size === 0) this.#setState({ name: 'ready' });
    else this.#setState({ name: this.#pins.size === 0 ? 'absent' : 'degraded', reason });
  }

  #setState(state: GpioState): void {
    this.#state = Object.freeze(state);
    this.#options.onState?.(this.#state);
  }
}
