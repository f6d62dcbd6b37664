/** What the tests of a chain share: its message server, a real one on loopback, with accounts and users as NATS's own tools make them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection, nkeys } from '@nats-io/transport-node';
import { missingPrograms } from '../needing.ts';
import { freePort } from '../ports.ts';
import { temporaryFolder, until } from '../support.ts';

export const NO_SERVER = missingPrograms('nats-server');

const seconds = (): number => Math.floor(Date.now() / 1000);
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Key = ReturnType<typeof nkeys.createUser>;

/** A token of NATS (ADR-14 of its architecture): claims, signed by the key above. */
function signed(issuer: Key, claims: object): string {
  const body = `${base64({ typ: 'JWT', alg: 'ed25519-nkey' })}.${base64({
    ...{ iat: seconds(), iss: issuer.getPublicKey(), jti: 'made-up' },
    ...claims,
  })}`;
  return `${body}.${Buffer.from(issuer.sign(Buffer.from(body))).toString('base64url')}`;
}

const UNLIMITED = { subs: -1, data: -1, payload: -1 };

export interface UserOptions {
  /** When they end, ms since 1970; never when left out. */
  readonly endsAt?: number;
  /** What it may publish; below its own name when left out. */
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
  /** The name in the token, where it is another one than that of the file. */
  readonly called?: string;
}

/** The text of a file of credentials. @param account whose key signs them */
function credentialsOf(account: Key, name: string, options: UserOptions = {}): string {
  const user = nkeys.createUser();
  const { endsAt, publish = [`up.${name}.>`], subscribe = [`_INBOX.${name}.>`] } = options;
  const token = signed(account, {
    ...{ name: options.called ?? name, sub: user.getPublicKey() },
    ...(endsAt === undefined ? {} : { exp: Math.floor(endsAt / 1000) }),
    nats: { type: 'user', version: 2, pub: { allow: publish }, sub: { allow: subscribe }, ...UNLIMITED },
  });
  const seed = Buffer.from(user.getSeed()).toString();
  return [
    '-----BEGIN NATS USER JWT-----',
    token,
    '------END NATS USER JWT------',
    '',
    '************************* IMPORTANT *************************',
    'NKEY Seed printed below can be used to sign and prove identity.',
    '',
    '-----BEGIN USER NKEY SEED-----',
    seed,
    '------END USER NKEY SEED------',
    '',
  ].join('\n');
}

export interface ChainServer extends AsyncDisposable {
  readonly url: string;
  /** Null where it speaks no TLS. */
  readonly caFile: string | null;
  /** Writes the credentials of a store. @returns the file */
  admit(name: string, options?: UserOptions): string;
  start(): Promise<void>;
  /** Like a cut of its line: nothing ends in order. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Silent, as one whose machine hangs, and back. */
  hold(isHeld: boolean): void;
  /** As the administrator of the chain. */
  asAdministrator(): Promise<NatsConnection & AsyncDisposable>;
  makeStreams(): Promise<void>;
  /** Subject and body of all that a stream holds. */
  messagesOf(stream: string): Promise<{ subject: string; id: string; body: string }[]>;
}

/** Limits of JetStream in an account, of which all is allowed. */
const ALL = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
const CONNECTIONS = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const LIMITS = { ...CONNECTIONS, ...ALL };

export const STREAMS = {
  EVENTS: { subjects: ['up.*.event.>'] },
  STATES: { subjects: ['up.*.state.>'], max_msgs_per_subject: 1 },
} as const;

/** The client library asks an address for the name localhost. */
const ANY_NAME = { checkServerIdentity: () => undefined };

interface ServerOptions {
  /** Of a certificate for 127.0.0.1; no TLS when left out. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** A chain's server that runs, without streams. */
export async function startServer({ tls }: ServerOptions = {}): Promise<ChainServer> {
  const own = temporaryFolder();
  const at = (name: string): string => join(own.path, name);
  const port = await freePort();
  const [operator, account, system] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()];
  const accountOf = (name: string, key: Key, limits: object): string => {
    const claims = { name, sub: key.getPublicKey(), nats: { type: 'account', version: 2, limits } };
    return `${key.getPublicKey()}: ${signed(operator, claims)}`;
  };
  const trusted = signed(operator, {
    ...{ name: 'fruit', sub: operator.getPublicKey() },
    nats: { type: 'operator', version: 2 },
  });
  if (tls !== undefined) {
    writeFileSync(at('server.pem'), tls.certificate);
    writeFileSync(at('server.key'), tls.key);
  }
  writeFileSync(
    at('server.conf'),
    [
      `listen: 127.0.0.1:${port}`,
      `jetstream: { store_dir: "${at('store')}" }`,
      `operator: ${trusted}`,
      `resolver: MEMORY`,
      `system_account: ${system.getPublicKey()}`,
      `resolver_preload: {`,
      `  ${accountOf('CHAIN', account, LIMITS)}`,
      `  ${accountOf('SYS', system, CONNECTIONS)}`,
      `}`,
      ...(tls === undefined ? [] : [`tls: { cert_file: "${at('server.pem')}", key_file: "${at('server.key')}" }`]),
    ].join('\n'),
  );
  let child: ChildProcess | null = null;
  const admit = (name: string, options?: UserOptions): string => {
    const file = at(`${name}.creds`);
    writeFileSync(file, credentialsOf(account, name, options), { mode: 0o600 });
    return file;
  };
  const everything = { publish: ['>'], subscribe: ['>'] };
  const asAdministrator = async () => {
    const connection = await connect({
      servers: `127.0.0.1:${port}`,
      authenticator: credsAuthenticator(Buffer.from(credentialsOf(account, 'administrator', everything))),
      ...(tls === undefined ? {} : { tls: { ca: tls.certificate, ...ANY_NAME } }),
      reconnect: false,
    });
    return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
  };
  const stop = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    const ended = child;
    child = null;
    if (ended === null || ended.exitCode !== null) return;
    const over = once(ended, 'close');
    ended.kill(signal);
    await over;
  };
  const start = async (): Promise<void> => {
    const started = spawn('nats-server', ['--config', at('server.conf')], { stdio: 'ignore' });
    child = started;
    await until('the server', async () => {
      if (started.exitCode !== null) throw new Error(`nats-server ended with ${started.exitCode}`);
      const connection = await asAdministrator().catch(() => null);
      await connection?.close();
      return connection !== null;
    });
  };
  await start();
  return {
    ...{ admit, start, stop, asAdministrator },
    url: `${tls === undefined ? 'nats' : 'tls'}://127.0.0.1:${port}`,
    caFile: tls === undefined ? null : at('server.pem'),
    hold: (isHeld) => void child?.kill(isHeld ? 'SIGSTOP' : 'SIGCONT'),
    makeStreams: async () => {
      await using connection = await asAdministrator();
      const { streams } = await jetstreamManager(connection);
      for (const [name, { subjects, ...limits }] of Object.entries(STREAMS))
        await streams.add({ name, subjects: [...subjects], ...limits });
    },
    messagesOf: async (stream) => {
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
      await stop();
      own[Symbol.dispose]();
    },
  };
}
