/**
 * The Raspberry Pi camera, through one `rpicam-vid` process that keeps running and streams MJPEG.
 * Source: Raspberry Pi's documentation of rpicam-apps (named libcamera-apps before 2023).
 */

import { basename } from 'node:path';
import { pause } from '../lib/async.ts';
import { GuardedProcess } from '../lib/guarded-process.ts';
import { type CameraOptions, FRAME_HEIGHT, FRAME_WIDTH, MAX_JPEG_BYTES } from './contract.ts';
import { EOI, type JpegSize, readSegment, SOI, START } from './jpeg-header.ts';
import { ProgramCamera, type ProgramTiming, StderrSummary } from './program-camera.ts';

/** The end of a frame's pixels. */
const END = Buffer.from([0xff, EOI]);
/** Start of the next frame after a frame that was cut short: this pair never occurs within pixels. */
const CUT = Buffer.from([0xff, SOI]);
const FIRST_CAPACITY = 512 * 1024;

interface MjpegCounts {
  readonly frames: number;
  /** How many frames began and never became whole. */
  readonly broken: number;
}

/**
 * Cuts a byte stream of consecutive JPEG files into frames.
 *
 * The stream comes from a pipe: it has chunks of any size, garbage, and frames that the camera cut short. A frame is
 * passed on only when its structure is whole: header segments skipped by their length (an EXIF thumbnail holds a whole
 * JPEG with its own end), then the pixels up to the end marker, with no start of another frame between.
 */
export class MjpegParser {
  readonly #onFrame: (jpeg: Buffer, size: JpegSize) => void;
  readonly #maxFrameBytes: number;
  #buffer = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  /** Unread bytes are [start, end); a frame being read begins at start. */
  #start = 0;
  #end = 0;
  #inFrame = false;
  /** Position within a frame: the next segment, or where the search for the end of the pixels continues. */
  #at = 0;
  #inScan = false;
  #size: JpegSize | null = null;
  #frames = 0;
  #broken = 0;

  /**
   * @param onFrame gets a copy that it may keep
   * @param maxFrameBytes a larger frame is dropped; the parser never holds more than this and a chunk
   */
  constructor(onFrame: (jpeg: Buffer, size: JpegSize) => void, maxFrameBytes: number) {
    this.#onFrame = onFrame;
    this.#maxFrameBytes = maxFrameBytes;
  }

