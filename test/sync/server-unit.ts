/** What systemd does for `laneware-master.socket`: a server for a connection, one at a time. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { temporaryFolder } from '../support.ts';

const SCRIPT = join(ROOT, 'scripts/install/master-server.sh');

/** @param namespace of the network; without one a program that keeps the rules stands in for `nft` */
export async function serverUnit(namespace?: string) {
  const folder = temporaryFolder();
  const socket = join(folder.path, 'socket');
  writeFileSync(join(folder.path, 'nft'), '#!/bin/sh\ncat >"$0.rules"\n', { mode: 0o755 });
  const [program = '', ...args] =
    namespace === undefined ? ['env', `PATH=${folder.path}:${process.env.PATH}`] : ['ip', 'netns', 'exec', namespace];
  let server: ChildProcess | null = null;
  let refused = 0;
  const script = (part: 'door' | 'run', connection: Socket): ChildProcess =>
    spawn(program, [...args, SCRIPT, part], { stdio: [connection, 'ignore', connection], detached: true });
  const serve = async (connection: Socket): Promise<void> => {
    const main = script('run', connection);
    server = main;
    connection.destroy();
    await once(main, 'exit');
    // what the main process has left
    spawnSync('kill', ['-9', '--', `-${main.pid}`]);
    server = null;
  };
  const listening = createServer({ pauseOnConnect: true }, (connection) => {
    if (server === null) {
      server = script('door', connection);
      server.once('exit', () => void serve(connection));
    } else {
      refused++;
      connection.destroy();
    }
  }).listen(socket);
  await once(listening, 'listening');
  return {
    socket,
    /** Of the server that runs; null where none does. */
    get pid(): number | null {
      return server?.pid ?? null;
    },
    /** Connections that found another server at work. */
    get refused(): number {
      return refused;
    },
    /** What was given to `nft`, without a namespace. */
    get rules(): string {
      return readFileSync(join(folder.path, 'nft.rules'), 'utf8');
    },
    [Symbol.asyncDispose]: async () => {
      const over = once(listening, 'close');
      listening.close();
      await over;
      folder[Symbol.dispose]();
    },
  };
}

export type ServerUnit = Awaited<ReturnType<typeof serverUnit>>;
