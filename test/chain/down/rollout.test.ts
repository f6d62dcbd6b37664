/**
 * A release through a real hub to a hundred lanes, by the commands of a person and the steps of a timer: a bad one
 * reaches the first ring and stops by itself, a good one all. Each lane reports as devices do, and installs what
 * the channel, read and judged as a device does, offers it. Hours are made up.
 */
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHANNEL, ChannelSchema, offeredTo } from '../../../firmware/chain/channel.ts';
import type { Inventory } from '../../../firmware/chain/inventory.ts';
import { INVENTORY } from '../../../firmware/chain/reporter.ts';
import { SignedReader } from '../../../firmware/chain/signed-reader.ts';
import { DOWN, downAtHub, upAtHub } from '../../../firmware/chain/subjects.ts';
import { fits } from '../../../firmware/store/schema.ts';
import { encodePart } from '../../../firmware/sync/centre/subjects.ts';
import { pairOf } from '../../../scripts/chain/keys.ts';
import { RolloutDesk } from '../../../scripts/chain/rollout/rollout.ts';
import { DeviceWatch } from '../../../scripts/chain/watch.ts';
import { needing } from '../../needing.ts';
import { temporaryFolder } from '../../support.ts';
import { chainCommand, type Hub, NO_HUB, startHub } from '../hub.ts';
import { HOUR_MS } from './lanes.ts';

const rollouts = suite('chain: a release to a hundred lanes');
const test = needing(NO_HUB, 'chain: a release to a hundred lanes', rollouts);

const STORES = 10;
const LANES_OF_A_STORE = 10;
const ALL = STORES * LANES_OF_A_STORE;
const FIRST = '1.0.0';
const BAD = '1.1.0';
const GOOD = '1.2.0';

/** What a lane is, as far as its chain can see. */
class SimulatedLane {
  readonly account: string;
  readonly serial: string;
  version = FIRST;
  undone: string[] = [];
  readonly offered = new Set<string>();

  constructor(account: string, serial: string) {
    this.account = account;
    this.serial = serial;
  }

  /** What its updater does with an offer. */
  take(version: string | null): void {
    if (version === null || version === this.version || this.undone.includes(version)) return;
    this.offered.add(version);
    if (version === BAD) this.undone = [...this.undone, version];
    else [this.version, this.undone] = [version, []];
  }

  inventory(): Inventory {
    const { serial, version, undone } = this;
    const counts = { items: 1, templates: 1, openPayments: 0 };
    const lasting = { instance: serial, role: 'standalone', state: 'ok', sales: 'sells' } as const;
    return { format: 1, serial, version, undone, offered: '', ...lasting, parts: [], counts, uptimeSeconds: 1, at: '' };
  }
}

/** A chain of lanes in made-up time. */
class SimulatedChain {
  readonly lanes: readonly SimulatedLane[];
  readonly desk: RolloutDesk;
  readonly #hub: Hub;
  readonly #connection: NatsConnection;
  readonly #readers: readonly SignedReader[];
  #ahead = 0;

