/** A simulated camera: it shows the pictures of a folder and changes them every few seconds. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { LogLine } from '../lib/errors.ts';
import { messageOf } from '../lib/errors.ts';
import { type CameraOptions, MAX_FRAME_PIXELS } from './contract.ts';
import { checkJpeg, loadSharp } from './decode.ts';
import { SelfFedCamera } from './frame-slot.ts';
import type { JpegSize } from './jpeg-header.ts';

const EXTENSIONS: ReadonlySet<string> = new Set(['.jpg', '.jpeg', '.png', '.webp']);
/** The largest file that is read: no usable picture is larger. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const QUALITY = 90;

interface Picture {
  readonly jpeg: Buffer;
  readonly size: JpegSize;
}

/**
 * The pictures of a folder in the order of their names, over and over; added and removed files count from the next
 * round.
 */
export class PictureFolder {
  readonly #folder: string;
  readonly #log: LogLine;
  #queue: string[] = [];

  constructor(folder: string, log: LogLine) {
    this.#folder = folder;
    this.#log = log;
  }

  /** @throws where the folder cannot be read or holds no usable picture */
  async next(): Promise<Picture> {
    const picture = (await this.#fromQueue()) ?? (await this.#nextRound());
    if (picture === null)
      throw new Error(`${this.#folder} holds no picture that can be shown: put JPEG, PNG or WebP files there`);
    return picture;
  }

  async #nextRound(): Promise<Picture | null> {
    const entries = await readdir(this.#folder, { withFileTypes: true });
    this.#queue = entries
      .filter((entry) => !entry.isDirectory() && EXTENSIONS.has(extname(entry.name).toLowerCase()))
      .map((entry) => entry.name)
      .sort();
    return this.#fromQueue();
  }

  async #fromQueue(): Promise<Picture | null> {
    for (let file = this.#queue.shift(); file !== undefined; file = this.#queue.shift()) {
      const picture = await this.#read(file);
      if (picture !== null) return picture;
    }
    return null;
  }

  async #read(file: string): Promise<Picture | null> {
    try {
      const path = join(this.#folder, file);
      const about = await stat(path);
      // reading a pipe would never end
      if (!about.isFile()) throw new Error('not a file');
      if (about.size > MAX_FILE_BYTES) throw new Error(`${about.size} bytes are too many`);
      const jpeg = await asJpeg(await readFile(path), extname(file).toLowerCase());
      return { jpeg, size: await checkJpeg(jpeg) };
    } catch (error) {
      this.#log('picture left out', { file, reason: messageOf(error) });
      return null;
    }
  }
}

async function asJpeg(bytes: Buffer, extension: string): Promise<Buffer> {
  if (extension === '.jpg' || extension === '.jpeg') return bytes;
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: MAX_FRAME_PIXELS }).flatten().jpeg({ quality: QUALITY }).toBuffer();
}

/** How long each picture is shown: enough to look at it and to learn or recognise what it shows. */
export const REPLAY_INTERVAL_MS = 4000;

export class ReplayedPictures extends SelfFedCamera {
  readonly kind = 'replay';
  readonly streaming = false;
  readonly #source: PictureFolder;
  readonly #intervalMs: number;

  constructor(source: PictureFolder, options: CameraOptions, intervalMs = REPLAY_INTERVAL_MS) {
    super(options, Number.POSITIVE_INFINITY);
    this.#source = source;
    this.#intervalMs = intervalMs;
    this.feed(() => this.#showNext());
  }

  async #showNext(): Promise<number> {
    try {
      const { jpeg, size } = await this.#source.next();
      if (!this.closing.aborted) this.take(jpeg, size, performance.now());
    } catch (error) {
      const reason = messageOf(error);
      this.log('no picture to replay', { reason });
      this.setState({ name: 'lost', reason });
    }
    return this.#intervalMs;
  }
}
