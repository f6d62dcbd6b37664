/** Starts a `nats-server`: as a child process, or in a unit that systemd starts for a connection to its socket. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { messageOf } from '../../../drivers/lib/errors.ts';

/** Soft limit of the child's heap for Go's collector: the lane's service has one memory limit for both processes. */
const MEMORY_LIMIT = '160MiB';

export interface ServerProcess {
  /** Id of the process; null before it runs, and for a unit. */
  readonly pid: number | null;
  /** Its log. */
  readonly lines: Readable;
  /** Resolves when the process has ended: with the reason why it could not start, or null. */
  readonly over: Promise<string | null>;
  /** Makes it reload its configuration. */
  reload(): void;
  /** Asks it to end. */
  end(): void;
  /** Kills it; does nothing for a unit. */
  kill(): void;
}

interface ServerCommand {
  readonly program: string;
  readonly config: string;
  /** Socket of the unit that runs the server; without one the server is a child. */
  readonly socket: string | undefined;
  readonly port: number;
  /** Whether devices outside the subnets of this machine may connect; only for a unit. */
  readonly isRouted: boolean;
}

const endOf = (source: ChildProcess | Readable): Promise<string | null> =>
  once(source, 'close').then(() => null, messageOf);

function startChild({ program, config }: ServerCommand): ServerProcess {
  const child = spawn(program, ['--config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GOMEMLIMIT: MEMORY_LIMIT },
  });
  return {
    pid: child.pid ?? null,
    lines: child.stderr ?? Readable.from([]), // without a free file descriptor, Node returns a child that has no pipes
    over: endOf(child),
    reload: () => void child.kill('SIGHUP'),
    end: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Sends the lines that `scripts/install/master-server.sh` reads. The script ends the server with the connection, by
 * force where it must.
 */
function startInUnit(socket: string, { program, config, port, isRouted }: ServerCommand): ServerProcess {
  const connection = connect(socket);
  connection.write(`${[port, isRouted ? 'all' : 'subnet', program, config].join('\n')}\n`);
  return {
    pid: null,
    lines: connection,
    over: endOf(connection),
    reload: () => void connection.write('\n'),
    end: () => void connection.end(),
    kill: () => undefined,
  };
}

/** @throws {Error} as `spawn`; without a free file descriptor, `over` gives the reason instead */
export function startServer(command: ServerCommand): ServerProcess {
  const { socket } = command;
  return socket !== undefined && existsSync(socket) ? startInUnit(socket, command) : startChild(command);
}
