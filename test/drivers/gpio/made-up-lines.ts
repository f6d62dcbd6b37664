/** Made-up lines, held by stand-ins of libgpiod's programs. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../folders.ts';

const FAKE = fileURLToPath(new URL('fake-gpiod.sh', import.meta.url));
export const OLD = '1.6.3';
export const NEW = '2.2.1';

export class MadeUpLines {
  readonly folder = tempFolder();
  readonly env: NodeJS.ProcessEnv;
  readonly #edges: number;
  readonly #isOld: boolean;

  constructor(edition: string) {
    const bin = join(this.folder, 'bin');
    mkdirSync(bin);
    for (const name of ['gpiodetect', 'gpiomon', 'gpioset']) symlinkSync(FAKE, join(bin, name));
    this.env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, FAKE_GPIOD: this.folder };
    this.write('edition', edition);
    this.write('calls', '');
    this.write('chips', 'gpiochip0 [raspberrypi-exp-gpio] (8 lines)\ngpiochip4 [pinctrl-rp1] (54 lines)\n');
    execFileSync('mkfifo', [join(this.folder, 'edges')]);
    this.#edges = openSync(join(this.folder, 'edges'), 'r+');
    this.#isOld = edition === OLD;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** What a program runs first, as shell; empty: nothing. */
  ill(name: string, script: string): void {
    this.write(`ill-${name}`, `${script}\n`);
  }

  read(name: string): string {
    const file = join(this.folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  }

  calls(): string[] {
    return this.read('calls').split('\n');
  }

  /** Writes edges as gpiomon does, at milliseconds of the kernel's clock; true is a press. */
  edges(...edges: readonly (readonly [isPressed: boolean, atMs: number])[]): void {
    const lines = edges.map(([isPressed, atMs]) => {
      const seconds = Math.floor(atMs / 1000);
      const nanoseconds = String((atMs % 1000) * 1e6);
      if (this.#isOld) return `${isPressed ? 0 : 1} ${seconds} ${nanoseconds}\n`;
      return `${isPressed ? 2 : 1} ${seconds}.${nanoseconds.padStart(9, '0')}\n`;
    });
    this.say(lines.join(''));
  }

  say(text: string): void {
    appendFileSync(this.#edges, text);
  }

  /** The process that holds a line; null: nobody. */
  holder(bcm: number): number | null {
    const pid = Number(this.read(`held-${bcm}`));
    return pid > 0 && existsSync(`/proc/${pid}`) ? pid : null;
  }

  kill(bcm: number, signal: NodeJS.Signals = 'SIGTERM'): void {
    const pid = this.holder(bcm);
    if (pid === null) throw new Error(`nobody holds ${bcm}`);
    process.kill(pid, signal);
  }

  close(): void {
    closeSync(this.#edges);
  }
}
