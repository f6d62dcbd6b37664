/**
 * Which of the kernel's GPIO numbers are the pins of a Raspberry Pi's header.
 *
 * A pin's BCM number was once the kernel's number too. Since Linux 6.6 the kernel hands out bases from 512 upwards, and
 * another one on each board, so the chip is found by its label and the BCM number is added to its base.
 * Source: the kernel's Documentation/admin-guide/gpio/sysfs.rst.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../lib/errors.ts';
import { GpioError } from './contract.ts';

const SYSFS_GPIO = '/sys/class/gpio';

/** Raspberry Pi 1 to 3 and Zero, 4, 5. */
export const HEADER_LABELS: ReadonlySet<string> = new Set(['pinctrl-bcm2835', 'pinctrl-bcm2711', 'pinctrl-rp1']);

interface HeaderChip {
  readonly label: string;
  /** The kernel's number of BCM 0. */
  readonly base: number;
  readonly lines: number;
}

/** @throws {GpioError} `no-sysfs`, `no-chip` */
export function findHeaderChip(root = SYSFS_GPIO): HeaderChip {
  const seen: string[] = [];
  for (const name of chipsIn(root)) {
    const read = (file: string) => readFileSync(join(root, name, file), 'utf8').trim();
    try {
      const [label, base, lines] = [read('label'), Number(read('base')), Number(read('ngpio'))];
      if (HEADER_LABELS.has(label) && Number.isInteger(base) && Number.isInteger(lines)) return { label, base, lines };
      seen.push(label);
    } catch (error) {
      // a chip may go while we look (a plug-in board); the header's never does
      seen.push(`${name}: ${messageOf(error)}`);
    }
  }
  throw noHeaderAmong(seen);
}

export const noHeaderAmong = (labels: readonly string[]): GpioError =>
  new GpioError('no-chip', `no GPIO chip of a Raspberry Pi's header; found: ${labels.join(', ') || 'none'}`);

function chipsIn(root: string): string[] {
  try {
    return readdirSync(root)
      .filter((name) => /^gpiochip\d+$/.test(name))
      .sort();
  } catch (error) {
    throw new GpioError('no-sysfs', `this system has no ${root}`, { cause: error });
  }
}

/** @throws {GpioError} `no-line` */
export function kernelNumber(chip: HeaderChip, bcm: number): number {
  if (!Number.isInteger(bcm) || bcm < 0 || bcm >= chip.lines) {
    throw new GpioError('no-line', `${chip.label} has no GPIO ${bcm}: it has 0 to ${chip.lines - 1}`);
  }
  return chip.base + bcm;
}
