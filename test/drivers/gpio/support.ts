/** A fake of the kernel's GPIO folder, and pins that only remember. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pin, PinFactory } from '../../../drivers/gpio/onoff.ts';
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
  /** What happened, as lines: `529=1`, `539 back`. */
  readonly events: string[] = [];
  readonly broken = new Set<number>();
  /** Level of the button, 1 while it is pressed. */
  level: 0 | 1 = 0;
  #report: ((error: Error | null, value: 0 | 1) => void) | null = null;

  output(line: number): Pin {
    if (this.broken.has(line)) throw new Error(`EBUSY: line ${line} is in use`);
    return this.#pin(line);
  }

  button(line: number): Pin {
    return this.output(line);
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
      unexport: () => {
        this.events.push(`${line} back`);
      },
    };
  }
}
