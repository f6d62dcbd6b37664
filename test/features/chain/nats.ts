/** What the tests of a chain share: its message server, a real one on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { missingPrograms } from '../../needing.ts';
import { freePort } from '../../ports.ts';
import { temporaryFolder, until } from '../../support.ts';
import { Accounts, type UserOptions } from './accounts.ts';

export const NO_SERVER = missingPrograms('nats-server');

/** State of a thread that a signal has stopped (proc_pid_stat(5)). */
const STANDS = /\) T /;

/** @param configuration file */
export function serverProcess(program: string, configuration: string, isUp: () => Promise<boolean>) {
  let child: ChildProcess | null = null;
  return {
    start: async (): Promise<void> => {
      const started = spawn(program, ['--config', configuration], { stdio: 'ignore' });
      child = started;
      await until('the server', () => {
        if (started.exitCode !== null) throw new Error(`nats-server ended with ${started.exitCode}`);
        return isUp();
      });
    },
    /** Like a cut of its line: nothing ends in order. */
    stop: async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
      const ended = child;
      child = null;
      if (ended === null || ended.exitCode !== null) return;
      const over = once(ended, 'close');
      ended.kill(signal);
      await over;
    },
    /** Silent, as one whose machine hangs. Each of its threads stands on return: one that still runs would answer. */
    hold: async (): Promise<void> => {
      const tasks = `/proc/${child?.pid}/task`;
      child?.kill('SIGSTOP');
      await until('it stands', () =>
        readdirSync(tasks).every((id) => STANDS.test(readFileSync(`${tasks}/${id}/stat`, 'utf8'))),
      );
    },
    letGo: () => void child?.kill('SIGCONT'),
  };
}

export const STREAMS = {
  EVENTS: { subjects: ['up.*.event.>'] },
  STATES: { subjects: ['up.*.state.>'], max_msgs_per_subject: 1 },
} as const;

interface ServerOptions {
  /** Of a certificate for 127.0.0.1; no TLS when left out. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** A chain's server that runs, without streams. */
export async function startServer({ tls }: ServerOptions = {}) {
  const own = temporaryFolder();
  const at = (name: string): string => join(own.path, name);
  const port = await freePort();
  const accounts = new Accounts(own.path);
  if (tls !== undefined) {
    writeFileSync(at('server.pem'), tls.certificate);
    writeFileSync(at('server.key'), tls.key);
  }
  writeFileSync(
    at('server.conf'),
    [
      `listen: 127.0.0.1:${port}`,
      `jetstream: { store_dir: "${at('store')}" }`,
      ...accounts.lines,
      ...(tls === undefined ? [] : [`tls: { cert_file: "${at('server.pem')}", key_file: "${at('server.key')}" }`]),
    ].join('\n'),
  );
  const asAdministrator = () => accounts.asAdministrator(port, tls?.certificate);
  const server = serverProcess('nats-server', at('server.conf'), async () => {
    const connection = await asAdministrator().catch(() => null);
    await connection?.close();
    return connection !== null;
  });
  await server.start();
  return {
    asAdministrator,
    admit: (name: string, options?: UserOptions) => accounts.admit(name, options),
    ...server,
    url: `${tls === undefined ? 'nats' : 'tls'}://127.0.0.1:${port}`,
    /** Null where it speaks no TLS. */
    caFile: tls === undefined ? null : at('server.pem'),
    makeStreams: async () => {
      await using connection = await asAdministrator();
      const { streams } = await jetstreamManager(connection);
      for (const [name, { subjects, ...limits }] of Object.entries(STREAMS))
        await streams.add({ name, subjects: [...subjects], ...limits });
    },
    /** Subject and body of all that a stream holds. */
    messagesOf: async (stream: string) => {
      await using connection = await asAdministrator();
      const { streams } = await jetstreamManager(connection);
      const { state } = await streams.info(stream);
      const found = [];
      for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
        const message = await streams.getMessage(stream, { seq });
        if (message === null) continue;
        found.push({ subject: message.subject, id: message.header.get('Nats-Msg-Id'), body: message.string() });
      }
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      own[Symbol.dispose]();
    },
  };
}

export type ChainServer = Awaited<ReturnType<typeof startServer>>;
