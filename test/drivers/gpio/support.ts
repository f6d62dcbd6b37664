/** A fake of the kernel's GPIO folder, and pins that only remember. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OnTrouble, Pin, PinFactory } from '../../../drivers/gpio/pins.ts';
import { tempFolder } from '../folders.ts';

export interface FakeChip {
  readonly label: string;
  readonly base: number;
  readonly lines: number;
}

export function sysfsWith(...chips: readonly FakeChip[]): string {
  const root = tempFolder();
  for (const { label, base, lines } of chips) {
    const folder = join(root, `gpiochip${base}`);
    mkdirSync(folder);
    for (const [file, value] of Object.entries({ label, base, ngpio: lines }))
      writeFileSync(join(folder, file), `${value}\n`);
  }
  writeFileSync(join(root, 'export'), '');
  return root;
}

export class FakePins implements PinFactory {
  readonly kind = 'fake';
  /** What happened, as lines: `17=1`, `27 back`. */
  readonly events: string[] = [];
  readonly broken = new Set<number>();
  /** Level of the button, 1 while it is pressed. */
  level: 0 | 1 | null = 0;
  /** Hear of trouble, by their numbers. */
  readonly troubles = new Map<number, OnTrouble>();
  /** How a pin comes back. */
  given: Promise<void> | undefined;
  #report: ((error: Error | null, value: 0 | 1) => void) | null = null;

  output(line: number, onTrouble: OnTrouble): Pin {
    this.troubles.set(line, onTrouble);
    if (this.broken.has(line)) throw new Error(`EBUSY: line ${line} is in use`);
    return this.#pin(line);
  }

  button(line: number, onTrouble: OnTrouble): Pin {
    return this.output(line, onTrouble);
  }

  press(value: 0 | 1 = 1, error: Error | null = null): void {
    this.#report?.(error, value);
  }

  #pin(line: number): Pin {
    return {
      readSync: () => {
        if (this.broken.has(line)) throw new Error(`EIO: line ${line}`);
        return this.level;
      },
      writeSync: (value) => {
        if (this.broken.has(line)) throw new Error(`EIO: line ${line}`);
        this.events.push(`${line}=${value}`);
      },
      watch: (callback) => {
        this.#report = callback;
      },
      release: () => {
        this.events.push(`${line} back`);
        return this.given;
      },
    };
  }
}
