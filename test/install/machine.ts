/** The files of a machine that runs nothing, for scripts that would change a real one. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ROOT as PROJECT } from '../root.ts';

/** A systemd that knows one thing: whether the device runs. */
const systemctl = (state: string) => `#!/bin/sh\necho ${state}\n`;

/** The files of a machine that runs nothing. */
export class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'laneware-board-'));

  constructor() {
    this.write('etc/hostname', 'raspberrypi\n');
    this.write('etc/hosts', '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n');
    this.write('etc/credstore/laneware-key', 'the key of the bank settings');
    this.write('var/lib/laneware/money.db', 'payments');
    this.is('inactive');
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text, { mode });
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  is(state: string): void {
    this.write('stand-ins/systemctl', systemctl(state), 0o755);
  }

  /** Every file of the machine with what is in it. */
  files(): string[] {
    const names = readdirSync(this.root, { recursive: true, withFileTypes: true });
    return names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => `${path} ${readFileSync(path, 'utf8')}`);
  }

  run(script: string, ...args: string[]) {
    const env = {
      ...process.env,
      PATH: `${join(this.root, 'stand-ins')}:${process.env.PATH}`,
      LANEWARE_ROOT: this.root,
    };
    return spawnSync(join(PROJECT, 'scripts', script), args, { env, encoding: 'utf8' });
  }

  /** Runs it, and it must end so. */
  ends(code: number, script: string, ...args: string[]) {
    const run = this.run(script, ...args);
    assert.is(run.status, code, run.stderr);
    return run;
  }

  /** Runs a script of the machine with the machine as all that there is: no LANEWARE_ROOT keeps it from its files. */
  runInside(script: string) {
    for (const name of ['usr', 'dev', 'proc']) mkdirSync(join(this.root, name), { recursive: true });
    return spawnSync('unshare', ['--mount', '--uts', 'sh', '-c', INSIDE, 'sh', this.root, script], {
      env: { PATH: `/stand-ins:${process.env.PATH}` },
      encoding: 'utf8',
    });
  }

  put(scripts: string): void {
    cpSync(join(PROJECT, 'scripts'), join(this.root, scripts), { recursive: true });
  }

  remove = (): void => rmSync(this.root, { recursive: true, force: true });
  [Symbol.dispose] = this.remove;
}

export const onMachine = (body: (machine: Machine) => void) => (): void => {
  using machine = new Machine();
  body(machine);
};

/** The programs of this machine, read-only, and nothing else of it. */
const INSIDE = `set -eu
mount --bind -o ro /usr "$1/usr"
mount --bind /dev "$1/dev"
for name in bin sbin lib lib64; do [ -e "$1/$name" ] || ln -s "usr/$name" "$1/$name"; done
exec chroot "$1" "$2"`;
