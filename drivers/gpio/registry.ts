/** Opens the pins that the configuration names. A new driver is one new file and one line here. */
import type { Gpio, GpioConfig, GpioKind, GpioOptions } from './contract.ts';

const DRIVERS: Readonly<Record<GpioKind, (config: GpioConfig, options: GpioOptions) => Promise<Gpio>>> = {
  onoff: async (config, options) => (await import('./onoff.ts')).OnoffGpio.open(config, options),
  none: async (_, options) => new (await import('./none.ts')).NoGpio(options),
};

/** Never fails for what is absent: the state says so. */
export async function openGpio(config: GpioConfig, options: GpioOptions = {}): Promise<Gpio> {
  return DRIVERS[config.driver](config, options);
}
