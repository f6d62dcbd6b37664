/** The folder of exported packages, which `/download` serves: within its room the oldest is removed for a new one. */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recorded } from '../../../drivers/lib/records.ts';
import { prepareFolder, syncFolder } from '../../core/files/index.ts';
import { RECOGNITION_ERRORS } from '../model/error-records.ts';

/** The names that `nameFor` makes; no other name is looked for. */
const NAME = /^templates-[A-Za-z0-9._-]{1,120}\.zip$/;
const UNFINISHED = '.part';

/** Why a package is not served. `NotFound`: there is none of that name; `BeyondEnd`: it is shorter than the requested part. */
export class PackageRefusal extends recorded('Packages', RECOGNITION_ERRORS) {}

interface StoredPackage {
  readonly path: string;
  readonly bytes: number;
}

export class PackageStore {
  readonly #folder: string;
  readonly #roomBytes: number;

  /** Removes the unfinished packages of exports that were cut off. */
  constructor(folder: string, roomBytes: number) {
    this.#folder = folder;
    this.#roomBytes = roomBytes;
    prepareFolder(folder, (name) => name.endsWith(UNFINISHED));
  }

  /** The most bytes of one package: half of the room, so that the previous one stays until this one is whole. */
  get packageBytes(): number {
    return Math.floor(this.#roomBytes / 2);
  }

  /**
   * A name for a package of this moment, with the device's serial number for people who collect them. Where the clock
   * stands still, a number is added: a continued download must not meet another package.
   */
  nameFor(serial: string, now: number): string {
    const moment = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('.', '').slice(0, 18);
    const stem = `templates-${serial.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 40)}-${moment}`;
    const used = readdirSync(this.#folder)
      .filter((name) => name.startsWith(stem))
      .map((name) => Number(/^-(\d+)/.exec(name.slice(stem.length))?.[1] ?? 1));
    return used.length === 0 ? `${stem}.zip` : `${stem}-${Math.max(...used) + 1}.zip`;
  }

  /** Returns the path where a package is written until it is whole; the oldest ones are removed to make room. */
  async begin(name: string): Promise<string> {
    await this.#removeOldest();
    const path = join(this.#folder, name + UNFINISHED);
    await rm(path, { force: true });
    return path;
  }

  /** Makes a package available. */
  finish(name: string): void {
    renameSync(join(this.#folder, name + UNFINISHED), join(this.#folder, name));
    syncFolder(this.#folder);
  }

  abandon(name: string): void {
    rmSync(join(this.#folder, name + UNFINISHED), { force: true });
  }

  /** A package by its name, or null; other names are not looked for. */
  find(name: string): StoredPackage | null {
    if (!NAME.test(name)) return null;
    const path = join(this.#folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? { path, bytes: stat.size } : null;
  }

  async #removeOldest(): Promise<void> {
    const packages = readdirSync(this.#folder)
      .flatMap((name) => this.find(name) ?? [])
      .map(({ path, bytes }) => ({ path, bytes, mtime: statSync(path).mtimeMs }))
      .sort((one, other) => other.mtime - one.mtime);
    let used = 0;
    for (const { path, bytes } of packages) {
      used += bytes;
      if (used > this.packageBytes) await rm(path, { force: true });
    }
  }
}
