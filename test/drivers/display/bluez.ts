/**
 * The simulated display behind a fake BlueZ on a private D-Bus (`dbus-daemon`): what a kernel without Bluetooth can give. The
 * bus, the service and the device can each misbehave, by themselves.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DBusError, Message, type MessageBus, sessionBus } from 'dbus-next';
import type { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { pause, within } from '../../../drivers/lib/async.ts';
import { until } from '../../support.ts';
import {
  ADAPTER_PATH,
  Adapter,
  AgentManager,
  type Behaviour,
  type DeviceObjects,
  exportDevice,
} from './bluez-objects.ts';

const START_LIMIT_MS = 60_000;
const FOUND_AFTER_MS = 50;
const SAFE_CHUNK_BYTES = 20;
const MTU_HEADER_BYTES = 3;

/** The calls that can be made to hang. */
export type BluezCall = 'scan' | 'connect' | 'disconnect' | 'write' | 'notify';

export interface BluezOptions {
  readonly address?: string;
  readonly name?: string;
  /** `6e40` or `6d40`, as the two kinds of display; anything else is a device that is no display. */
  readonly spelling?: string;
  readonly mtu?: number;
}

/** What goes wrong from now on; a test changes it at any time. */
export interface BluezFaults {
  /** How many of the next connects are refused. */
  refusedConnects: number;
  /** What a connect is refused with while another program holds the display, in BlueZ's words; null for nothing. */
  heldConnect: string | null;
  /** Another program has taken the characteristic for itself. */
  acquired: boolean;
  /** How many of the next writes are answered `InProgress`, the chunk not taken. */
  busyWrites: number;
  /** A device that is out of reach: no scan finds it. */
  hidden: boolean;
  poweredOff: boolean;
  /** What a scan is refused with, in BlueZ's words; null for nothing. */
  refusedScan: string | null;
  readonly hanging: Set<BluezCall>;
}

const bluezError = (name: string, text: string) => new DBusError(`org.bluez.Error.${name}`, text);

