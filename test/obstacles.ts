/** What may lie in the place of a file and must never be waited for, or be read to its end. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const HUGE_BYTES = 8 * 1024 ** 3;

/** Node removes a socket by its name when it is closed: it has another one by then. */
async function makeSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.s`, resolve));
  renameSync(`${path}.s`, path);
  await new Promise((resolve) => server.close(resolve));
}

/** Each makes one at a path where nothing lies. */
export const OBSTACLES: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a socket': makeSocket,
  'a device that never ends': (path) => symlinkSync('/dev/zero', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a folder': (path) => void mkdirSync(join(path, 'inner'), { recursive: true }),
  'a huge file': (path) => {
    writeFileSync(path, 'x');
    truncateSync(path, HUGE_BYTES);
  },
};

export async function putInPlaceOf(path: string, obstacle: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  await OBSTACLES[obstacle]?.(path);
}
