/** Things that may lie in place of a file, and that a device must never wait for or read to the end. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

const HUGE_BYTES = 8 * 1024 ** 3;

/**
 * Makes a socket that stays. Node removes a socket by its name when it closes it, so the socket is renamed before. The
 * name that it binds has little room (unix(7): 108 bytes), so its folder is named by an open file number.
 */
async function makeSocket(path: string): Promise<void> {
  const folder = openSync(dirname(path), 'r');
  const server = createServer().listen(`/proc/self/fd/${folder}/socket`);
  await once(server, 'listening');
  renameSync(join(dirname(path), 'socket'), path);
  server.close();
  await once(server, 'close');
  closeSync(folder);
}

/** Functions that make a thing at a free path. */
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
