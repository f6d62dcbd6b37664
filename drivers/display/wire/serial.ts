/**
 * A display on a serial port: 115200 8N1, DTR low, the port kept open.
 *
 * Measured with `serialport`: a port object is used for one connection only, because a closed port keeps its writes and
 * sends them at the next open. A port needs a reader, or its removal goes unnoticed. A port may report its end once,
 * twice, as an error, or never: after a hang-up in the middle of a read it reads nothing for ever. Its callbacks never
 * come when the display takes nothing, so `link.ts` and `wire-display.ts` set the deadlines.
 */
import type { SerialPort } from 'serialport';
import { within } from '../../lib/async.ts';
import type { LogLine } from '../../lib/errors.ts';
import { messageOf } from '../../lib/errors.ts';
import { meansBusy, nameHolder } from '../../lib/held.ts';
import { DisplayError, type DisplayErrorCode } from '../contract.ts';
import { ConnectionError, type ConnectionFields, type DisplayDriver } from '../driver.ts';
import { WatchedConnection } from './link.ts';
import { BY_ID_DIR, disconnectionOf, SerialPath } from './serial-path.ts';
import { type Connect, WireDisplay } from './wire-display.ts';

const BAUD_RATE = 115_200;
const MODEM_LINES_LIMIT_MS = 500;
const CLOSE_LIMIT_MS = 700;
const PRESENCE_CHECK_MS = 1_000;

/** serialport gives no codes, only the system's message. Windows says "Access denied" for a port in use. */
const OPEN_ERRORS: readonly (readonly [(text: string) => boolean, DisplayErrorCode])[] = [
  [(text) => /no such|not found|cannot find|enoent|enxio|enodev/i.test(text), 'not-found'],
  [(text) => meansBusy(text) || /access denied/i.test(text), 'busy'],
  [(text) => /permission denied|not permitted/i.test(text), 'permission'],
];

async function openError(path: string, error: unknown): Promise<DisplayError> {
  const text = messageOf(error);
  const code = OPEN_ERRORS.find(([matches]) => matches(text))?.[1] ?? 'not-connected';
  const holder = code === 'busy' ? await nameHolder(path) : null;
  const suffix = holder === null ? '' : `; ${holder} holds it`;
  return new DisplayError('serial', code, `${path}: ${text}${suffix}`, { cause: error });
}

const lost = (path: string, reason: string, cause?: unknown): DisplayError =>
  new DisplayError('serial', 'lost', `${path}: ${reason}`, cause === undefined ? {} : { cause });

