/**
 * The pins: the lamp over the tray, a status LED, and the button that learns what lies on the tray. All are
 * conveniences, so no call here fails: an absent pin does nothing, and the state says so.
 */

import type { LogLine } from '../lib/errors.ts';
import { CodedError } from '../lib/errors.ts';

/**
 * - `ready`: every configured pin works
 * - `degraded`: some pins work; `reason` names the others
 * - `absent`: no pin works
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
  /** How the pins are driven, as found at start: `onoff`, `libgpiod` or `none`. */
  readonly kind: string;
  readonly state: GpioState;
  setLamp(on: boolean): void;
  setStatusLed(on: boolean): void;
  /** Turns lamp and LED off and releases the pins; never rejects. */
  close(): Promise<void>;
}

export interface GpioOptions {
  /** The learn button was pressed, and let go before it counts as held. */
  readonly onLearn?: () => void;
  /** The button was held for ten seconds; called once, however much longer it is held. */
  readonly onHeld?: () => void;
  readonly log?: LogLine;
}

/**
 * - `no-sysfs`: this kernel has no GPIO files; `no-chip`: it has them, but not for a Raspberry Pi's header
 * - `no-line`: the header has no such pin
 * - `no-program`: no program that drives the pins is installed
 */
type GpioErrorCode = 'no-sysfs' | 'no-chip' | 'no-line' | 'no-program';

export class GpioError extends CodedError<GpioErrorCode> {}
