/**
 * The pins around the tray: the lamp shines while the device runs, the LED shows that it can recognise, and the button
 * learns the empty tray, unless another part handles the press.
 */
import type { Gpio, GpioConfig, GpioOptions } from '../../../drivers/gpio/contract.ts';
import { openGpio } from '../../../drivers/gpio/registry.ts';
import { meansBusy } from '../../../drivers/lib/held.ts';
import { degradedBy, type HealthBoard, type Log, WELL } from '../../core/host/index.ts';
import { reasonOf } from '../model/reason-records.ts';
import type { Recognition } from './recognition.ts';

/** How often the LED is set to whether the device can recognise. */
const LED_PERIOD_MS = 1000;

type Tray = Pick<Recognition, 'isReady' | 'viewer'>;

/** Callbacks of the button. */
interface Presses {
  /** Called for each press of the button, with whether the tray was learned. */
  readonly onLearned?: (isLearned: boolean) => void;
  /** Called when the button was held for long, which learns nothing. */
  readonly onHeld?: () => void;
}

/** The pins while somebody tries them out. */
export interface LentPins {
  setLamp(on: boolean): void;
  setStatusLed(on: boolean): void;
  /** Ends the loan: lamp and LED shine as before, and the button learns again. */
  release(): void;
}

export class TrayPins {
  readonly #gpio: Gpio;
  readonly #recognition: Tray;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Called for a press of the button while the pins are lent, in place of learning. */
  #onLentPress: (() => void) | null = null;
  /** Called for each press before the tray is learned: each returns whether it has handled the press. */
  readonly #handlers: (() => boolean)[] = [];

  private constructor(gpio: Gpio, config: GpioConfig, recognition: Tray, health: HealthBoard) {
    this.#gpio = gpio;
    this.#recognition = recognition;
    if (config.driver === 'none') return;
    this.#showState();
    this.#timer = setInterval(() => {
      if (this.#onLentPress === null) gpio.setStatusLed(recognition.isReady);
    }, LED_PERIOD_MS);
    health.add('pins', () => {
      const { state, kind } = gpio;
      if (!('reason' in state)) return { ...WELL, driver: kind };
      const isUnreachable = state.name === 'absent' && state.code === 'no-program';
      const code = isUnreachable ? 'pins-unreachable' : meansBusy(state.reason) ? 'pins-held' : 'pins-lost';
      return { ...degradedBy(reasonOf(code, { detail: state.reason })), driver: kind };
    });
  }

  /** Never fails: absent pins do nothing. */
  static async open(
    config: GpioConfig,
    recognition: Tray,
    health: HealthBoard,
    log: Log,
    { onLearned = () => undefined, onHeld }: Presses = {},
    open: (config: GpioConfig, options: GpioOptions) => Promise<Gpio> = openGpio,
  ): Promise<TrayPins> {
    const learn = async (): Promise<void> => {
      try {
        await recognition.viewer.learnBackground();
        log.info({}, 'the empty tray was learned by the button');
        onLearned(true);
      } catch (error) {
        log.warn({ err: error }, 'the empty tray could not be learned by the button');
        onLearned(false);
      }
    };
    let panel: TrayPins | null = null;
    const gpio = await open(config, {
      onLearn: () => (panel === null ? void learn() : panel.#pressed(learn)),
      ...(onHeld === undefined ? {} : { onHeld }),
      log: (message, details = {}) => log.info(details, message),
    });
    panel = new TrayPins(gpio, config, recognition, health);
    return panel;
  }

  /**
   * Lends the pins to a self-test.
   * @param onPress called for each press of the button, which learns nothing meanwhile
   */
  lend(onPress: () => void): LentPins {
    this.#onLentPress = onPress;
    return {
      setLamp: (on) => this.#gpio.setLamp(on),
      setStatusLed: (on) => this.#gpio.setStatusLed(on),
      release: () => {
        this.#onLentPress = null;
        this.#showState();
      },
    };
  }

  /** @param handle called for each press while the pins are not lent; true: it has handled the press, which learns nothing */
  offerPresses(handle: () => boolean): void {
    this.#handlers.push(handle);
  }

  #pressed(learn: () => Promise<void>): void {
    if (this.#onLentPress !== null) this.#onLentPress();
    else if (!this.#handlers.some((handle) => handle())) void learn();
  }

  #showState(): void {
    this.#gpio.setLamp(true);
    this.#gpio.setStatusLed(this.#recognition.isReady);
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#gpio.close();
  }
}