  constructor(hub: Hub, connection: NatsConnection, folder: string) {
    this.#hub = hub;
    this.#connection = connection;
    const accounts = hub.folder().stores.map(({ seed }) => pairOf(seed).getPublicKey());
    this.lanes = accounts.flatMap((account, store) =>
      Array.from({ length: LANES_OF_A_STORE }, (_, lane) => new SimulatedLane(account, `LW${store}-${lane}`)),
    );
    const link = { read: () => this.#channel() };
    this.#readers = this.lanes.map(({ serial }) => new SignedReader({ path: join(folder, serial), link }));
    this.desk = new RolloutDesk(
      connection,
      hub.folder().keys,
      () => this.#heard(),
      () => this.#now(),
    );
  }

  /** Every lane looks at the channel, tries what it is offered, and reports; then the time of a step comes. */
  async hours(hours: number): Promise<string> {
    const { publicKey: signingKey } = this.#hub.folder().keys.signing;
    for (const [at, lane] of this.lanes.entries()) {
      const body = await this.#readers[at]?.read('all', CHANNEL, { account: lane.account, signingKey });
      const channel: unknown = JSON.parse(body ?? 'null');
      if (!fits(ChannelSchema, channel)) throw new Error('the channel is none');
      lane.take(offeredTo(channel, lane)?.version ?? null);
    }
    await this.report();
    this.#ahead += hours * HOUR_MS;
    return (await this.desk.step()).rollout.phase;
  }

  async report(): Promise<void> {
    const stream = jetstream(this.#connection);
    await Promise.all(
      this.lanes.map((lane) => {
        const subject = upAtHub(lane.account, `state.${encodePart(lane.serial)}.${INVENTORY}`);
        return stream.publish(subject, JSON.stringify(lane.inventory()));
      }),
    );
  }

  running(version: string): number {
    return this.lanes.filter((lane) => lane.version === version).length;
  }

  offered(version: string): number {
    return this.lanes.filter((lane) => lane.offered.has(version)).length;
  }

  #now(): number {
    return Date.now() + this.#ahead;
  }

  /** The lanes as heard by the hub: they have reported in all the time between. */
  async #heard() {
    const watch = new DeviceWatch((message) => assert.unreachable(message));
    await watch.read(this.#connection);
    return watch.devices.map((device) => ({ ...device, heardAt: device.heardAt + this.#ahead }));
  }

  async #channel() {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const manager = await jetstreamManager(this.#connection);
    const found = await manager.streams.getMessage(DOWN, { last_by_subj: downAtHub(null, CHANNEL) });
    return found === null ? null : { data: found.data, sequence: found.seq };
  }
}

test('a bad release reaches the first ring of a hundred lanes and stops by itself; a good one reaches all', async () => {
  using folder = temporaryFolder();
  await using hub = await startHub();
  for (let store = 1; store <= STORES; store++) await hub.admit(`S${store}`);
  await using connection = await hub.asChain();
  const rollout = (...words: readonly string[]) => chainCommand('rollout', ...words, '--keys', hub.keys);
  const chain = new SimulatedChain(hub, connection, folder.path);
  assert.is(chain.lanes.length, ALL);
  await chain.report();

  assert.match(await rollout('start', BAD), /first ring/);
  assert.match(
    await rollout('status'),
    /1\.1\.0 is running: a step would say: ring 1 of 3, 1 devices: 1 still without it/,
  );
  assert.is(await chain.hours(1), 'held');
  for (let day = 0; day < 5; day++) assert.is(await chain.hours(24), 'held');
  assert.is(chain.offered(BAD), 1, 'ninety-nine lanes never saw it');
  assert.is(chain.running(FIRST), ALL);
  assert.match(await rollout('status'), /1\.1\.0 is held: 1 of 1 devices that tried it have undone it/);
  assert.match(await rollout('start', GOOD).catch(String), /stop it first/);

  await rollout('stop');
  assert.match(await rollout('start', BAD).catch(String), /not newer/);
  await rollout('start', GOOD, '--rings', '1,10,100', '--soak', '24h', '--most-undone', '2');
  const reached: number[] = [];
  for (let step = 0; step < 20; step++) {
    const phase = await chain.hours(13);
    if (chain.running(GOOD) !== reached.at(-1)) reached.push(chain.running(GOOD));
    if (phase === 'done') break;
  }
  assert.equal(reached, [1, 10, ALL]);
  assert.match(await rollout('status'), /1\.2\.0 is done/);
  assert.is(chain.offered(BAD), 1);
});

test('who is held goes on by a word of a person, and two persons see the same', async () => {
  using folder = temporaryFolder();
  await using hub = await startHub();
  await hub.admit('S1');
  await using connection = await hub.asChain();
  const rollout = (...words: readonly string[]) => chainCommand('rollout', ...words, '--keys', hub.keys);
  const chain = new SimulatedChain(hub, connection, folder.path);
  assert.match(await rollout('status').catch(String), /nothing was rolled out yet/);
  assert.match(await rollout('start', GOOD).catch(String), /no device that follows the channel has been heard/);
  await chain.report();
  await rollout('start', GOOD, '--rings', '100');
  await rollout('hold');
  assert.match(await rollout('step').catch(({ stdout }) => stdout), /1\.2\.0 is held: a person has held it/);
  await chain.hours(1);
  assert.is(chain.running(GOOD), 0);
  assert.match(await rollout('hold').catch(String), /is held, and not running/);
  await rollout('go');
  await chain.hours(1);
  assert.is(chain.running(GOOD), LANES_OF_A_STORE);
  assert.match(await rollout('start', GOOD, '--rings', '1,10').catch(String), /percents that grow/);

  // somebody who has the hub, and not the key
  await jetstream(connection).publish(downAtHub(null, CHANNEL), JSON.stringify({ format: 1, offers: [] }));
  assert.match(await rollout('status').catch(String), /not signed by this chain/);
  await rollout('start', '1.3.0', '--rings', '100');
  await chain.hours(1);
  assert.is(chain.running('1.3.0'), LANES_OF_A_STORE);
});

rollouts.run();
