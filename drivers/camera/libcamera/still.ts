/**
 * The Raspberry Pi camera, one process per picture, through npm's `node-libcamera`: for cameras or systems where the
 * stream does not work. A picture takes a second or more; it is always the one before that is given out.
 */
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../lib/errors.ts';
import { findProgram } from '../../lib/find-program.ts';
import { GuardedProcess } from '../../lib/guarded-process.ts';
import { type CameraOptions, FRAME_HEIGHT, FRAME_WIDTH } from '../contract.ts';
import { checkJpeg } from '../decode.ts';
import { FrameSlot, SelfFedCamera } from '../frame-slot.ts';
import { notInstalled, unplugged } from './reasons.ts';
import { type BudgetLimits, RestartBudget } from './restart-budget.ts';
import { StderrSummary } from './stderr-summary.ts';

/** node-libcamera calls the program by its older name; newer systems have only the other one. */
const OLDER_NAME = 'libcamera-still';
const PROGRAMS = [OLDER_NAME, 'rpicam-still'] as const;
const CAPTURE = fileURLToPath(new URL('./capture-still.ts', import.meta.url));

/** Where a picture may lie for a moment: in memory where there is such a folder, for it would wear out a memory card. */
function scratchFolder(): string {
  for (const folder of [process.env.RUNTIME_DIRECTORY, '/dev/shm']) {
    if (folder !== undefined && isWritable(folder)) return folder;
  }
  return tmpdir();
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false; // not here, or not ours: the next one
  }
}

export interface StillTiming extends BudgetLimits {
  /** From the end of one picture to the start of the next. */
  readonly intervalMs: number;
  /** A picture that takes longer is given up. */
  readonly captureLimitMs: number;
  readonly frameAgeLimitMs: number;
}

export const STILL_TIMING: StillTiming = Object.freeze({
  intervalMs: 500,
  captureLimitMs: 15_000,
  frameAgeLimitMs: 10_000,
  failures: 3,
  windowMs: 120_000,
  firstDelayMs: 1000,
  slowDelayMs: 30_000,
});

export interface StillOptions extends CameraOptions {
  readonly timing?: Partial<StillTiming>;
  /** Environment of the camera program; its PATH is where the program is looked for. */
  readonly env?: NodeJS.ProcessEnv;
}

export class LibcameraStillCamera extends SelfFedCamera {
  readonly kind = 'libcamera-still';
  readonly streaming = false;
  readonly #options: StillOptions;
  readonly #timing: StillTiming;
  readonly #budget: RestartBudget;

  constructor(options: StillOptions = {}) {
    const timing = Object.freeze({ ...STILL_TIMING, ...options.timing });
    super(new FrameSlot('libcamera-still', options, timing.frameAgeLimitMs));
    this.#options = options;
    this.#timing = timing;
    this.#budget = new RestartBudget(this.#timing);
    this.feed(() =>
      this.#captureOnce().then(
        () => this.#timing.intervalMs,
        (error: unknown) => this.#failed(messageOf(error)),
      ),
    );
  }

  #failed(reason: string): number {
    if (this.closing.aborted) return 0;
    if (this.#program() === null) {
      this.slot.setState({ name: 'lost', reason: notInstalled(PROGRAMS) });
      return this.#timing.slowDelayMs;
    }
    const { lost, delayMs } = this.#budget.failed(performance.now());
    this.#options.log?.('camera failed', { reason, retryInMs: delayMs });
    this.slot.setState(lost ? { name: 'lost', reason: unplugged(reason) } : { name: 'starting', reason });
    return delayMs;
  }

  #program(): string | null {
    return findProgram(PROGRAMS, this.#options.env ?? process.env);
  }

  /** @throws with a plain reason */
  async #captureOnce(): Promise<void> {
    const program = this.#program();
    if (program === null) throw new Error(notInstalled(PROGRAMS));
    const folder = await mkdtemp(join(scratchFolder(), 'laneware-still-'));
    try {
      const file = join(folder, 'picture.jpg');
      await symlink(program, join(folder, OLDER_NAME));
      const takenAt = performance.now();
      await this.#run(file, folder);
      const jpeg = await readFile(file);
      const size = await checkJpeg(jpeg);
      if (this.closing.aborted) return;
      this.#budget.recovered();
      this.slot.put(jpeg, size, takenAt);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #run(file: string, folder: string): Promise<void> {
    const base = this.#options.env ?? process.env;
    const env = { ...base, PATH: `${folder}${delimiter}${base.PATH ?? ''}` };
    const child = new GuardedProcess([process.execPath, CAPTURE, file, String(FRAME_WIDTH), String(FRAME_HEIGHT)], {
      env,
    });
    const stderr = new StderrSummary(() => {});
    child.stdout?.resume();
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    const end = () => void child.end();
    this.closing.addEventListener('abort', end);
    if (this.closing.aborted) end();
    const limit = setTimeout(end, this.#timing.captureLimitMs);
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
