/** The drivers of the pins. A new one is one new file and one line here. */
import type { Gpio, GpioConfig, GpioOptions, GpioPins } from './contract.ts';

type OpenGpio = (config: GpioConfig, options: GpioOptions) => Promise<Gpio>;

const NO_PINS: GpioPins = Object.freeze({ lamp: null, statusLed: null, learnButton: null });

/** Loads only the driver in use. */
async function openPins(pins: GpioPins, options: GpioOptions): Promise<Gpio> {
  const { Pins } = await import('./pins.ts');
  return Pins.open(pins, async () => (await import('./pin-factory.ts')).openPinFactory(), options);
}

const DRIVERS: Readonly<Record<string, OpenGpio>> = {
  // npm's `onoff` where the kernel has what it needs, else libgpiod's programs
  onoff: openPins,
  none: (_, options) => openPins(NO_PINS, options),
};

/** Names of drivers that the configuration accepts. */
export const GPIO_DRIVERS: readonly string[] = Object.keys(DRIVERS);

/**
 * Never fails because pins are absent: the state says so.
 * @throws {RangeError} for a driver that is not one of `GPIO_DRIVERS`
 */
export async function openGpio(config: GpioConfig, options: GpioOptions = {}): Promise<Gpio> {
  const open = DRIVERS[config.driver];
  if (open === undefined) throw new RangeError(`no driver ${config.driver} for the pins: ${GPIO_DRIVERS.join(', ')}`);
  return open(config, options);
}
