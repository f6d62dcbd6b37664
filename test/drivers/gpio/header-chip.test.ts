import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GpioError } from '../../../drivers/gpio/contract.ts';
import { findHeaderChip, kernelNumber } from '../../../drivers/gpio/header-chip.ts';
import { removeFolders } from '../folders.ts';
import { sysfsWith } from './support.ts';

const chip = suite('header chip');
chip.after(removeFolders);
const failsWith = (code: string) => (error: unknown) => error instanceof GpioError && error.code === code;

for (const [board, label, base] of [
  ['a Pi 3 with an older kernel', 'pinctrl-bcm2835', 0],
  ['a Pi 3 with a newer kernel', 'pinctrl-bcm2835', 512],
  ['a Pi 4', 'pinctrl-bcm2711', 512],
  ['a Pi 5', 'pinctrl-rp1', 571],
] as const) {
  chip(`a BCM number is found on ${board}`, () => {
    const others = [
      { label: 'raspberrypi-exp-gpio', base: 504, lines: 8 },
      { label: 'gpio-brcmstb@107d508500', base: 1000, lines: 32 },
    ];
    const found = findHeaderChip(sysfsWith(...others, { label, base, lines: 54 }));
    assert.equal(found, { label, base, lines: 54 });
    assert.is(kernelNumber(found, 17), base + 17);
  });
}

chip('a pin that the header does not have is refused', () => {
  const found = findHeaderChip(sysfsWith({ label: 'pinctrl-rp1', base: 571, lines: 54 }));
  for (const bcm of [54, -1, 1.5, Number.NaN]) assert.throws(() => kernelNumber(found, bcm), failsWith('no-line'));
});

chip('a machine without GPIO, and one with foreign chips only, are distinguished', () => {
  assert.throws(() => findHeaderChip(join(sysfsWith(), 'missing')), failsWith('no-sysfs'));
  assert.throws(() => findHeaderChip(sysfsWith()), failsWith('no-chip'));
  assert.throws(() => findHeaderChip(sysfsWith({ label: 'gpio_ich', base: 195, lines: 76 })), failsWith('no-chip'));
});

chip('a chip that cannot be read is passed over', () => {
  const root = sysfsWith({ label: 'pinctrl-bcm2711', base: 512, lines: 58 });
  mkdirSync(join(root, 'gpiochip100'));
  assert.is(findHeaderChip(root).base, 512);
});

chip.run();
