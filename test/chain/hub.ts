/** What the tests of a chain share: its hub, made by the very commands of docs/chain.md, of real servers on loopback. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Test } from 'uvu';
import type { JoinFile } from '../../firmware/chain/join-file.ts';
import { DOWN, EVENTS, STATES } from '../../firmware/chain/subjects.ts';
import { connectAs } from '../../scripts/chain/hub.ts';
import { KeyFolder, pairOf } from '../../scripts/chain/keys.ts';
import { missingPrograms } from '../needing.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { call, temporaryFolder, until } from '../support.ts';
import type { Lane } from '../sync/rig.ts';

export const NO_HUB = missingPrograms('nats-server', 'openssl', 'bash');

const run = promisify(execFile);
const COMMAND_LIMIT_MS = 60_000;

/** `scripts/chain.sh` with these words; fails where it does. @returns what it printed */
export async function chainCommand(...words: readonly string[]): Promise<string> {
  const { stdout } = await run('bash', [`${ROOT}/scripts/chain.sh`, ...words], { timeout: COMMAND_LIMIT_MS });
  return stdout;
}

/** One server of a hub, as a process. */
export class HubProcess {
  readonly name: string;
  readonly #config: string;
  #child: ChildProcess | null = null;
  #over: Promise<unknown> = Promise.resolve();

  constructor(name: string, config: string) {
    this.name = name;
    this.#config = config;
  }

  start(): void {
    this.#child = spawn('nats-server', ['--config', this.#config], { stdio: 'ignore' });
    this.#over = once(this.#child, 'close');
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** By itself, as where another program has taken one of its ports. */
  get hasEnded(): boolean {
    return this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child?.kill(signal);
    await this.#over;
    this.#child = null;
  }
}

export interface Hub extends AsyncDisposable {
  readonly keys: string;
  readonly servers: readonly HubProcess[];
  folder(): KeyFolder;
  /** As `scripts/chain.sh store add`. @param more `--again` for a store that is there already */
  admit(name: string, ...more: string[]): Promise<JoinFile>;
  /** As the administrator of the chain's account. */
  asChain(): Promise<NatsConnection & AsyncDisposable>;
  /** As the administrator of a store's account at the hub. */
  asStore(name: string): Promise<NatsConnection & AsyncDisposable>;
  /** Whether all of its streams have a leader again. */
  ready(): Promise<void>;
}

const disposable = (connection: NatsConnection): NatsConnection & AsyncDisposable =>
  Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });

const MOST_ATTEMPTS = 3;

/** A hub that runs, with its streams. Other ports are tried where one was taken between its choice and its use. */
export async function startHub(count: 1 | 3 = 1): Promise<Hub> {
  for (let attempt = 1; ; attempt++) {
    const hub = await openHub(count);
    try {
      await hub.ready();
      return hub;
    } catch (error) {
      const mayBePorts = hub.servers.some(({ hasEnded }) => hasEnded);
      await hub[Symbol.asyncDispose]();
      if (!mayBePorts || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function openHub(count: 1 | 3): Promise<Hub> {
  const own = temporaryFolder();
  const keys = `${own.path}/keys`;
  const words: string[] = [];
  for (let number = 1; number <= count; number++) {
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
    words.push('--server', `hub-${number}=127.0.0.1@${ports.join()}`);
  }
  await chainCommand('init', '--keys', keys, '--name', 'fruit', '--here', ...words);
  const folder = (): KeyFolder => KeyFolder.open(keys);
  const servers = folder().keys.servers.map(({ name }) => new HubProcess(name, `${keys}/servers/${name}/nats.conf`));
  for (const server of servers) server.start();
  const streams = () => {
    const ended = servers.find(({ hasEnded }) => hasEnded);
    if (ended !== undefined) throw new Error(`${ended.name} has ended`);
    return chainCommand('streams', '--keys', keys, '--events-gb', '0.1').catch(() => null);
  };
  const hub: Hub = {
    keys,
    servers,
    folder,
    admit: async (name, ...more) => {
      await chainCommand('store', 'add', '--keys', keys, name, ...more);
      return JSON.parse(readFileSync(`${keys}/joins/${name}.json`, 'utf8'));
    },
    asChain: async () => disposable(await connectAs(folder().keys, pairOf(folder().keys.account))),
    asStore: async (name) => disposable(await connectAs(folder().keys, pairOf(folder().store(name).seed))),
    ready: async () => void (await until('the hub', streams)),
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server.stop();
      own[Symbol.dispose]();
    },
  };
  return hub;
}

/**
 * One hub for all tests of a suite, which take longer to start one than to do their work. @returns what gives it to a test, empty; a
 * store that an earlier test has admitted is let in anew.
 */
export function sharedHub(tests: Pick<Test, 'before' | 'after'>): () => Promise<Hub> {
  let shared: Hub | null = null;
  tests.before(async () => {
    if (NO_HUB === null) shared = await startHub();
  });
  tests.after(async () => {
    await shared?.[Symbol.asyncDispose]();
  });
  return async () => {
    if (shared === null) throw new Error('there is no hub here');
    const hub = shared;
    await using chain = await hub.asChain();
    const { streams } = await jetstreamManager(chain);
    for (const stream of [DOWN, EVENTS, STATES]) await streams.purge(stream);
    const known = new Set(hub.folder().stores.map(({ name }) => name));
    return { ...hub, admit: (name, ...more) => hub.admit(name, ...more, ...(known.has(name) ? ['--again'] : [])) };
  };
}

export const chainOf = async ({ url }: Lane) => (await call(`${url}/console/api/chain`)).body;

/** A master joins by the call that `lanectl chain join` makes, and is there. */
export async function joinChain(master: Lane, file: JoinFile): Promise<void> {
  const answer = await call(`${master.url}/console/api/chain`, { json: file });
  if (answer.status !== 200) throw new Error(answer.text);
  await until(`${master.serial} reaches the chain`, async () => (await chainOf(master)).connected);
}
