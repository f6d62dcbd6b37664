/** Devices in network namespaces of their own, on one switch, with addresses of their own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { type ApiAnswer, LaneChild } from './lane-child.ts';
import { type ServerUnit, serverUnit } from './server-unit.ts';

export const SWITCH = `lw${process.pid}`;
/** Of the process that leads a test, where it is on the switch itself. */
const HERE = '10.77.0.250';

export const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function whyNone(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'network namespaces need root on Linux';
  const name = `lwprobe${process.pid}`;
  const isThere = works(() => {
    ip('netns', 'add', name);
    ip('netns', 'del', name);
  });
  return isThere ? null : 'network namespaces cannot be made on this machine';
}

/** Why there are no namespaces here, or null. */
export const NO_NAMESPACES = whyNone();
/** Why no wire can be made to lose packets, or null. */
export const NO_LOSSY_LINK =
  NO_NAMESPACES ??
  (works(() => accessSync('/dev/net/tun', constants.W_OK)) && works(() => execFileSync('python3', ['--version']))
    ? null
    : 'a lossy link needs python3 and /dev/net/tun');

export interface Wire {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly lossPercent: number;
}

/** A namespace with a cable to the switch. */
export interface Place {
  readonly name: string;
  readonly address: string;
}

/** A device in its namespace. */
export class Host extends LaneChild {
  readonly name: string;
  readonly address: string;
  /** Port that its calls are answered on. */
  port = 0;

  constructor(name: string, address: string, serial: string, variables: readonly string[]) {
    super(serial, '0.0.0.0', ['ip', 'netns', 'exec', name, 'env', ...variables]);
    this.name = name;
    this.address = address;
  }
}

export class Network implements AsyncDisposable {
  readonly #names: string[] = [];
  readonly #wires: ChildProcess[] = [];
  readonly #hosts: Host[] = [];
  readonly #units: ServerUnit[] = [];

  constructor() {
    ip('netns', 'add', SWITCH);
    ip('-n', SWITCH, 'link', 'add', 'sw0', 'type', 'bridge');
    ip('-n', SWITCH, 'link', 'set', 'sw0', 'up');
  }

  /**
   * @param wire between the device and the switch; a perfect one when absent
   * @param isInstalled whether a server of it has a unit of its own
   */
  async add(serial: string, wire: Wire | null = null, isInstalled = false): Promise<Host> {
    const { name, address } = await this.place(wire);
    const unit = isInstalled ? await serverUnit(name) : null;
    if (unit !== null) this.#units.push(unit);
    const host = new Host(name, address, serial, unit === null ? [] : [`MASTER_SOCKET=${unit.socket}`]);
    this.#hosts.push(host);
    const { url } = await host.answer<{ url: string }>();
    host.port = Number(new URL(url).port);
    return host;
  }

  /** A namespace on the switch, with nothing in it yet. @param wire between it and the switch; a perfect one when absent */
  async place(wire: Wire | null = null): Promise<Place> {
    const number = this.#names.length + 1;
    const name = `${SWITCH}-${number}`;
    const port = `p${number}`;
    ip('netns', 'add', name);
    this.#names.push(name);
    if (wire === null) ip('-n', SWITCH, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    else await this.#addWire(port, name, wire);
    ip('-n', SWITCH, 'link', 'set', port, 'master', 'sw0', 'up');
    const address = `10.77.0.${number}`;
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    return { name, address };
  }

  /** Puts this process on the switch, too; its own namespace must be none that others use. @returns its address there */
  attach(): string {
    ip('-n', SWITCH, 'link', 'add', 'here', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(process.pid));
    ip('-n', SWITCH, 'link', 'set', 'here', 'master', 'sw0', 'up');
    ip('addr', 'add', `${HERE}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) ip('link', 'set', device, 'up');
    return HERE;
  }

  /** Pulls or plugs the cable of a device. */
  setLink(host: Place, state: 'up' | 'down'): void {
    ip('-n', SWITCH, 'link', 'set', `p${this.#names.indexOf(host.name) + 1}`, state);
  }

  async #addWire(port: string, name: string, { delayMs, jitterMs, lossPercent }: Wire): Promise<void> {
    const far = `${port}x`;
    const args = [
      join(ROOT, 'test', 'sync', 'lossy-link.py'),
      port,
      far,
      ...[delayMs, jitterMs, lossPercent].map(String),
    ];
    const wire = spawn('ip', ['netns', 'exec', SWITCH, 'python3', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#wires.push(wire);
    await once(wire.stdout, 'data');
    ip('-n', SWITCH, 'link', 'set', far, 'netns', name);
    ip('-n', name, 'link', 'set', far, 'name', 'eth0');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.#hosts) await host[Symbol.asyncDispose]();
    for (const unit of this.#units) await unit[Symbol.asyncDispose]();
    for (const wire of this.#wires) {
      const over = once(wire, 'close');
      wire.kill('SIGKILL');
      await over;
    }
    for (const name of [...this.#names, SWITCH]) ip('netns', 'del', name);
  }
}

const BOTH = { upload: true, download: true };

/** A master and four paired slaves. @param wire between the master and the switch */
export async function startStore(network: Network, wire: Wire | null = null): Promise<readonly [Host, ...Host[]]> {
  const master = await network.add('M', wire);
  await master.must('set_sync_master', BOTH);
  while ((await master.ask<ApiAnswer>({ call: 'start_sync' })).code !== 0);
  const slaves = await Promise.all(['S1', 'S2', 'S3', 'S4'].map((serial) => network.add(serial)));
  const { pairingCode } = await master.must('get_sync_pairing_code');
  const { mastersyncPort } = await master.must('get_device_info');
  for (const slave of slaves)
    await slave.must('set_sync_slave', { masterIP: master.address, mastersyncPort, ...BOTH, pairingCode });
  return [master, ...slaves];
}