export class FakeBluez implements Behaviour {
  readonly address: string;
  readonly name: string;
  readonly spelling: string;
  readonly faults: BluezFaults = {
    refusedConnects: 0,
    heldConnect: null,
    acquired: false,
    busyWrites: 0,
    hidden: false,
    poweredOff: false,
    refusedScan: null,
    hanging: new Set(),
  };
  /** Lengths of the chunks that were written, in order, since the start. */
  readonly chunks: number[] = [];
  /** Whether a write ever asked for anything but a write without response. */
  otherWriteTypes = 0;
  mtu: number;
  scanning = false;
  /** How many calls were left hanging, since the start. */
  hung = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), 'laneware-bluez-'));
  readonly #display: SimulatedDisplay;
  #daemon: ChildProcess | null = null;
  #bus: MessageBus | null = null;
  #objects: DeviceObjects | null = null;
  #notifying = false;
  readonly #busBefore = process.env.DBUS_SYSTEM_BUS_ADDRESS;
  /** A process that ends without `close` must not leave its bus behind for ever. */
  readonly #atExit = () => {
    this.#daemon?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  };

  constructor(display: SimulatedDisplay, options: BluezOptions = {}) {
    this.#display = display;
    this.address = options.address ?? 'D9:24:D0:38:94:22';
    this.name = options.name ?? 'V8BL120025';
    this.spelling = options.spelling ?? '6e40';
    this.mtu = options.mtu ?? 23;
    process.on('exit', this.#atExit);
  }

  /** `DBUS_SYSTEM_BUS_ADDRESS` of this process from `start` to `close`. */
  get busAddress(): string {
    return `unix:path=${join(this.#folder, 'bus.sock')}`;
  }

  get powered(): boolean {
    return !this.faults.poweredOff;
  }

  rssi: number | null = -54;

  get connected(): boolean {
    return this.#objects?.device.connected ?? false;
  }

  async start(): Promise<void> {
    process.env.DBUS_SYSTEM_BUS_ADDRESS = this.busAddress;
    await this.startDaemon();
    await this.startService();
  }

  async startDaemon(): Promise<void> {
    const socket = join(this.#folder, 'bus.sock');
    rmSync(socket, { force: true });
    const args = ['--session', '--nofork', '--nopidfile', '--print-address=1', `--address=${this.busAddress}`];
    const daemon = spawn('dbus-daemon', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const ready = new Promise<void>((resolve, reject) => {
      daemon.stdout.once('data', () => resolve());
      daemon.once('error', reject);
      daemon.once('exit', (code) => reject(new Error(`dbus-daemon ended with ${code}`)));
    });
    await within(ready, START_LIMIT_MS, () => new Error('dbus-daemon did not start'));
    this.#daemon = daemon;
  }

  /** `bluetoothd` comes up: the adapter is there, the device is not known yet. */
  async startService(): Promise<void> {
    const bus = sessionBus({ busAddress: this.busAddress });
    // the end of the daemon, which a test brings about, comes as one
    bus.on('error', () => undefined);
    bus.export('/org/bluez', new AgentManager('org.bluez.AgentManager1'));
    bus.export(ADAPTER_PATH, new Adapter(this));
    await within(bus.requestName('org.bluez', 0), START_LIMIT_MS, () => new Error('no name on the bus'));
    this.#bus = bus;
  }

  /** `bluetoothd` dies: every later call answers that there is no such service. */
  async stopService(): Promise<void> {
    const bus = this.#bus;
    this.#forget();
    // not disconnected: dbus-next throws past everyone when it has to answer a call on a stream that it has ended
    await bus?.releaseName('org.bluez');
  }

  /** The bus itself dies: calls that are under way never answer. */
  async stopDaemon(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    this.#forget();
    if (!daemon) return;
    const exited = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill('SIGKILL');
    await exited;
  }

  /** The bus takes bytes and answers nothing, for ever: worse than dead, since nothing is closed. */
  freezeDaemon(): void {
    this.#daemon?.kill('SIGSTOP');
  }

  thawDaemon(): void {
    this.#daemon?.kill('SIGCONT');
  }

  async close(): Promise<void> {
    await this.stopDaemon();
    if (this.#busBefore === undefined) delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
    else process.env.DBUS_SYSTEM_BUS_ADDRESS = this.#busBefore;
    process.off('exit', this.#atExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The display goes out of reach, or is switched off. */
  drop(): void {
    this.#notifying = false;
    this.#objects?.device.setConnected(false);
  }

  /** How many connections the bus serves: one that is forgotten by its client stays for ever. */
  async busClients(): Promise<number> {
    const names = await this.#bus?.call(
      new Message({
        destination: 'org.freedesktop.DBus',
        path: '/org/freedesktop/DBus',
        interface: 'org.freedesktop.DBus',
        member: 'ListNames',
      }),
    );
    const list: unknown = names?.body[0];
    return Array.isArray(list) ? list.filter((name) => String(name).startsWith(':')).length : 0;
  }

  /** Until the bus counts so many clients: it hears of a closed socket a moment after the one that closed it. */
  async untilBusClients(count: number): Promise<void> {
    await until(`${count} clients at the bus`, async () => (await this.busClients()) === count);
  }

  async scan(on: boolean): Promise<void> {
    await this.#maybeHang('scan');
    if (on && this.faults.refusedScan !== null) throw new DBusError(this.faults.refusedScan, 'refused');
    this.scanning = on;
    if (!on || this.faults.hidden) return;
    setTimeout(() => {
      if (this.#bus) this.#objects ??= exportDevice(this.#bus, this);
    }, FOUND_AFTER_MS).unref();
  }

  async connect(): Promise<void> {
    await this.#maybeHang('connect');
    if (this.faults.refusedConnects > 0) {
      this.faults.refusedConnects -= 1;
      throw bluezError('Failed', 'le-connection-abort-by-local');
    }
    if (this.faults.heldConnect !== null) throw bluezError(this.faults.heldConnect, 'held');
    if (this.faults.hidden) throw bluezError('Failed', 'Host is down');
    this.#display.connected();
    this.#objects?.device.setConnected(true);
  }

  async disconnect(): Promise<void> {
    await this.#maybeHang('disconnect');
    this.drop();
  }

  async write(value: Uint8Array, type: string): Promise<void> {
    await this.#maybeHang('write');
    if (!this.connected) throw bluezError('NotConnected', 'Not Connected');
    if (this.faults.busyWrites > 0) {
      this.faults.busyWrites -= 1;
      throw bluezError('InProgress', 'In Progress');
    }
    if (this.faults.acquired) throw bluezError('NotPermitted', 'Write acquired');
    if (type !== 'command') this.otherWriteTypes += 1;
    if (value.length > Math.max(SAFE_CHUNK_BYTES, this.mtu - MTU_HEADER_BYTES)) {
      throw bluezError('Failed', 'the value is longer than the MTU allows');
    }
    this.chunks.push(value.length);
    void this.#answer(this.#display.feed(value));
  }

  async notify(on: boolean): Promise<void> {
    await this.#maybeHang('notify');
    this.#notifying = on;
  }

  async #answer(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length && this.#notifying; start += SAFE_CHUNK_BYTES) {
      this.#objects?.notify.emitValue(bytes.subarray(start, start + SAFE_CHUNK_BYTES));
      await pause(1);
    }
  }

  #forget(): void {
    this.#bus = null;
    this.#objects = null;
    this.#notifying = false;
    this.scanning = false;
  }

  #maybeHang(call: BluezCall): Promise<void> {
    if (!this.faults.hanging.has(call)) return Promise.resolve();
    this.hung += 1;
    return new Promise(() => undefined);
  }
}
