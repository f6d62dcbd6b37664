/**
 * The Raspberry Pi camera, through one `rpicam-vid` process that is kept warm and streams MJPEG to us.
 * Source: Raspberry Pi's documentation of rpicam-apps (named libcamera-apps before 2023).
 */

import { basename } from 'node:path';
import { pause } from '../lib/async.ts';
import { GuardedProcess } from '../lib/guarded-process.ts';
import type { CameraOptions } from './contract.ts';
import { FRAME_HEIGHT, FRAME_WIDTH, MAX_JPEG_BYTES } from './contract.ts';
import { MjpegParser } from './mjpeg.ts';
import { ProgramCamera, type ProgramTiming } from './program-camera.ts';
import { StderrSummary } from './stderr-summary.ts';

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
  /** After frames for this long the restart budget is full again. */
  readonly healthyAfterMs: number;
}

const STREAM_TIMING: StreamTiming = Object.freeze({
  frameAgeLimitMs: 2000,
  firstFrameLimitMs: 10_000,
  healthyAfterMs: 10_000,
  failures: 5,
  windowMs: 60_000,
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

  /** One life of the camera program, to its end; gives the reason of that end in plain words. */
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
 * Waits until the process ends (false), we close (false), or the time left to the next frame has run out (true).
 * @param lookMs looks at least this often: with the first frame the time left becomes shorter
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
    if (until.aborted) return false; // it ended, or we close
    // after a stall of our own, what the pipe holds is read first: timers come before input
    await new Promise((resolve) => setImmediate(resolve));
    if (timeLeftMs() <= 0) return true;
  }
}