/** Calls a port's function that answers by callback. */
function called(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

/** Loads `serialport` only here: a machine that cannot load its native part must still start. */
async function importSerialPort(): Promise<typeof SerialPort> {
  try {
    return (await import('serialport')).SerialPort;
  } catch (error) {
    throw new DisplayError('serial', 'not-found', `serial ports cannot be used here: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

class SerialConnection extends WatchedConnection {
  readonly #port: SerialPort;
  readonly #path: string;
  readonly #whyGone: () => Promise<string | null>;
  #unsent = false;

  /** @param whyGone why the path is no longer this device; null while it is */
  constructor(port: SerialPort, path: string, presenceCheckMs: number, whyGone: () => Promise<string | null>) {
    super(presenceCheckMs);
    this.#port = port;
    this.#path = path;
    this.#whyGone = whyGone;
    // never removed: a port may report its end by several of these, and an 'error' without a listener ends the process
    port.on('close', (error?: Error | null) => this.end(lost(path, error?.message ?? 'the port was closed', error)));
    port.on('error', (error) => this.end(lost(path, error.message, error)));
    port.on('end', () => this.end(lost(path, 'the port has hung up')));
    if (!port.isOpen) this.end(lost(path, 'the port closed while it was being opened'));
  }

  override async write(frames: readonly Uint8Array[]): Promise<void> {
    // a write to a closed port is neither refused nor lost: it waits for the next open
    if (this.ended || !this.#port.isOpen) throw lost(this.#path, 'the port is closed');
    this.#unsent = true;
    await called((done) => this.#port.write(Buffer.concat(frames), done));
    await called((done) => (this.#port.isOpen ? this.#port.drain(done) : done(lost(this.#path, 'the port is closed'))));
    this.#unsent = false;
  }

  protected override async release(): Promise<void> {
    this.end(new DisplayError('serial', 'closed', `${this.#path}: closed`));
    if (!this.#port.isOpen) return;
    try {
      await within(this.#discardAndClose(), CLOSE_LIMIT_MS, () => lost(this.#path, 'slow to close'));
    } catch {
      // `Canceled` of a stuck write, or a port that has gone meanwhile: it is given up either way
    }
  }

  async #discardAndClose(): Promise<void> {
    // without it the system would send the rest of an old picture for up to 30 s, and hold the port meanwhile
    if (this.#unsent) await called((done) => this.#port.flush(done)).catch(() => undefined);
    if (this.#port.isOpen) await called((done) => this.#port.close(done));
  }

  protected override async checkPresence(): Promise<void> {
    const reason = await this.#whyGone();
    if (reason !== null) this.end(lost(this.#path, reason));
  }
}

async function openPort(Port: typeof SerialPort, path: string, signal: AbortSignal): Promise<SerialPort> {
  const port = new Port({ path, baudRate: BAUD_RATE, dataBits: 8, stopBits: 1, parity: 'none', autoOpen: false });
  try {
    await called((done) => port.open(done));
  } catch (error) {
    throw await openError(path, error);
  }
  if (signal.aborted) {
    port.on('error', () => undefined);
    port.close();
    throw signal.reason;
  }
  return port;
}

/** The port's file descriptor; null on Windows, where it is no descriptor of the C library. */
function descriptorOf(port: SerialPort): number | null {
  const descriptor: unknown = process.platform === 'win32' || !port.port ? null : Reflect.get(port.port, 'fd');
  return typeof descriptor === 'number' ? descriptor : null;
}

/** Sets DTR low and RTS high, as the known working clients do; a pseudo-terminal has no such lines. */
async function prepare(port: SerialPort, log?: LogLine): Promise<void> {
  const late = () => new Error('no answer');
  const step = (name: string, start: (done: (error?: Error | null) => void) => void) =>
    within(called(start), MODEM_LINES_LIMIT_MS, late).catch((error: unknown) =>
      log?.(`the serial port has no ${name}`, { reason: messageOf(error) }),
    );
  await step('modem lines', (done) => port.set({ dtr: false, rts: true }, done));
  // what an earlier process left in the system's buffer must not come before our first byte
  await step('flush', (done) => port.flush(done));
}

/**
 * @param name a device node, a link under /dev/serial/by-id, or a port name such as COM3
 * @param presenceCheckMs how often to check that the path is still the opened device: the port may not report a change
 * @returns the function that makes connections to this display and remembers its by-id link between them
 */
export function serialConnector(
  name: string,
  log?: LogLine,
  byIdDir = BY_ID_DIR,
  presenceCheckMs = PRESENCE_CHECK_MS,
): Connect {
  const where = new SerialPath(name, byIdDir);

  return async ({ signal, openReader }) => {
    const Port = await importSerialPort();
    const read = await openReader();
    const path = await where.find();
    const remember = () =>
      where
        .remember(path)
        .catch((error: unknown) => log?.('the by-id link of the port was not found', { reason: messageOf(error) }));
    const port = await openPort(Port, path, signal);
    const descriptor = descriptorOf(port);
    const connection = new SerialConnection(port, path, presenceCheckMs, async () => {
      await remember(); // tried with each check until udev has made the link
      if (descriptor === null) return null;
      return disconnectionOf(descriptor, path).catch((error: unknown) => messageOf(error));
    });
    port.on('data', read);
    await prepare(port, log);
    await remember();
    return connection;
  };
}

/** Short, because opening a missing path costs nothing and a customer may be waiting at a display just plugged in. */
const TUNING = Object.freeze({ backoffMaxMs: 2_000 });
const PORT = /^(\/|\\\\\.\\COM\d+$|COM\d+$)/i;

function pathOf({ portName, deviceAddress }: ConnectionFields): string {
  const path = portName || deviceAddress;
  if (!path) throw new ConnectionError('portName', 'is required for a serial display, as /dev/ttyACM0 or COM3');
  if (PORT.test(path)) return path;
  if (/^[\w.-]+$/.test(path)) return `/dev/${path}`;
  throw new ConnectionError('portName', `is "${path}", which is no port: write it as /dev/ttyACM0 or COM3`);
}

export const SERIAL: DisplayDriver<{ readonly type: 'serial'; readonly path: string }> = {
  type: 'serial',
  name: 'Serial',
  fields: ['portName'],
  spellings: ['serialport', 'com', 'comport', 'uart', 'usb', 'rs232'],
  // some tills write the port into `deviceAddress`, and name Bluetooth or an unknown type
  takesOver: ({ deviceAddress }, named) => PORT.test(deviceAddress ?? '') && (named === null || named === 'ble'),
  failures: {
    'not-connected': 'SerialPort.NotOpenError',
    lost: 'SerialPort.ResourceError',
    timeout: 'SerialPort.TimeoutError',
    'not-found': 'SerialPort.DeviceNotFoundError',
    permission: 'SerialPort.PermissionError',
    busy: 'SerialPort.OpenError',
    adapter: 'SerialPort.UnsupportedOperationError',
    protocol: 'SerialPort.UnknownError',
    closed: 'SerialPort.NotOpenError',
    payload: 'SerialPort.WriteError',
  },
  connection: (fields) => ({ type: 'serial', path: pathOf(fields) }),
  // `settleMs` is of Bluetooth alone
  open({ path }, options, { settleMs: _, ...tuning }) {
    return new WireDisplay({
      kind: 'serial',
      connect: serialConnector(path, options.log),
      ...options,
      ...TUNING,
      ...tuning,
    });
  },
};
