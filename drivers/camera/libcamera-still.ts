/**
 * The Raspberry Pi camera, one process per picture, through npm's `node-libcamera`: for cameras or systems where the
 * stream does not work. A picture takes a second or more; meanwhile callers get the previous one.
 */

import { mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../lib/errors.ts';
import { GuardedProcess } from '../lib/guarded-process.ts';
import { scratchFolder } from '../lib/scratch-folder.ts';
import { type CameraOptions, FRAME_HEIGHT, FRAME_WIDTH, MAX_JPEG_BYTES } from './contract.ts';
import { checkJpeg } from './decode.ts';
import { ProgramCamera, type ProgramTiming, StderrSummary } from './program-camera.ts';

/** node-libcamera calls the program by its older name; newer systems have only the newer one. */
const OLDER_NAME = 'libcamera-still';
const PROGRAMS = [OLDER_NAME, 'rpicam-still'];
const CAPTURE = fileURLToPath(new URL('./capture-still.ts', import.meta.url));

interface StillTiming extends ProgramTiming {
  /** From the end of one picture to the start of the next. */
  readonly intervalMs: number;
  /** The time limit of one picture. */
  readonly captureLimitMs: number;
}

const STILL_TIMING: StillTiming = Object.freeze({
  intervalMs: 500,
  captureLimitMs: 15_000,
  frameAgeLimitMs: 10_000,
  failures: 3,
  firstDelayMs: 1000,
  slowDelayMs: 30_000,
});

export class LibcameraStillCamera extends ProgramCamera<StillTiming> {
  readonly kind = 'libcamera-still';
  readonly streaming = false;

  constructor(options: CameraOptions = {}, timing: Partial<StillTiming> = {}, env?: NodeJS.ProcessEnv) {
    super(PROGRAMS, { ...STILL_TIMING, ...timing }, options, env);
    this.feed(() => this.#run());
  }

  async #run(): Promise<number> {
    const program = this.program();
    if (program === null) return this.missing();
    return await this.#capture(program).then(
      () => this.timing.intervalMs,
      (error: unknown) => this.failed(messageOf(error)),
    );
  }

  /** @throws an error whose message is the reason in plain words */
  async #capture(program: string): Promise<void> {
    const folder = await mkdtemp(join(scratchFolder(), 'laneware-still-'));
    try {
      const file = join(folder, 'picture.jpg');
      await symlink(program, join(folder, OLDER_NAME));
      const takenAt = performance.now();
      await this.#takePicture(file, folder);
      const { size: bytes } = await stat(file);
      if (bytes > MAX_JPEG_BYTES) throw new Error(`the picture has ${bytes} bytes, more than ${MAX_JPEG_BYTES}`);
      const jpeg = await readFile(file);
      const size = await checkJpeg(jpeg);
      if (this.closing.aborted) return;
      this.budget.recovered();
      this.take(jpeg, size, takenAt);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #takePicture(file: string, folder: string): Promise<void> {
    const env = { ...this.env, PATH: `${folder}${delimiter}${this.env.PATH ?? ''}` };
    const command = [process.execPath, CAPTURE, file, String(FRAME_WIDTH), String(FRAME_HEIGHT)];
    const child = new GuardedProcess(command, env);
    const stderr = new StderrSummary(() => {});
    child.stdout?.resume();
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    const end = () => void child.end();
    this.closing.addEventListener('abort', end);
    if (this.closing.aborted) end();
    const limit = setTimeout(end, this.timing.captureLimitMs);
    const ended = await child.ended;
    clearTimeout(limit);
    this.closing.removeEventListener('abort', end);
    stderr.end();
    if (ended.code === 0) return;
    throw new Error(
      `the picture could not be taken (${ended.code ?? 'killed'})${stderr.trouble && `: ${stderr.trouble}`}`,
    );
  }
}
