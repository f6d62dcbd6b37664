/** The folder of a chain's keys: to have it is to be the chain. It never goes to a server. */
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, createOperator, fromSeed, type KeyPair } from '@nats-io/jwt';
import Type, { type Static } from 'typebox';
import { replaceFile } from '../../firmware/store/durable-file.ts';
import { problemsWith, sentence } from '../../firmware/store/schema.ts';
import { makeAuthority } from './certificates.ts';
import { ChainFailure } from './failures.ts';
import { readNamedJson } from './named-file.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const FILE = 'chain.json';
const OWNER_ONLY_FOLDER = 0o700;
const SECOND_MS = 1000;

const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const HubServer = Type.Object({
  name: Type.String(),
  /** Names and addresses that it is reached by; the first is given to stores and to the other servers. */
  hosts: Type.Array(Type.String(), { minItems: 1 }),
  /** Address that it listens on. */
  listen: Type.String(),
  ports: Type.Object({ client: Port, cluster: Port, leaf: Port, monitor: Port }),
});
export type HubServer = Readonly<Static<typeof HubServer>>;

const Store = Type.Object({
  name: Type.String(),
  /** Of its account. */
  seed: Type.String(),
  addedAt: Type.String(),
  removedAt: Type.Union([Type.String(), Type.Null()]),
  /** What was issued to it up to then opens nothing any more, s since 1970; absent: all that was issued counts. */
  revokedTo: Type.Optional(Type.Integer()),
  /** Public key of the user that was issued to it last, and when that was issued or renewed. Absent: none was. */
  leaf: Type.Optional(Type.Object({ user: Type.String(), at: Type.String() })),
});
export type StoreKeys = Readonly<Static<typeof Store>>;

/** A file that was issued to a reader: a name may have several, each with an account of its own at the hub. */
const Reader = Type.Object({
  name: Type.String(),
  /** Public key. */
  account: Type.String(),
  endsAt: Type.String(),
  /** When it was called back, s since 1970; null: it was not. */
  revokedAt: Type.Union([Type.Integer(), Type.Null()]),
});
export type ReaderKeys = Readonly<Static<typeof Reader>>;

const PemPair = Type.Object({ certificate: Type.String(), key: Type.String() });
const Keys = Type.Object({
  version: Type.Literal(1),
  chain: Type.String(),
  operator: Type.String(),
  system: Type.String(),
  account: Type.String(),
  authority: PemPair,
  /** Ed25519, PEM: what is sent down is signed with it. */
  signing: Type.Object({ publicKey: Type.String(), privateKey: Type.String() }),
  servers: Type.Array(HubServer),
  mirrorGib: Type.Number(),
  stores: Type.Array(Store),
  readerFiles: Type.Array(Reader),
});
export type Keys = Readonly<Static<typeof Keys>>;

export const pairOf = (seed: string): KeyPair => fromSeed(new TextEncoder().encode(seed));
const seedOf = (pair: KeyPair): string => new TextDecoder().decode(pair.getSeed());

const readKeys = (path: string): unknown =>
  readNamedJson(join(path, FILE), MAX_BYTES, 'take it from the copy of the folder that lies in a safe');

export class KeyFolder {
  readonly path: string;
  #keys: Keys;

  private constructor(path: string, keys: Keys) {
    this.path = path;
    this.#keys = keys;
  }

  /** @throws {ChainFailure} */
  static open(path: string): KeyFolder {
    const found = readKeys(path);
    if (found === undefined) throw new ChainFailure(`${path} holds no chain: scripts/chain.sh init makes one`);
    const [problem] = problemsWith(Keys, found);
    if (problem !== undefined) throw new ChainFailure(`${join(path, FILE)}: ${sentence(problem, 'the document')}`);
    return new KeyFolder(path, found as Keys);
  }

