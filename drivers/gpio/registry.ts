/** The drivers of the pins. A new one is one new file and one line here. */
import type { Gpio, GpioConfig, GpioOptions } from './contract.ts';

type OpenGpio = (config: GpioConfig, options: GpioOptions) => Promise<Gpio>;

/** Only what is used is loaded. */
const DRIVERS: Readonly<Record<string, OpenGpio>> = {
  // npm's `onoff` where the kernel has what it needs, else libgpiod's programs
  onoff: async (config, options) => {
    const [{ Pins }, { findWay }] = await Promise.all([import('./pins.ts'), import('./way.ts')]);
    return Pins.open(config, findWay, options);
  },
  none: async (_, options) => new (await import('./none.ts')).NoGpio(options),
};

/** Names that the configuration takes. */
export const GPIO_DRIVERS: readonly string[] = Object.keys(DRIVERS);

/** Never fails for what is absent: the state says so. @throws {RangeError} for a driver that is not one of `GPIO_DRIVERS` */
export async function openGpio(config: GpioConfig, options: GpioOptions = {}): Promise<Gpio> {
  const open = DRIVERS[config.driver];
  if (open === undefined) throw new RangeError(`no driver ${config.driver} for the pins: ${GPIO_DRIVERS.join(', ')}`);
  return open(config, options);
}
