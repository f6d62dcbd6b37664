/** The process of a `nats-server`: a child of this one, or in a unit of its own that systemd starts for a connection. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { messageOf } from '../../../drivers/lib/errors.ts';

/** What Go's collector keeps the heap of a child below where it can: the lane's own service has a limit for both. */
const MEMORY_LIMIT = '160MiB';

export interface ServerProcess {
  /** Null before it runs, and in a unit. */
  readonly pid: number | null;
  readonly lines: Readable;
  /** Settles with its end; with what kept it from starting, or null. */
  readonly over: Promise<string | null>;
  /** Reloads its configuration. */
  reload(): void;
  /** In order. */
  end(): void;
  /** By force. */
  kill(): void;
}

interface ServerCommand {
  readonly program: string;
  readonly config: string;
  /** Socket of the unit that runs it; a child where there is none. */
  readonly socket: string | undefined;
  readonly port: number;
  /** Whether those beyond the subnets of this machine are let in; in a unit alone. */
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
    lines: child.stderr ?? Readable.from([]), // without a free file Node makes a child that has no pipes
    over: endOf(child),
    reload: () => void child.kill('SIGHUP'),
    end: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Its lines are what `scripts/master-server.sh` reads. The server ends with the connection, by force where it must. */
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

/** @throws {Error} as `spawn` for most faults of the system; without a free file `over` says so */
export function startServer(command: ServerCommand): ServerProcess {
  const { socket } = command;
  return socket !== undefined && existsSync(socket) ? startInUnit(socket, command) : startChild(command);
}
