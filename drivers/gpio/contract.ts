/**
 * The module of the pins: the lamp over the tray, a status LED, and the button that learns what lies on the tray. All of
 * them are conveniences, so nothing here ever fails towards a caller: what is absent does nothing, and says so by its state.
 */

import type { LogLine } from '../lib/errors.ts';
import { CodedError } from '../lib/errors.ts';

/**
 * - `ready`: every configured pin works
 * - `degraded`: some do; `reason` names the others
 * - `absent`: none does
 */
export type GpioState =
  | { readonly name: 'ready' }
  | { readonly name: 'degraded'; readonly reason: string }
  | { readonly name: 'absent'; readonly reason: string; readonly code?: GpioErrorCode }
  | { readonly name: 'closed' };

/** Pins by their BCM number, as printed on every pin-out (17 is pin 11 of the header); null where nothing is wired. */
export interface GpioPins {
  /** High is on. */
  readonly lamp: number | null;
  /** High is on. */
  readonly statusLed: number | null;
  /** Pressed is low: a button to ground, with the pull-up set at boot (`gpio=22=ip,pu` in config.txt), or by libgpiod. */
  readonly learnButton: number | null;
}

export interface GpioConfig extends GpioPins {
  /** One of `GPIO_DRIVERS`. */
  readonly driver: string;
}

export interface Gpio {
  /** How the pins are reached, as was found at start: `onoff` or `libgpiod`; `none`. */
  readonly kind: string;
  readonly state: GpioState;
  setLamp(on: boolean): void;
  setStatusLed(on: boolean): void;
  /** Turns lamp and LED off and gives the pins back; never rejects. */
  close(): Promise<void>;
}

export interface GpioOptions {
  /** The learn button was pressed, and let go before it counts as held. */
  readonly onLearn?: () => void;
  /** It was held for ten seconds: once, however long it is held beyond them. */
  readonly onHeld?: () => void;
  readonly onState?: (state: GpioState) => void;
  readonly log?: LogLine;
}

/**
 * - `no-sysfs`: this kernel has no GPIO files; `no-chip`: it has, but not those of a Raspberry Pi's header
 * - `no-line`: the header has no such pin
 * - `no-program`: nothing that reaches the pins is installed
 */
type GpioErrorCode = 'no-sysfs' | 'no-chip' | 'no-line' | 'no-program';

export class GpioError extends CodedError<GpioErrorCode> {}
