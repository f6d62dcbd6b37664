/**
 * The simulated display at the end of a wire: it receives bytes and holds the picture that a customer would see. Callers
 * provide the wire (memory, a pseudo-terminal, a fake BlueZ).
 */
import { CLEAR, type Picture } from '../contract.ts';
import { ACK, COMMAND_PREFIX, COMMANDS, type CommandName, QR_PREFIX, QR_SUFFIX, TERMINATOR } from './frames.ts';

/** A received frame, with its bytes. */
type Frame =
  | { readonly kind: 'command'; readonly name: CommandName; readonly raw: Uint8Array }
  | { readonly kind: 'unknown-command'; readonly text: string; readonly raw: Uint8Array }
  | { readonly kind: 'qr'; readonly payload: string; readonly raw: Uint8Array };

/** The longest command known has 7 characters. */
const MAX_COMMAND_BYTES = 32;

const NAMES = new Map<string, CommandName>(
  (Object.keys(COMMANDS) as CommandName[]).map((name) => [COMMANDS[name], name]),
);

const startsWith = (bytes: Uint8Array, prefix: readonly number[], at = 0): boolean =>
  prefix.every((byte, index) => bytes[at + index] === byte);

/** Whether more bytes may still turn these into the prefix. */
const mayBecome = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  bytes.length < prefix.length && bytes.every((byte, index) => byte === prefix[index]);

type Step = { readonly take: number; readonly frame?: Frame } | 'more';

function readCommand(bytes: Uint8Array): Step {
  const start = COMMAND_PREFIX.length;
  const end = bytes.indexOf(TERMINATOR, start);
  if (end === -1) return bytes.length - start > MAX_COMMAND_BYTES ? { take: 1 } : 'more';
  const raw = bytes.slice(0, end + 1);
  const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  const name = NAMES.get(text);
  const frame: Frame = name === undefined ? { kind: 'unknown-command', text, raw } : { kind: 'command', name, raw };
  return { take: raw.length, frame };
}

function readQr(bytes: Uint8Array): Step {
  const start = QR_PREFIX.length + 2;
  const [high, low] = bytes.subarray(QR_PREFIX.length, start);
  if (high === undefined || low === undefined) return 'more';
  const end = start + high * 256 + low;
  const total = end + QR_SUFFIX.length;
  if (bytes.length < total) return 'more';
  if (!startsWith(bytes, QR_SUFFIX, end)) return { take: 1 };
  const raw = bytes.slice(0, total);
  const payload = Buffer.from(bytes.subarray(start, end)).toString('utf8');
  return { take: total, frame: { kind: 'qr', payload, raw } };
}

function step(bytes: Uint8Array): Step {
  if (mayBecome(bytes, COMMAND_PREFIX) || mayBecome(bytes, QR_PREFIX)) return 'more';
  if (startsWith(bytes, COMMAND_PREFIX)) return readCommand(bytes);
  if (startsWith(bytes, QR_PREFIX)) return readQr(bytes);
  const next = bytes.indexOf(QR_PREFIX[0] ?? 0, 1);
  return { take: next === -1 ? bytes.length : next };
}

/**
 * The display's side of the wire protocol (`./frames.ts`): finds the frames in a stream of bytes in chunks of any
 * size, with any bytes between them. Never throws, and never holds more than one frame.
 */
export class FrameParser {
  #rest: Uint8Array = new Uint8Array(0);
  #skipped = 0;

  /** The frames that are complete with these bytes, in order. */
  push(bytes: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let rest: Uint8Array = Buffer.concat([this.#rest, bytes]);
    while (rest.length > 0) {
      const next = step(rest);
      if (next === 'more') break;
      if (next.frame) frames.push(next.frame);
      else this.#skipped += next.take;
      rest = rest.subarray(next.take);
    }
    this.#rest = rest.slice();
    return frames;
  }

  /** Bytes of a frame that is not complete yet. */
  get pending(): number {
    return this.#rest.length;
  }

  /** Bytes that belonged to no frame, since the start. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Forgets a half-received frame, as a device does that was switched off or got no rest of the frame in time. */
  reset(): void {
    this.#skipped += this.#rest.length;
    this.#rest = new Uint8Array(0);
  }
}

/**
 * What the device answers. No document says what a real display answers: `echo` is the likely form (the command, 06,
 * 03), `rubbish` is bytes of any value.
 */
export type Answers = 'echo' | 'none' | 'rubbish';

/** What came over one connection, from its first byte. */
export interface ConnectionLog {
  readonly frames: Frame[];
  /** Bytes received, and how many of them belonged to no frame. */
  bytes: number;
  skipped: number;
}

/**
 * A frame whose rest does not come within this time is forgotten. This limit is an assumption: a device without it
 * would take our next commands for the rest of a torn QR.
 */
const TORN_FRAME_MS = 300;
const RUBBISH = Uint8Array.from({ length: 256 }, (_, index) => (index * 167) % 256);

/** The picture after a frame; the same one where the frame changes nothing. */
export function draw(picture: Picture, frame: Frame): Picture {
  if (frame.kind === 'qr') return Object.freeze({ kind: 'qr', payload: frame.payload });
  if (frame.kind !== 'command') return picture;
  return frame.name === 'clear' ? CLEAR : Object.freeze({ kind: 'status', status: frame.name });
}

export class SimulatedDisplay {
  readonly #onPicture: (picture: Picture) => void;
  readonly #now: () => number;
  readonly #connections: ConnectionLog[] = [];
  #parser = new FrameParser();
  #picture: Picture = CLEAR;
  #lastByteAt = 0;
  answers: Answers;

  constructor(
    answers: Answers = 'echo',
    onPicture: (picture: Picture) => void = () => {},
    now: () => number = performance.now.bind(performance),
  ) {
    this.answers = answers;
    this.#onPicture = onPicture;
    this.#now = now;
  }

  get picture(): Picture {
    return this.#picture;
  }

  get connections(): readonly ConnectionLog[] {
    return this.#connections;
  }

  /** Begins a new connection. The drawn picture stays; a half-received frame does not. */
  connected(): void {
    this.#parser = new FrameParser();
    this.#connections.push({ frames: [], bytes: 0, skipped: 0 });
  }

  /** Takes bytes from the host; returns the device's answer. */
  feed(bytes: Uint8Array): Uint8Array {
    if (this.#connections.length === 0) this.connected();
    const now = this.#now();
    if (this.#parser.pending > 0 && now - this.#lastByteAt > TORN_FRAME_MS) {
      this.#parser.reset();
    }
    this.#lastByteAt = now;
    const frames = this.#parser.push(bytes);
    const log = this.#connections.at(-1);
    if (log) {
      log.bytes += bytes.length;
      log.skipped = this.#parser.skipped;
      log.frames.push(...frames);
    }
    for (const frame of frames) this.#draw(frame);
    return Buffer.concat(frames.map((frame) => this.#answer(frame)));
  }

  #draw(frame: Frame): void {
    const next = draw(this.#picture, frame);
    if (next === this.#picture) return;
    this.#picture = next;
    this.#onPicture(next);
  }

  #answer(frame: Frame): Uint8Array {
    if (this.answers === 'none') return new Uint8Array(0);
    if (this.answers === 'rubbish') return RUBBISH;
    const echo = frame.kind === 'qr' ? 'QR' : frame.kind === 'command' ? COMMANDS[frame.name] : frame.text;
    return Uint8Array.from([...Buffer.from(echo, 'latin1'), ACK, TERMINATOR]);
  }
}
