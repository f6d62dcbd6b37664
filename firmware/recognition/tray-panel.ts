/**
 * The pins around the tray: the lamp shines while the device runs, the LED says that it can recognise, and the button
 * learns what the empty tray looks like.
 */
import type { Gpio, GpioConfig, GpioOptions } from '../../drivers/gpio/contract.ts';
import { degraded, type HealthBoard, type Log, reasonOf, WELL } from '../host/index.ts';
import type { Recognition } from './recognition.ts';

const LED_PERIOD_MS = 1000;

export interface TrayPanelOptions {
  readonly config: GpioConfig;
  readonly open: (config: GpioConfig, options: GpioOptions) => Promise<Gpio>;
  readonly recognition: Pick<Recognition, 'isReady' | 'recogniser'>;
  readonly health: HealthBoard;
  /** Called for each press of the button, with whether the tray was learned. */
  readonly onLearned?: (isLearned: boolean) => void;
  /** Called when the button was held for long, which learns nothing. */
  readonly onHeld?: () => void;
  readonly log: Log;
}

export class TrayPanel {
  readonly #gpio: Gpio;
  readonly #timer: NodeJS.Timeout | undefined;

  private constructor(gpio: Gpio, { recognition, health, config }: TrayPanelOptions) {
    this.#gpio = gpio;
    if (config.driver === 'none') return;
    gpio.setLamp(true);
    gpio.setStatusLed(recognition.isReady);
    this.#timer = setInterval(() => gpio.setStatusLed(recognition.isReady), LED_PERIOD_MS);
    health.add('pins', () => {
      const { state, kind } = gpio;
      if (!('reason' in state)) return { ...WELL, driver: kind };
      const code = state.name === 'absent' && state.code === 'no-program' ? 'pins-unreachable' : 'pins-lost';
      return { ...degraded(reasonOf(code, { detail: state.reason }, state.reason)), driver: kind };
    });
  }

  /** Never fails: absent pins do nothing. */
  static async open(options: TrayPanelOptions): Promise<TrayPanel> {
    const { config, open, recognition, log, onLearned = () => undefined, onHeld } = options;
    const learn = async (): Promise<void> => {
      try {
        await recognition.recogniser.learnBackground();
        log.info({}, 'the empty tray was learned by the button');
        onLearned(true);
      } catch (error) {
        log.warn({ err: error }, 'the empty tray could not be learned by the button');
        onLearned(false);
      }
    };
    const gpio = await open(config, {
      onLearn: () => void learn(),
      ...(onHeld === undefined ? {} : { onHeld }),
      log: (message, details = {}) => log.info(details, message),
    });
    return new TrayPanel(gpio, options);
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#gpio.close();
  }
}