  /** @throws {ChainFailure} where there is one: its stores would all be lost */
  static async make(path: string, chain: string, servers: readonly HubServer[], mirrorGib: number): Promise<KeyFolder> {
    mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
    chmodSync(path, OWNER_ONLY_FOLDER);
    if (readKeys(path) !== undefined)
      throw new ChainFailure(`${path} holds a chain already: its keys are not made anew`);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const folder = new KeyFolder(path, {
      version: 1,
      chain,
      operator: seedOf(createOperator()),
      system: seedOf(createAccount()),
      account: seedOf(createAccount()),
      authority: await makeAuthority(chain),
      signing: {
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
      servers: [...servers],
      mirrorGib,
      stores: [],
      readerFiles: [],
    });
    folder.#save(folder.#keys);
    return folder;
  }

  get keys(): Keys {
    return this.#keys;
  }

  at(...names: string[]): string {
    return join(this.path, ...names);
  }

  /** Stores that were not removed. */
  get stores(): readonly StoreKeys[] {
    return this.#keys.stores.filter(({ removedAt }) => removedAt === null);
  }

  /** @throws {ChainFailure} */
  store(name: string): StoreKeys {
    const found = this.stores.find((store) => store.name === name);
    if (found === undefined)
      throw new ChainFailure(`the chain has no store ${name}: scripts/chain.sh store list names them`);
    return found;
  }

  /** A store that the chain does not have yet; `keep` has it belong to it. @throws {ChainFailure} */
  newStore(name: string): StoreKeys {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
      throw new ChainFailure(`${JSON.stringify(name)}: a store is called with letters, digits, _ and -`);
    if (this.stores.some((store) => store.name === name))
      throw new ChainFailure(
        `the chain has a store ${name} already: its file lies in ${this.at('joins', `${name}.json`)}. store add --again issues another, and what was issued before opens nothing any more`,
      );
    return { name, seed: seedOf(createAccount()), addedAt: new Date().toISOString(), removedAt: null };
  }

  keep(store: StoreKeys): void {
    this.#save({ ...this.#keys, stores: [...this.#keys.stores, store] });
  }

  /** Has nothing count that was issued to a store up to now. @throws {ChainFailure} */
  revokeStore(name: string): StoreKeys {
    const known = this.store(name);
    const revoked = { ...known, revokedTo: Math.max(known.revokedTo ?? 0, Math.floor(Date.now() / SECOND_MS)) };
    this.#change(known, revoked);
    return revoked;
  }

  /** @throws {ChainFailure} */
  keepLeaf(name: string, user: string): void {
    const known = this.store(name);
    this.#change(known, { ...known, leaf: { user, at: new Date().toISOString() } });
  }

  /** @throws {ChainFailure} */
  removeStore(name: string): void {
    const gone = this.store(name);
    this.#change(gone, { ...gone, removedAt: new Date().toISOString() });
  }

  /** Files of readers whose time is not over; the others open nothing anyway. */
  get readers(): readonly ReaderKeys[] {
    return this.#keys.readerFiles.filter(({ endsAt }) => Date.parse(endsAt) > Date.now());
  }

  keepReader(reader: ReaderKeys): void {
    this.#save({ ...this.#keys, readerFiles: [...this.readers, reader] });
  }

  /** Has no file count that was issued to a reader. @returns them @throws {ChainFailure} */
  revokeReader(name: string): ReaderKeys[] {
    if (!this.readers.some((each) => each.name === name))
      throw new ChainFailure(`no file of a reader ${name} is good: scripts/chain.sh reader list names them`);
    const now = Math.ceil(Date.now() / SECOND_MS);
    const readerFiles = this.readers.map((each) =>
      each.name === name ? { ...each, revokedAt: each.revokedAt ?? now } : each,
    );
    this.#save({ ...this.#keys, readerFiles });
    return readerFiles.filter((each) => each.name === name);
  }

  #change(from: StoreKeys, to: StoreKeys): void {
    this.#save({ ...this.#keys, stores: this.#keys.stores.map((store) => (store === from ? to : store)) });
  }

  #save(keys: Keys): void {
    replaceFile(join(this.path, FILE), `${JSON.stringify(keys, null, 2)}\n`);
    this.#keys = keys;
  }
}
