/**
 * Chooses how to drive the pins on this system: npm's `onoff` where the kernel has GPIO files; otherwise the programs
 * of libgpiod, which newer kernels need.
 */
import { messageOf } from '../lib/errors.ts';
import { findProgram } from '../lib/find-program.ts';
import { GpioError } from './contract.ts';
import { PROGRAMS } from './gpiod-programs.ts';
import { findHeaderChip, kernelNumber } from './header-chip.ts';
import { libgpiodPins } from './libgpiod.ts';
import { BUTTON_DEBOUNCE_MS, type Pin, type PinFactory } from './pins.ts';

/** `onoff` needs a native build: it is optional and loaded only where pins are configured. */
async function onoffPins(sysfsRoot?: string): Promise<PinFactory> {
  const chip = findHeaderChip(sysfsRoot);
  const { Gpio: OnoffPin } = await import('onoff');
  const pinOf = (pin: InstanceType<typeof OnoffPin>): Pin => ({
    readSync: () => pin.readSync(),
    writeSync: (value) => pin.writeSync(value),
    watch: (callback) => pin.watch(callback),
    release: () => pin.unexport(),
  });
  const button = { activeLow: true, debounceTimeout: BUTTON_DEBOUNCE_MS };
  return {
    kind: 'onoff',
    output: (bcm) => pinOf(new OnoffPin(kernelNumber(chip, bcm), 'low')),
    button: (bcm) => pinOf(new OnoffPin(kernelNumber(chip, bcm), 'in', 'rising', button)),
  };
}

/** Opens what drives the pins. @throws {GpioError} `no-program` where neither is available */
export async function openPinFactory(
  files: () => Promise<PinFactory> = onoffPins,
  env: NodeJS.ProcessEnv = process.env,
): Promise<PinFactory> {
  try {
    return await files();
  } catch (error) {
    const missing = PROGRAMS.filter((name) => findProgram([name], env) === null);
    if (missing.length === 0) return libgpiodPins(env);
    const reason = `${messageOf(error)}, and without ${missing.join(', ')} of libgpiod: install the package gpiod`;
    throw new GpioError('no-program', reason, { cause: error });
  }
}
