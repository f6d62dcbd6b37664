/**
 * The display at the far end of a wire: takes bytes, and knows what a customer would see. The wire (a pseudo-terminal, a
 * fake BlueZ) is somebody else's.
 */
import { CLEAR, type Picture } from '../contract.ts';
import { ACK, COMMANDS, TERMINATOR } from './frames.ts';
import { type Frame, FrameParser } from './simulator-frame-parser.ts';

/**
 * What the device sends back. No document says what the real one does: `echo` is the likely form (the command, 06, 03),
 * `rubbish` is bytes of any value.
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
 * A frame whose rest does not come for so long is forgotten. An assumption: a device without such a limit would take our
 * next commands for the rest of a torn QR.
 */
const TORN_FRAME_MS = 300;
const RUBBISH = Uint8Array.from({ length: 256 }, (_, index) => (index * 167) % 256);

/** The picture after a frame; the same one where the frame changes nothing. */
export function draw(picture: Picture, frame: Frame): Picture {
  if (frame.kind === 'qr') return Object.freeze({ kind: 'qr', payload: frame.payload });
  if (frame.kind !== 'command' || frame.name === 'firmware') return picture;
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

  /** A new connection. What was drawn stays; a half-received frame does not. */
  connected(): void {
    this.#parser = new FrameParser();
    this.#connections.push({ frames: [], bytes: 0, skipped: 0 });
  }

  /** Takes bytes from the host; what the device sends back. */
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
