/** A hub of three real nodes, each on a disk of its own whose power can be cut, with the three lines that stores come by. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { Disk } from '../../disk.ts';
import { freePort } from '../../ports.ts';
import { ROOT } from '../../root.ts';
import { temporaryFolder, until } from '../../support.ts';
import { startWire } from '../../wire.ts';
import { Accounts } from './accounts.ts';
import { STREAMS, serverProcess } from './nats.ts';

/** Debian's knows no `sync_interval: always`. */
const PROGRAM = join(ROOT, 'node_modules/.nats-server/bin/nats-server');
export const NO_NEWER_SERVER = existsSync(PROGRAM) ? null : 'not installed: node scripts/setup.mjs --test chain';
const NODES = ['hub-1', 'hub-2', 'hub-3'] as const;

/** Of a line of `stat`: completed flushes (Documentation/block/stat.rst of Linux). */
const FLUSHES = 15;

const MOST_AT_ONCE = 500;
const FETCH_MS = 1000;

interface Node {
  readonly name: string;
  readonly port: number;
  readonly disk: Disk;
  readonly server: ReturnType<typeof serverProcess>;
  readonly line: Awaited<ReturnType<typeof startWire>>;
}

const restart = async ({ server, disk }: Node): Promise<void> => {
  await server.stop();
  disk.unplug();
  disk.plugIn();
  await server.start();
};

export class Hub implements AsyncDisposable {
  readonly accounts: Accounts;
  readonly nodes: readonly Node[];
  readonly #stack: AsyncDisposableStack;

  private constructor(accounts: Accounts, nodes: readonly Node[], stack: AsyncDisposableStack) {
    this.accounts = accounts;
    this.nodes = nodes;
    this.#stack = stack;
  }

  /** @param settings of JetStream, as its configuration has them */
  static async open(settings: string): Promise<Hub> {
    await using stack = new AsyncDisposableStack();
    const own = stack.use(temporaryFolder()).path;
    const accounts = new Accounts(own);
    const routes = await Promise.all(NODES.map(() => freePort()));
    const nodes: Node[] = [];
    for (const [at, name] of NODES.entries()) {
      const port = await freePort();
      const disk = stack.use(new Disk('512M'));
      const configuration = join(own, `${name}.conf`);
      writeFileSync(
        configuration,
        [
          `server_name: ${name}`,
          `listen: 127.0.0.1:${port}`,
          `jetstream: { store_dir: "${disk.mount}", ${settings} }`,
          `cluster: { name: hub, listen: 127.0.0.1:${routes[at]}, routes: [${routes.map((each) => `nats://127.0.0.1:${each}`)}] }`,
          ...accounts.lines,
        ].join('\n'),
      );
      const server = serverProcess(PROGRAM, configuration, async () => {
        const connection = await accounts.asAdministrator(port).catch(() => null);
        await connection?.close();
        return connection !== null;
      });
      stack.defer(() => server.stop());
      nodes.push({ name, port, disk, server, line: stack.use(await startWire(port)) });
    }
    await Promise.all(nodes.map(({ server }) => server.start()));
    const hub = new Hub(accounts, nodes, stack.move());
    await hub.makeStreams();
    return hub;
  }

  get urls(): string[] {
    return this.nodes.map(({ line }) => `nats://127.0.0.1:${line.port}`);
  }

  get diskBytes(): number {
    const { mount } = this.#first.disk;
    return Number(execFileSync('du', ['--summarize', '--block-size=1', mount], { encoding: 'utf8' }).split('\t')[0]);
  }

  /** How often that disk was flushed, of the kernel's count. */
  get flushes(): number {
    const figures = readFileSync(`/sys/block/${this.#first.disk.device}/stat`, 'utf8').trim().split(/\s+/);
    return Number(figures[FLUSHES]);
  }

  get #first(): Node {
    const [first] = this.nodes;
    if (first === undefined) throw new Error('a hub has nodes');
    return first;
  }

  /** A process of a node ends in the midst of its work, and is started again. */
  async kill({ server }: Node): Promise<void> {
    await server.stop();
    await server.start();
  }

  /** The power of some nodes goes at one moment, and comes back. */
  async losePower(nodes: readonly Node[]): Promise<void> {
    for (const { disk } of nodes) disk.cutPower();
    await Promise.all(nodes.map(restart));
  }

  /** What the stream of events holds, once it has a leader and all its copies are alike. */
  async whole(): Promise<StreamInfo> {
    return await until('three equal copies of the stream', async () => {
      const info = await this.#ask((manager) => manager.streams.info('EVENTS')).catch(() => null);
      const replicas = info?.cluster?.replicas ?? [];
      return replicas.length === 2 && replicas.every(({ current }) => current) ? info : null;
    });
  }

  /** Under which id each message of the stream of events was sent. */
  async names(): Promise<string[]> {
    const { state } = await this.whole();
    await using connection = await this.accounts.asAdministrator(this.#first.port);
    const consumer = await jetstream(connection).consumers.get('EVENTS');
    const found: string[] = [];
    while (found.length < state.messages)
      for await (const { headers } of await consumer.fetch({ max_messages: MOST_AT_ONCE, expires: FETCH_MS }))
        found.push(headers?.get('Nats-Msg-Id') ?? '');
    return found;
  }

  /** Makes those that are not there. */
  async makeStreams(): Promise<void> {
    const make = () =>
      this.#ask(async ({ streams }) => {
        for (const [name, { subjects, ...limits }] of Object.entries(STREAMS))
          await streams.add({ name, subjects: [...subjects], num_replicas: NODES.length, ...limits });
        return true;
      });
    await until('streams', () => make().catch(() => false)); // while the nodes are choosing a leader
    await this.whole();
  }

  async #ask<T>(work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>): Promise<T> {
    await using connection = await this.accounts.asAdministrator(this.#first.port);
    return await work(await jetstreamManager(connection));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
