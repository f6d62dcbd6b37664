/** What is put down for stores: signed with the chain's key, numbered, and announced. */
import { JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ChainError } from '../../firmware/chain/errors.ts';
import { openDocument, type Place, sealDocument } from '../../firmware/chain/signed-document.ts';
import { DOWN, downAtHub, newsAtHub } from '../../firmware/chain/subjects.ts';
import { ChainFailure } from './failures.ts';
import type { Keys } from './keys.ts';

/** JSStreamWrongLastSequenceErrF. */
const WRONG_SEQUENCE = 10_071;

interface Put {
  /** Null where something lies there that the chain has not signed: somebody else writes at the hub. */
  readonly body: string | null;
  /** Its number in the hub's stream: the next change names it. 0: nothing is there yet. */
  readonly sequence: number;
}

interface Newest extends Put {
  readonly number: number;
}

async function newestAt(connection: NatsConnection, { signing }: Keys, place: Place): Promise<Newest> {
  const manager = await jetstreamManager(connection);
  const subject = downAtHub(place.store, place.key);
  // of the leader: a copy that is behind would name a sequence that is none any more
  const found = await manager.streams.getMessage(DOWN, { last_by_subj: subject });
  if (found === null) return { body: '', number: 0, sequence: 0 };
  try {
    return { ...openDocument(signing.publicKey, place, found.data), sequence: found.seq };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { body: null, number: 0, sequence: found.seq };
  }
}

/** Null where there is nothing. @throws the library's error */
export async function documentAt(connection: NatsConnection, keys: Keys, place: Place): Promise<Put | null> {
  const { body, sequence } = await newestAt(connection, keys, place);
  return sequence === 0 ? null : { body, sequence };
}

/**
 * Puts a document down in place of what is there.
 * @param on the sequence that it is a change of: somebody else may have put another one there meanwhile
 * @param now ms since 1970; numbers begin there, so that they grow although a hub has lost everything
 * @throws {ChainFailure} where it is a change of something else; nothing has changed then
 * @throws the library's error
 */
export async function putDocument(
  connection: NatsConnection,
  keys: Keys,
  { place, body, on, now }: { place: Place; body: string; on: number; now: number },
): Promise<void> {
  const newest = await newestAt(connection, keys, place);
  if (newest.sequence !== on) throw changedMeanwhile(place);
  const sealed = sealDocument(keys.signing.privateKey, place, { number: Math.max(newest.number + 1, now), body });
  try {
    const expect = { lastSubjectSequence: on };
    const { seq } = await jetstream(connection).publish(downAtHub(place.store, place.key), sealed, { expect });
    // three servers of 2.9 now and then take two at one moment: the one that was written over fails
    if ((await newestAt(connection, keys, place)).sequence !== seq) throw changedMeanwhile(place);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_SEQUENCE) throw changedMeanwhile(place, error);
    throw error;
  }
  await announce(connection, place);
}

/** Devices that hear it read what lies there. */
export async function announce(connection: NatsConnection, { store, key }: Place): Promise<void> {
  connection.publish(newsAtHub(store, key));
  await connection.flush();
}

const changedMeanwhile = ({ key }: Place, cause?: unknown): ChainFailure =>
  new ChainFailure(`somebody else has changed ${key} at this moment: look how it is, and try again`, { cause });