  get counts(): MjpegCounts {
    return { frames: this.#frames, broken: this.#broken };
  }

  push(chunk: Buffer): void {
    for (let taken = 0; taken < chunk.length; ) {
      this.#makeRoom(chunk.length - taken);
      const part = chunk.subarray(taken, taken + this.#buffer.length - this.#end);
      part.copy(this.#buffer, this.#end);
      this.#end += part.length;
      taken += part.length;
      while (this.#advance());
    }
  }

  /** Moves the unread bytes to the front and grows the buffer up to the limit; leaves room for at least one byte. */
  #makeRoom(wanted: number): void {
    if (this.#buffer.length - this.#end >= wanted) return;
    this.#buffer.copyWithin(0, this.#start, this.#end);
    this.#at -= this.#start;
    this.#end -= this.#start;
    this.#start = 0;
    const limit = this.#maxFrameBytes + 1;
    let capacity = this.#buffer.length;
    while (capacity < this.#end + wanted && capacity < limit) capacity = Math.min(capacity * 2, limit);
    if (capacity <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(grown, 0, 0, this.#end);
    this.#buffer = grown;
  }

  /** One step of reading; false when more bytes are needed. */
  #advance(): boolean {
    if (!this.#inFrame) return this.#findStart();
    const moved = this.#inScan ? this.#findEnd() : this.#walkHeader();
    if (moved) return true;
    if (Math.max(this.#at, this.#end) - this.#start <= this.#maxFrameBytes) return false;
    this.#giveUp(this.#start + 2);
    return true;
  }

  #findStart(): boolean {
    const found = this.#buffer.subarray(this.#start, this.#end).indexOf(START);
    if (found < 0) {
      this.#start = Math.max(this.#start, this.#end - (START.length - 1));
      return false;
    }
    this.#start += found;
    this.#at = this.#start + 2;
    this.#inFrame = true;
    this.#inScan = false;
    this.#size = null;
    return true;
  }

  #walkHeader(): boolean {
    const step = readSegment(this.#buffer, this.#at, this.#end);
    switch (step.kind) {
      case 'more':
        return false;
      case 'segment':
        if (step.frame !== undefined) this.#size = step.frame;
        this.#at = step.end;
        return true;
      case 'scan':
        if (this.#size === null) return this.#giveUp(this.#start + 2);
        this.#inScan = true;
        this.#at = step.end;
        return true;
      case 'invalid':
        return this.#giveUp(this.#start + 2);
    }
  }

  /** Finds the end of the pixels with two native searches. Both patterns are unambiguous within pixels. */
  #findEnd(): boolean {
    const from = this.#at;
    if (from >= this.#end) return false;
    const unread = this.#buffer.subarray(from, this.#end);
    const end = unread.indexOf(END);
    const cut = (end < 0 ? unread : unread.subarray(0, end)).indexOf(CUT);
    if (cut >= 0) return this.#giveUp(from + cut);
    if (end >= 0) return this.#emit(from + end + END.length);
    this.#at = Math.max(from, this.#end - (END.length - 1));
    return false;
  }

  #emit(end: number): true {
    if (this.#size !== null && end - this.#start <= this.#maxFrameBytes) {
      const frame = Buffer.allocUnsafeSlow(end - this.#start);
      this.#buffer.copy(frame, 0, this.#start, end);
      this.#frames++;
      this.#inFrame = false;
      this.#start = end;
      this.#onFrame(frame, this.#size);
      return true;
    }
    return this.#giveUp(end);
  }

  /** Continues the search at `from`, inside the broken frame, because the next frame may have begun there. */
  #giveUp(from: number): true {
    this.#broken++;
    this.#inFrame = false;
    this.#start = from;
    return true;
  }
}

const PROGRAMS = ['rpicam-vid', 'libcamera-vid'] as const;
// --flush: without it the end of a frame waits in the program's buffer for the next frame
const ARGUMENTS = [
  ...['-t', '0', '--codec', 'mjpeg', '--width', String(FRAME_WIDTH), '--height', String(FRAME_HEIGHT)],
  ...['--nopreview', '--flush', '-o', '-'],
];

/** A running camera without a new frame for `frameAgeLimitMs` is restarted. */
interface StreamTiming extends ProgramTiming {
  /** From the start of the program to its first frame; sensors need a second or two. */
  readonly firstFrameLimitMs: number;
  /** After the camera has given frames for this long, its restart budget is full again. */
  readonly healthyAfterMs: number;
}

const STREAM_TIMING: StreamTiming = Object.freeze({
  frameAgeLimitMs: 2000,
  firstFrameLimitMs: 10_000,
  healthyAfterMs: 10_000,
  failures: 5,
  firstDelayMs: 250,
  slowDelayMs: 30_000,
});

export class LibcameraCamera extends ProgramCamera<StreamTiming> {
  readonly kind = 'libcamera';
  readonly streaming = true;

  constructor(options: CameraOptions = {}, timing: Partial<StreamTiming> = {}, env?: NodeJS.ProcessEnv) {
    super(PROGRAMS, { ...STREAM_TIMING, ...timing }, options, env);
    this.feed(() => this.#run());
  }

  async #run(): Promise<number> {
    const program = this.program();
    if (program === null) return this.missing();
    return this.failed(await this.#runOnce(program).catch((error) => `could not be started: ${error}`));
  }

  /** Runs the camera program once, to its end; returns the reason of that end in plain words. */
  async #runOnce(program: string): Promise<string> {
    const { env, timing, log } = this;
    const child = new GuardedProcess([program, ...ARGUMENTS], env);
    const stderr = new StderrSummary(log);
    const began = performance.now();
    let firstAt: number | null = null;
    let lastAt = began;
    const parser = new MjpegParser((jpeg, size) => {
      // a thumbnail out of a broken file is a whole JPEG too
      if (size.width < FRAME_WIDTH / 2 || size.height < FRAME_HEIGHT / 2) return;
      lastAt = performance.now();
      firstAt ??= lastAt;
      if (lastAt - firstAt > timing.healthyAfterMs) this.budget.recovered();
      if (!this.closing.aborted) this.take(jpeg, size, lastAt);
    }, MAX_JPEG_BYTES);
    child.stdout?.on('data', (chunk: Buffer) => parser.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));

    const quietLimit = () => (firstAt === null ? timing.firstFrameLimitMs : timing.frameAgeLimitMs);
    const timeLeftMs = () => quietLimit() - (performance.now() - lastAt);
    const stalled = await watch(child, this.closing, timeLeftMs, timing.frameAgeLimitMs);
    if (stalled) this.setState({ name: 'starting', reason: `no frame for ${quietLimit()} ms` });
    const ended = await child.end();
    stderr.end();
    const { frames, broken } = parser.counts;
    log('camera program ended', { program, code: ended.code, frames, broken });
    const name = basename(program);
    const words = stderr.trouble === '' ? '' : `: ${stderr.trouble}`;
    if (ended.error !== undefined) return `${name} could not be started: ${ended.error.message}`;
    if (stalled) return `${name} gave no frame for ${quietLimit()} ms${words}`;
    return `${name} ended (${ended.code ?? 'killed'})${words}`;
  }
}

/**
 * Waits until the process ends (false), the camera is closed (false), or the time left to the next frame has run out (true).
 * @param lookMs checks at least this often, because the first frame shortens the time left
 */
async function watch(
  child: GuardedProcess,
  closing: AbortSignal,
  timeLeftMs: () => number,
  lookMs: number,
): Promise<boolean> {
  const over = new AbortController();
  const until = AbortSignal.any([over.signal, closing]);
  void child.ended.then(() => over.abort());
  for (;;) {
    await pause(Math.max(1, Math.min(timeLeftMs(), lookMs)), until);
    if (until.aborted) return false; // the process has ended, or the camera is being closed
    // after a stall of this process, frames may wait in the pipe: they are read first, as timers run before input
    await new Promise((resolve) => setImmediate(resolve));
    if (timeLeftMs() <= 0) return true;
  }
}
