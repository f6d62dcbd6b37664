/** The figures of all devices of a chain for Prometheus: read at the hub, shown at `/metrics`. */

import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import Fastify, { type FastifyInstance } from 'fastify';
import { pause } from '../../drivers/lib/async.ts';
import { messageOf } from '../../drivers/lib/errors.ts';
import { linesOf } from './exposition.ts';
import type { ChainReader } from './reader.ts';
import { countsOf, reportOf } from './templates/status.ts';
import { DeviceWatch, type WatchedDevice } from './watch.ts';

const RETRY_MS = 5000;
const MS = 1000;
/** Devices whose figures are unpacked in one turn: somebody else may ask meanwhile. */
const AT_ONCE = 50;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** `?part=1/4`: a Prometheus each for a part of a large chain. */
const PART = { type: 'string', pattern: '^[1-9][0-9]{0,2}/[1-9][0-9]{0,2}$' } as const;

interface ExporterOptions {
  readonly reader: ChainReader;
  readonly now: () => number;
  readonly warn: (message: string) => void;
}

/** Every so many-th store, beginning with a certain one. @param text as `1/4` */
function choose(text: string | undefined): (index: number) => boolean {
  const [which = 1, of = 1] = (text ?? '1/1').split('/').map(Number);
  return (index) => index % of === which - 1;
}

export class Exporter {
  readonly #options: ExporterOptions;
  readonly #watch: DeviceWatch;
  readonly #closing = new AbortController();
  #connection: NatsConnection | null = null;
  #names: ReadonlyMap<string, string> = new Map();
  #isCaughtUp = false;
  #running: Promise<void> | null = null;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#watch = new DeviceWatch(options.warn, options.now);
  }

  /** @returns the server; it does not listen yet */
  start(): FastifyInstance {
    this.#running ??= this.#keepFollowing();
    const app = Fastify();
    app.get<{ Querystring: { part?: string } }>(
      '/metrics',
      { schema: { querystring: { type: 'object', properties: { part: PART } } } },
      async (request, reply) => reply.type(CONTENT_TYPE).send(Readable.from(this.#figures(request.query.part))),
    );
    app.addHook('onClose', () => this.#close());
    return app;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await this.#connection?.close();
    await this.#running;
  }

  async #keepFollowing(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        this.#connection = await this.#options.reader.connect();
        await this.#learnNames(this.#connection);
        const isCaughtUp = () => {
          this.#isCaughtUp = true;
        };
        await this.#watch.follow(this.#connection, isCaughtUp, this.#options.reader.api);
      } catch (error) {
        if (!signal.aborted) this.#options.warn(`the hub is not followed: ${messageOf(error)}`);
      }
      this.#isCaughtUp = false;
      await this.#connection?.close();
      await pause(RETRY_MS, signal);
    }
  }

  async #learnNames(connection: NatsConnection): Promise<void> {
    this.#names = await this.#options.reader.names(connection);
  }

  /** In pieces. Of a hub that is not followed nothing is shown: what devices reported before would stand there for ever. */
  async *#figures(part: string | undefined): AsyncGenerator<string> {
    yield `laneware_chain_exporter_connected ${Number(this.#isCaughtUp)}\n`;
    if (!this.#isCaughtUp) return;
    const isChosen = choose(part);
    const { devices: heard } = this.#watch;
    // a store that was added meanwhile; what a removed one has said stays at the hub, and asks each time
    const isNew = heard.some(({ account }) => !this.#names.has(account));
    if (isNew && this.#connection !== null) await this.#learnNames(this.#connection);
    const stores = [...byStore(heard, this.#names)].sort(([a], [b]) => (a < b ? -1 : 1));
    const now = this.#options.now();
    let count = 0;
    for (const [index, [store, devices]] of stores.entries()) {
      if (!isChosen(index)) continue;
      yield `laneware_chain_store_devices{store="${store}"} ${devices.length}\n`;
      yield* descriptionOf(store, devices);
      for (const device of devices) {
        yield `${linesOf(device, store, now).join('\n')}\n`;
        if (++count % AT_ONCE === 0) await nextTurn();
      }
    }
  }
}

/** What a store has of the chain's description. */
function* descriptionOf(store: string, devices: readonly WatchedDevice[]): Generator<string> {
  const { report } = reportOf(devices) ?? {};
  if (report === undefined) return;
  yield `laneware_chain_store_description_timestamp_seconds{store="${store}"} ${report.description.number / MS}\n`;
  for (const [state, count] of Object.entries(countsOf(report)))
    yield `laneware_chain_store_items{store="${store}",state="${state}"} ${count}\n`;
}

/** What an account that is no store of the chain has said is left out: a store that was removed. */
function byStore(devices: readonly WatchedDevice[], names: ReadonlyMap<string, string>): Map<string, WatchedDevice[]> {
  const stores = new Map<string, WatchedDevice[]>();
  for (const device of devices) {
    const store = names.get(device.account);
    if (store === undefined) continue;
    const known = stores.get(store);
    if (known === undefined) stores.set(store, [device]);
    else known.push(device);
  }
  return stores;
}
