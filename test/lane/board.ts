/**
 * A whole board: a kernel that starts from a card, in an emulated PC (qemu). Its power is cut by ending the emulation: what the
 * kernel had not written by then is lost. Nothing but its ports is reached from here, and nothing from there.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SecureCall } from '../http/secure.ts';
import { type Answer, askLane, sh } from './lane.ts';

/** Its processor is emulated, on a machine that does other things. */
const PATIENCE_MS = 600_000;
const COMMAND_PATIENCE_MS = 900_000;
const POLL_MS = 250;
const MEMORY_MB = 1024;
const SSH = 22;
const PORTS = [SSH, 1234, 8080];
/** Where this machine has them. */
const FORWARDED = 11_000;

export interface Kernel {
  /** A folder with vmlinuz-* and initrd.img-*. */
  readonly folder: string;
  /** Another initramfs than that of the system. */
  readonly initrd?: string;
}

export class Board {
  readonly card: string;
  readonly #work: string;
  #machine: ChildProcess | null = null;
  token = '';

  /** @param work a folder for what the console says and for the key of ssh */
  constructor(card: string, work: string) {
    this.card = card;
    this.#work = work;
    sh('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(work, 'id'));
  }

  get publicKey(): string {
    return readFileSync(join(this.#work, 'id.pub'), 'utf8').trim();
  }

  get isOn(): boolean {
    return this.#machine !== null && this.#machine.exitCode === null && this.#machine.signalCode === null;
  }

  /** What the kernel and the system have said since the board was switched on. */
  get console(): string {
    const file = join(this.#work, 'console');
    return existsSync(file) ? readFileSync(file, 'latin1') : '';
  }

  /** @param line of the kernel; the emulated machine has its console on a serial line */
  switchOn({ folder, initrd }: Kernel, line: string, ...disks: string[]): void {
    const named = (start: string): string =>
      join(folder, readdirSync(folder).find((f) => f.startsWith(start)) ?? start);
    const forwards = PORTS.map((port) => `hostfwd=tcp:127.0.0.1:${port + FORWARDED}-:${port}`);
    const console = openSync(join(this.#work, 'console'), 'w');
    this.#machine = spawn(
      'qemu-system-x86_64',
      [
        ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', `${MEMORY_MB}`],
        ...['-nodefaults', '-no-reboot'],
        ...['-kernel', named('vmlinuz-'), '-initrd', initrd ?? named('initrd.img-')],
        ...['-append', `${line} console=ttyS0 systemd.journald.forward_to_console=0`],
        ...[this.card, ...disks].flatMap((file) => ['-drive', `file=${file},format=raw,if=virtio`]),
        ...['-netdev', `user,id=shop,restrict=on,${forwards.join(',')}`, '-device', 'virtio-net-pci,netdev=shop'],
        ...['-device', 'virtio-rng-pci', '-display', 'none', '-serial', 'stdio', '-monitor', 'none'],
      ],
      { stdio: ['ignore', console, console] },
    );
    closeSync(console);
  }

  /** Waits until both ports answer. */
  async answers(version?: string): Promise<void> {
    for (const port of PORTS.filter((one) => one !== SSH))
      await this.until(`port ${port} to answer`, async () => {
        const { text } = await this.get(port, '/health').catch(() => ({ text: '' })); // nothing listens there now
        return text.includes(version === undefined ? '"version":"' : `"version":"${version}"`);
      });
  }

  get(port: number, path: string, init: SecureCall = {}): Promise<Answer> {
    return askLane(`https://127.0.0.1:${port + FORWARDED}${path}`, this.token, init);
  }

  post(port: number, path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.get(port, path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** A part of `/health`: its state and its reason. */
  async part(name: string): Promise<string> {
    const { text } = await this.get(8080, '/health');
    return new RegExp(`"part":"${name}","state":"([^"]*","reason":"[^"]*)`).exec(text)?.[1] ?? '';
  }

  /** Runs a command as the technician does, over ssh; the key of the board must stay the same from the first call on. */
  in(command: string): string {
    const known = `UserKnownHostsFile=${join(this.#work, 'known')}`;
    const options = [known, 'StrictHostKeyChecking=accept-new', 'LogLevel=ERROR'].flatMap((option) => ['-o', option]);
    const key = ['-i', join(this.#work, 'id'), '-p', `${SSH + FORWARDED}`];
    const args = [...key, ...options, 'pi@127.0.0.1', command];
    return execFileSync('ssh', args, { encoding: 'utf8', timeout: COMMAND_PATIENCE_MS }).trim();
  }

  async shell(): Promise<void> {
    await this.until('ssh to answer', async () => {
      try {
        return this.in('echo in') === 'in';
      } catch {
        return false; // not yet
      }
    });
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const limit = performance.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (performance.now() > limit || !this.isOn)
        throw new Error(`${this.isOn ? 'waited in vain' : 'it went off'}: ${what}: ${this.console.slice(-2000)}`);
      await pause(POLL_MS);
    }
  }

  /** Pulls the plug. */
  async cutPower(): Promise<void> {
    this.#machine?.kill('SIGKILL');
    await this.off();
  }

  async powerOff(): Promise<void> {
    this.in('sudo systemd-run --quiet --on-active=1 systemctl poweroff'); // when the shell has ended
    await this.off();
  }

  async off(): Promise<void> {
    const machine = this.#machine;
    if (machine !== null && this.isOn) await new Promise((resolve) => machine.once('exit', resolve));
    this.#machine = null;
  }
}
