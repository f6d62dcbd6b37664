/** Makes a backup of a device's folder, while the device runs or not. */
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sealer } from '../../core/store/index.ts';
import { NAMES, WORK_PREFIX } from './contents.ts';
import { boardOf } from './foreign.ts';
import { encoded } from './manifest.ts';
import { type About, type Sealing, seal } from './sealed-stream.ts';
import { openSecrets } from './secrets.ts';

export interface Made extends Sealing, Disposable {
  readonly about: About;
  readonly files: readonly string[];
  /** Secrets that cannot be opened with the key of this machine, and so are of use to it alone. */
  readonly unopened: number;
}

async function* contentOf(manifest: Buffer, paths: readonly string[]): AsyncGenerator<Buffer> {
  yield manifest;
  for (const path of paths) yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/**
 * The copies are made when this resolves, and stay until it is disposed of.
 * @param sealer of the folder's machine; null where its key cannot be had
 * @param copy copies what a backup takes of one folder into another: `copyInto`, here or in a thread
 * @throws what `copy` throws
 */
export async function makeBackup(
  folder: string,
  sealer: Sealer | null,
  passphrase: string,
  about: About,
  copy: (folder: string, into: string) => Promise<void> | void,
): Promise<Made> {
  const work = mkdtempSync(join(folder, WORK_PREFIX));
  const dispose = (): void => rmSync(work, { recursive: true, force: true });
  try {
    await copy(folder, work);
    const files = NAMES.filter((name) => existsSync(join(work, name))).map((name) => ({
      name,
      bytes: statSync(join(work, name)).size,
    }));
    const places = new Map(files.map(({ name }) => [name, join(work, name)]));
    const { secrets, unopened } = openSecrets(places, sealer);
    const manifest = encoded({ board: boardOf(sealer), files, secrets: [...secrets], unopened });
    const bytes = files.reduce((sum, file) => sum + file.bytes, manifest.length);
    const sealing = await seal(passphrase, about, contentOf(manifest, [...places.values()]), bytes);
    return { ...sealing, about, files: files.map(({ name }) => name), unopened, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}
