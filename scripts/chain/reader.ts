/**
 * A reader of what the stores report, who changes nothing: with the chain's keys, or with a file that was issued for no more.
 * What the stores are called lies at the hub for readers, signed, where no store reads it.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import Type, { type Static } from 'typebox';
import { ChainError } from '../../firmware/chain/errors.ts';
import { openDocument, type Place } from '../../firmware/chain/signed-document.ts';
import { DOWN, downAtHub } from '../../firmware/chain/subjects.ts';
import { problemsWith, sentence } from '../../firmware/store/schema.ts';
import { READER_API, READER_INBOX, readerCredentials } from './claims.ts';
import { documentAt, putDocument } from './down.ts';
import { ChainFailure } from './failures.ts';
import { clientAddresses, connectAs, connectTo, patiently, pushReader, withConnection } from './hub.ts';
import { KeyFolder, pairOf } from './keys.ts';
import { readNamedJson } from './named-file.ts';
import { managerOf } from './stored.ts';

const MAX_FILE_BYTES = 64 * 1024;

/** What `scripts/chain.sh reader add` writes. It holds a secret. */
const ReaderFile = Type.Object({
  kind: Type.Literal('laneware-chain-reader-1'),
  chain: Type.String(),
  name: Type.String(),
  /** Public key of its account at the hub. */
  account: Type.String(),
  servers: Type.Array(Type.String(), { minItems: 1 }),
  /** PEM. */
  authority: Type.String(),
  /** PEM. */
  signingKey: Type.String(),
  credentials: Type.String(),
  endsAt: Type.String(),
});
type ReaderFile = Readonly<Static<typeof ReaderFile>>;

/** Public keys of accounts, and what their stores are called. */
const Names = Type.Record(Type.String(), Type.String());
type Names = ReadonlyMap<string, string>;

export interface ChainReader {
  /** Where it asks; undefined of an administrator. */
  readonly api?: string;
  /** @throws {ChainFailure} */
  connect(): Promise<NatsConnection>;
  /** The stores of the chain at this moment. @throws {ChainFailure} */
  names(connection: NatsConnection): Promise<Names>;
}

const placeOf = (account: string): Place => ({ store: account, key: 'stores' });

export const namesIn = (folder: KeyFolder): Names =>
  new Map(folder.stores.map(({ name, seed }) => [pairOf(seed).getPublicKey(), name]));

/** Publishes to readers what the stores are called. @throws {ChainFailure} */
export async function publishNames(folder: KeyFolder): Promise<void> {
  const { keys } = folder;
  const body = JSON.stringify(Object.fromEntries(namesIn(folder)));
  const places = folder.readers.filter(({ revokedAt }) => revokedAt === null).map(({ account }) => placeOf(account));
  if (places.length === 0) return;
  const publish = async (connection: NatsConnection): Promise<void> => {
    for (const place of places) {
      const known = await documentAt(connection, keys, place);
      if (known?.body !== body)
        await putDocument(connection, keys, { place, body, on: known?.sequence ?? 0, now: Date.now() });
    }
  };
  await patiently(() => withConnection(keys, pairOf(keys.account), publish));
}

const namesAt = (file: ReaderFile) => async (connection: NatsConnection) => {
  const place = placeOf(file.account);
  const { direct } = await managerOf(connection, READER_API);
  const found = await direct.getMessage(DOWN, { last_by_subj: downAtHub(place.store, place.key) });
  if (found === null) return new Map<string, string>();
  try {
    const names: unknown = JSON.parse(openDocument(file.signingKey, place, found.data).body);
    if (problemsWith(Names, names).length === 0) return new Map(Object.entries(names as Static<typeof Names>));
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new ChainFailure(error.message, { cause: error });
  }
  throw new ChainFailure('the names of the stores are of another release: bring this clone up to date');
};

/** @param days for which it may read @returns what is written to a file of its owner alone @throws {ChainFailure} */
export async function makeReader(folder: KeyFolder, name: string, days: number): Promise<ReaderFile> {
  const { keys } = folder;
  const { credentials, endsAt: ends, account } = await readerCredentials(name, days);
  const endsAt = new Date(ends).toISOString();
  const reader = { name, account, endsAt, revokedAt: null };
  // what is not known here could not be called back
  folder.keepReader(reader);
  await pushReader(keys, reader);
  await publishNames(folder);
  return {
    kind: 'laneware-chain-reader-1',
    chain: keys.chain,
    name,
    account,
    servers: clientAddresses(keys),
    authority: keys.authority.certificate,
    signingKey: keys.signing.publicKey,
    credentials,
    endsAt,
  };
}

/** @throws {ChainFailure} */
export function readerOf(path: string): ChainReader {
  const found = readNamedJson(path, MAX_FILE_BYTES, 'scripts/chain.sh reader add makes another');
  if (found === undefined) throw new ChainFailure(`there is no ${path}: scripts/chain.sh reader add makes one`);
  const [problem] = problemsWith(ReaderFile, found);
  if (problem !== undefined) throw new ChainFailure(`${path}: ${sentence(problem, 'the document')}`);
  const file = found as ReaderFile;
  if (Date.parse(file.endsAt) <= Date.now())
    throw new ChainFailure(`${path} was good until ${file.endsAt}: scripts/chain.sh reader add makes another`);
  const connect = () => connectTo({ ...file, inboxPrefix: READER_INBOX });
  return { api: READER_API, connect, names: namesAt(file) };
}

/** One with the keys; they are read anew each time. @throws {ChainFailure} */
export function keeperOf(path: string): ChainReader {
  KeyFolder.open(path);
  return {
    connect: () => {
      const { keys } = KeyFolder.open(path);
      return connectAs(keys, pairOf(keys.account));
    },
    names: async () => namesIn(KeyFolder.open(path)),
  };
}
