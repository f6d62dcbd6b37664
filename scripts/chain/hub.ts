/** The hub while it runs: accounts are pushed to it, the chain's streams made, a store's templates mirrored. */
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { KeyPair } from '@nats-io/jwt';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { pause } from '../../drivers/lib/async.ts';
import { MAX_BODY_BYTES } from '../../firmware/chain/link.ts';
import {
  DOWN,
  downAtHub,
  EVENTS,
  MIRROR,
  MIRRORED,
  STATES,
  TEMPLATES_MIRROR,
  upAtHub,
} from '../../firmware/chain/subjects.ts';
import { streamOf } from '../../firmware/sync/centre/subjects.ts';
import { HUB_NAME } from './certificates.ts';
import { chainClaim, commandCredentials, readerClaim, storeClaim } from './claims.ts';
import { ChainFailure, isNotEnabled, isUnanswered, STREAM_NOT_FOUND } from './failures.ts';
import { type Keys, pairOf, type ReaderKeys, type StoreKeys } from './keys.ts';
import { addressAt } from './server-config.ts';

const CONNECT_LIMIT_MS = 5000;
const REQUEST_LIMIT_MS = 10_000;
const SECOND_NS = 1_000_000_000;
/** A payment that the chain has not fetched for so long is looked up in the ledgers of the lanes. */
const EVENT_DAYS = 30;
/** Who is sent the same again within it stores it once; each id costs memory for as long. */
const SAME_EVENT_HOURS = 2;
/** A device that was silent for so long is shown no more. */
const STATE_DAYS = 90;
const DAY_S = 86_400;
const HOUR_S = 3600;
const COPIES = 3;
const GIB = 1024 ** 3;
const EVENTS_GIB = 20;
/** Two words of some kB of each device. */
const STATES_GIB = 1;
/** Templates above all: 25,000 items of five crops. */
const DOWN_GIB = 4;
/** JSStreamCreateErrF. */
const STORE_NOT_MADE = 10_049;
const STORE_ATTEMPTS = 10;
const STORE_AGAIN_MS = 1000;
/** Within which the servers that are left choose another leader of a stream, with room. */
const LEADER_LIMIT_MS = 30_000;
const LEADER_AGAIN_MS = 1000;

export interface Access {
  readonly servers: readonly string[];
  /** PEM, of the servers' certificates. */
  readonly authority: string;
  readonly credentials: string;
  readonly inboxPrefix?: string;
}

/** @throws {ChainFailure} */
export async function connectTo({ servers, authority, credentials, inboxPrefix }: Access): Promise<NatsConnection> {
  const tls = { ca: authority, servername: HUB_NAME };
  try {
    return await connect({
      servers: [...servers],
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
      tls,
      timeout: CONNECT_LIMIT_MS,
      reconnect: false,
      ignoreClusterUpdates: true,
      ...(inboxPrefix !== undefined && { inboxPrefix }),
    });
  } catch (error) {
    throw new ChainFailure(`the hub (${servers.join(', ')}) does not let us in: ${String(error)}`, { cause: error });
  }
}

export const clientAddresses = ({ servers }: Keys): string[] =>
  servers.map((server) => addressAt(server, server.ports.client));

/** @param account whose administrator asks @throws {ChainFailure} */
export async function connectAs(keys: Keys, account: KeyPair): Promise<NatsConnection> {
  const credentials = await commandCredentials(account);
  return await connectTo({ servers: clientAddresses(keys), authority: keys.authority.certificate, credentials });
}

export async function withConnection<T>(
  keys: Keys,
  account: KeyPair,
  work: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectAs(keys, account);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/**
 * Does it again where a server went away in the middle of it.
 * @param work that may be done twice
 * @throws what it throws
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + LEADER_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      if (performance.now() >= end) throw error;
      await pause(LEADER_AGAIN_MS);
    }
  }
}

/** Has every server know an account, as it is from now on; one that is away asks the others when it comes back. @throws {ChainFailure} */
export async function pushStore(keys: Keys, { name, seed, revokedTo }: StoreKeys, isRemoved: boolean): Promise<void> {
  const [store, chain, operator] = [seed, keys.account, keys.operator].map(pairOf) as [KeyPair, KeyPair, KeyPair];
  const claim = await storeClaim({
    name,
    store,
    chain,
    operator,
    revokedTo: revokedTo ?? null,
    isRemoved,
    mirrorGib: keys.mirrorGib,
  });
  await pushClaim(keys, claim, `the account of ${name}`);
}

/** The same of a file of a reader, and of whether it was called back. @throws {ChainFailure} */
export async function pushReader(keys: Keys, { name, account, revokedAt }: ReaderKeys): Promise<void> {
  const [chain, operator] = [pairOf(keys.account), pairOf(keys.operator)];
  const claim = await readerClaim(name, { account, chain, operator, isRemoved: revokedAt !== null });
  await pushClaim(keys, claim, `the account of the reader ${name}`);
}

/** Has every server know what the chain's account lends to others, as this release has it. @throws {ChainFailure} */
export async function pushChain(keys: Keys): Promise<void> {
  const claim = await chainClaim(pairOf(keys.account), pairOf(keys.operator));
  await pushClaim(keys, claim, 'the account of the chain');
}

async function pushClaim(keys: Keys, claim: string, what: string): Promise<void> {
  const answer = await withConnection(keys, pairOf(keys.system), (connection) =>
    connection.request('$SYS.REQ.CLAIMS.UPDATE', claim, { timeout: REQUEST_LIMIT_MS }),
  );
  const { error } = answer.json<{ error?: { description?: string } }>();
  if (error !== undefined) throw new ChainFailure(`the hub does not take ${what}: ${error.description ?? ''}`);
}

const copiesOf = ({ servers }: Keys): number => Math.min(COPIES, servers.length);

async function found(manager: JetStreamManager, name: string): Promise<StreamInfo | null> {
  return await manager.streams.info(name).catch((error: unknown) => {
    if ((error as { code?: number }).code === STREAM_NOT_FOUND) return null;
    throw error;
  });
}

/** Bytes: what is asked for, else what the stream has, else as much as it gets at first. */
async function roomOf(manager: JetStreamManager, name: string, atFirst: number, asked?: number): Promise<number> {
  if (asked !== undefined) return Math.round(asked * GIB);
  return (await found(manager, name))?.config.max_bytes ?? atFirst * GIB;
}

async function put(
  manager: JetStreamManager,
  config: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  if ((await found(manager, config.name)) === null) await added(manager, config);
  else await manager.streams.update(config.name, config);
}

/**
 * A server of 2.9 that is just making an account now and then misses its folder ("could not create storage directory"), or its
 * JetStream: a moment later they are there.
 */
async function added(manager: JetStreamManager, config: Parameters<JetStreamManager['streams']['add']>[0]) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await manager.streams.add(config);
    } catch (error) {
      const isThat = error instanceof JetStreamApiError ? error.code === STORE_NOT_MADE : isNotEnabled(error);
      if (!isThat || attempt === STORE_ATTEMPTS) throw error;
      await pause(STORE_AGAIN_MS);
    }
  }
}

