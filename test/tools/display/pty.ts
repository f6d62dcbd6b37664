/**
 * The simulated display at the far end of a real pseudo-terminal, made by `socat` (Linux, macOS). Unplugging makes the whole
 * terminal vanish, as a USB display does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SerialPort } from 'serialport';
import type { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { within } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';

/** Far longer than a busy machine takes: one that hangs is reported. */
const START_LIMIT_MS = 60_000;
/** 115200 baud, 8N1: ten bits for each byte. */
export const WIRE_BYTES_PER_SECOND = 11_520;

export interface PtyOptions {
  /** Takes bytes no faster than a wire of 115200 baud; a pseudo-terminal by itself ignores the rate. */
  readonly bytesPerSecond?: number;
}

interface Plugged {
  readonly paths: readonly string[];
  readonly socat: ChildProcess;
  readonly exited: Promise<void>;
  readonly port: SerialPort;
  readonly stop: AbortController;
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

/** `starting data` on the standard error of socat: both terminals and their links are there. */
function started(socat: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    socat.stderr?.on('data', (text: Buffer) => {
      said = (said + text.toString()).slice(-4_000);
      if (said.includes('starting data')) resolve();
    });
    socat.once('error', (error) => reject(new Error(`socat cannot be started: ${error.message}`, { cause: error })));
    socat.once('exit', (code) => reject(new Error(`socat ended with ${code}: ${said.trim()}`)));
  });
}

export class PtyDisplay {
  /** A folder with the links that udev would keep for USB devices: to be given as `byIdDir`. */
  readonly byIdDir: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'laneware-display-'));
  readonly #device: SimulatedDisplay;
  readonly #options: PtyOptions;
  #plugged: Plugged | null = null;
  #plugs = 0;
  /** A process that ends without `close` must not leave socat behind for ever. */
  readonly #atExit = () => {
    this.#plugged?.socat.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  };

  constructor(device: SimulatedDisplay, options: PtyOptions = {}) {
    this.#device = device;
    this.#options = options;
    this.byIdDir = join(this.#folder, 'by-id');
    mkdirSync(this.byIdDir);
    process.on('exit', this.#atExit);
  }

  /** Where the terminal with this name is, once it is plugged in; a name that is a whole path is that path. */
  path(name = 'ttyQR0'): string {
    return resolve(this.#folder, name);
  }

  /** The display takes no bytes and gives none, its terminal still being there. */
  freeze(): void {
    this.#plugged?.socat.kill('SIGSTOP');
  }

  thaw(): void {
    this.#plugged?.socat.kill('SIGCONT');
  }

  /**
   * Plugs the display in.
   * @param name of the terminal: another one is what USB may do at the second plug
   * @param byId name of a link in `byIdDir` that shall point to it
   */
  async plug(name = 'ttyQR0', byId?: string): Promise<void> {
    if (this.#plugged) throw new Error('plugged in already');
    this.#plugs += 1;
    const far = this.path(`far${this.#plugs}`);
    const near = this.path(`near${this.#plugs}`);
    const paths = [this.path(name), far];
    const ends = [near, far].map((path) => `pty,raw,echo=0,link=${path}`);
    const socat = spawn('socat', ['-d', '-d', ...ends], { stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = exitOf(socat);
    try {
      await within(started(socat), START_LIMIT_MS, () => new Error('socat did not start'));
      const port = await openFarEnd(far);
      this.#plugged = { paths, socat, exited, port, stop: new AbortController() };
    } catch (error) {
      socat.kill('SIGKILL');
      throw error;
    }
    this.#device.connected();
    this.#serve(this.#plugged);
    renameSync(near, this.path(name)); // only now: opening the far end throws away what was written before
    if (byId !== undefined) this.link(byId, name);
  }

  /** Points a by-id link to a terminal, in one step, as udev does. */
  link(byId: string, name: string): void {
    const fresh = join(this.#folder, `link-${this.#plugs}-${byId}`);
    symlinkSync(this.path(name), fresh);
    renameSync(fresh, join(this.byIdDir, byId));
  }

  /** The terminal vanishes at once; nothing that was in it arrives any more. */
  async unplug(): Promise<void> {
    const plugged = this.#plugged;
    if (!plugged) return;
    this.#plugged = null;
    plugged.stop.abort();
    plugged.socat.kill('SIGKILL');
    await plugged.exited;
    if (plugged.port.isOpen) await new Promise<void>((resolve) => plugged.port.close(() => resolve()));
    // killed at once, socat has not taken its links away
    for (const path of plugged.paths) rmSync(path, { force: true });
    for (const link of readdirSync(this.byIdDir)) {
      if (plugged.paths.includes(readlinkSync(join(this.byIdDir, link)))) rmSync(join(this.byIdDir, link));
    }
  }

  /** Unplugs, and removes the folder. */
  async close(): Promise<void> {
    await this.unplug();
    process.off('exit', this.#atExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #serve({ port, stop }: Plugged): void {
    const rate = this.#options.bytesPerSecond;
    const onTheWire: Buffer[] = [];
    let arrivesAt = 0;
    const take = (bytes: Buffer | undefined) => {
      if (!bytes || stop.signal.aborted) return;
      const answer = this.#device.feed(bytes);
      if (answer.length > 0 && port.isOpen) port.write(answer);
    };
    port.on('data', (bytes: Buffer) => {
      if (rate === undefined) return take(bytes);
      const now = performance.now();
      arrivesAt = Math.max(arrivesAt, now) + (bytes.length / rate) * 1_000;
      onTheWire.push(bytes);
      setTimeout(() => take(onTheWire.shift()), arrivesAt - now);
    });
  }
}

/** Opened through `serialport`, because a plain file stream would hold a thread of the pool for each read. */
async function openFarEnd(path: string): Promise<SerialPort> {
  const port = new SerialPort({ path, baudRate: 115_200, autoOpen: false });
  port.on('error', () => undefined);
  await new Promise<void>((resolve, reject) =>
    port.open((error) => (error ? reject(new Error(`${path}: ${messageOf(error)}`)) : resolve())),
  );
  return port;
}
