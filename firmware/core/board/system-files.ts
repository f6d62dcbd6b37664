/**
 * The small files in which Linux describes a board (sysfs), and those that the updater leaves. What a machine does not have is
 * null here: they are needed only to report how the lane is.
 */
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../store/index.ts';

/** Many times what any of them has. */
const MAX_BYTES = 4096;

export class SystemFiles {
  readonly #root: string;

  /** @param root what stands in for `/`, in tests */
  constructor(root = '') {
    this.#root = root;
  }

  /** Without the white space around it. Null where it cannot be read: a sensor that is switched off answers with any error. */
  text(path: string): string | null {
    return this.#tried(() => readPlainFile(join(this.#root, path), MAX_BYTES).toString('utf8').trim());
  }

  /** Decimal, or hexadecimal with `0x`. */
  number(path: string): number | null {
    return numberOf(this.text(path));
  }

  /** Names in a folder, in order; none where it is not there. */
  list(folder: string): readonly string[] {
    return this.#tried(() => readdirSync(join(this.#root, folder)).sort()) ?? [];
  }

  /** Where a link ends, below `/`. */
  target(path: string): string | null {
    return this.#tried(() => realpathSync(join(this.#root, path)).slice(this.#root.length));
  }

  /** What a link says, whether or not anything is there. */
  link(path: string): string | null {
    return this.#tried(() => readlinkSync(join(this.#root, path)));
  }

  /** When the file or the link itself was made or written, ms since 1970. */
  writtenAt(path: string): number | null {
    return this.#tried(() => Math.round(lstatSync(join(this.#root, path)).mtimeMs));
  }

  #tried<T>(read: () => T): T | null {
    try {
      return read();
    } catch {
      return null;
    }
  }
}

/** Null for what is no number. */
export function numberOf(text: string | null): number | null {
  if (text === null || !/^(-?\d{1,15}|0x[0-9a-f]{1,8})$/i.test(text)) return null;
  return Number(text);
}

/** The value of a `key=value` line, the last one where there are several; empty where there is none. */
export function settingIn(key: string, text: string | null): string {
  const lines = (text ?? '').split('\n').filter((line) => line.startsWith(`${key}=`));
  return lines.at(-1)?.slice(key.length + 1) ?? '';
}