/** Room of streams in GiB, one copy of each; what is not named stays as it is at the hub. */
export interface Room {
  readonly eventsGb?: number;
  readonly downGb?: number;
}

/** The streams that stores write to and read from, made or brought up to date. */
export async function makeStreams(keys: Keys, { eventsGb, downGb }: Room): Promise<void> {
  await withConnection(keys, pairOf(keys.account), async (connection) => {
    const manager = await jetstreamManager(connection, { timeout: REQUEST_LIMIT_MS });
    const common = { storage: StorageType.File, num_replicas: copiesOf(keys), allow_direct: true };
    // a header of a store would otherwise empty a stream
    const closed = { allow_rollup_hdrs: false, max_msg_size: MAX_BODY_BYTES + 4096 };
    await put(manager, {
      ...{ ...common, ...closed, name: STATES, subjects: [upAtHub('*', 'state.>')] },
      ...{ max_msgs_per_subject: 1, max_age: STATE_DAYS * DAY_S * SECOND_NS },
      // a store that fills it drives out the oldest words: devices that are alive say theirs again
      max_bytes: STATES_GIB * GIB,
    });
    await put(manager, {
      ...{ ...common, ...closed, name: EVENTS, subjects: [upAtHub('*', 'event.>')] },
      // what there is no room for is not acknowledged, and stays where it is
      discard: DiscardPolicy.New,
      max_bytes: await roomOf(manager, EVENTS, EVENTS_GIB, eventsGb),
      max_age: EVENT_DAYS * DAY_S * SECOND_NS,
      duplicate_window: SAME_EVENT_HOURS * HOUR_S * SECOND_NS,
    });
    await put(manager, {
      // no document ends by its age: a store that was away reads what counts
      ...{ ...common, name: DOWN, subjects: ['down.>'], max_msgs_per_subject: 1, discard: DiscardPolicy.New },
      max_bytes: await roomOf(manager, DOWN, DOWN_GIB, downGb),
    });
  });
}

/** A copy of a store's templates in its own account at the hub, kept up to date by the hub. */
export async function makeMirror(keys: Keys, { seed }: StoreKeys): Promise<void> {
  await withConnection(keys, pairOf(seed), async (connection) => {
    const manager = await jetstreamManager(connection, { timeout: REQUEST_LIMIT_MS });
    const mirror = { name: streamOf('templates'), external: { api: MIRROR, deliver: MIRRORED } };
    await put(manager, {
      name: TEMPLATES_MIRROR,
      storage: StorageType.File,
      num_replicas: copiesOf(keys),
      allow_direct: true,
      mirror,
    });
  });
}

/** What an account that was cut off has said, and what was put down for it. */
export async function purgeAccount(keys: Keys, account: string): Promise<void> {
  const purge = async (connection: NatsConnection): Promise<void> => {
    const { streams } = await jetstreamManager(connection, { timeout: REQUEST_LIMIT_MS });
    for (const stream of [STATES, EVENTS]) await streams.purge(stream, { filter: upAtHub(account, '>') });
    await streams.purge(DOWN, { filter: downAtHub(account, '>') });
  };
  await patiently(() => withConnection(keys, pairOf(keys.account), purge));
}

/** With all that it held: who removes a store keeps nothing of it. */
export async function dropMirror(keys: Keys, { seed }: StoreKeys): Promise<void> {
  await withConnection(keys, pairOf(seed), async (connection) => {
    const manager = await jetstreamManager(connection, { timeout: REQUEST_LIMIT_MS });
    if ((await found(manager, TEMPLATES_MIRROR)) !== null) await manager.streams.delete(TEMPLATES_MIRROR);
  });
}
