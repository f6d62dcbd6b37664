/**
 * Reads the small files in which Linux describes a board (sysfs), and those of the updater. A file that cannot be
 * read is null: these files only serve to report the lane's state.
 */
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../files/index.ts';

/** Most bytes read of a file: many times the size of any. */
const MAX_BYTES = 4096;

export class SystemFiles {
  readonly #root: string;

  /** @param root stands in for `/` in tests */
  constructor(root = '') {
    this.#root = root;
  }

  /** Where a file lies, also in tests. */
  place(path: string): string {
    return join(this.#root, path);
  }

  /** A file's text, trimmed. Null where it cannot be read: a sensor that is off answers with any error. */
  text(path: string): string | null {
    return this.#tried(() => readPlainFile(join(this.#root, path), MAX_BYTES).toString('utf8').trim());
  }

  /** A file's number, decimal or hexadecimal with `0x`. */
  number(path: string): number | null {
    return numberOf(this.text(path));
  }

  /** Names in a folder, in order; none for a missing folder. */
  list(folder: string): readonly string[] {
    return this.#tried(() => readdirSync(join(this.#root, folder)).sort()) ?? [];
  }

  /** The final target of a link, below `/`. */
  target(path: string): string | null {
    return this.#tried(() => realpathSync(join(this.#root, path)).slice(this.#root.length));
  }

  /** The text of a link, whether or not it leads anywhere. */
  link(path: string): string | null {
    return this.#tried(() => readlinkSync(join(this.#root, path)));
  }

  /** When the file or the link itself was written, ms since 1970. */
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

/** The number in a text; null for none. */
export function numberOf(text: string | null): number | null {
  if (text === null || !/^(-?\d{1,15}|0x[0-9a-f]{1,8})$/i.test(text)) return null;
  return Number(text);
}

/** The value of a `key=value` line, the last of several; empty for none. */
export function settingIn(key: string, text: string | null): string {
  const lines = (text ?? '').split('\n').filter((line) => line.startsWith(`${key}=`));
  return lines.at(-1)?.slice(key.length + 1) ?? '';
}
