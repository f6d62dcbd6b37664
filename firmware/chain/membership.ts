/**
 * What this device keeps of the chain that its store has joined: durable, with the credential sealed. `nats-server` reads
 * the credential from a file, which lies where the system keeps nothing over a restart, for its owner alone, and goes when
 * the device closes.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import {
  isStoreError,
  JsonStore,
  jsonFitting,
  makeFolder,
  replaceFile,
  type Sealer,
  StoredInstant,
} from '../store/index.ts';
import { JoinFile } from './join-file.ts';

const SEAL_PURPOSE = 'chain';
const CREDENTIALS_FILE = 'chain.creds';
const AUTHORITY_FILE = 'chain-authority.pem';
const OWNER_ONLY = 0o600;
const SECOND_MS = 1000;
const TOKEN = /^(-----BEGIN NATS USER JWT-----\n)([^\n]+)/;

/** Of the token in a credential. Seconds since 1970. */
const Claim = Type.Object({ sub: Type.String(), iat: Type.Integer(), exp: Type.Integer() });
type Claim = Readonly<Static<typeof Claim>>;

/** Null for what is no token. The hub checks who has signed it. */
const claimIn = (token: string): Claim | null =>
  jsonFitting(Claim, Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const Member = Type.Object({
  ...JoinFile.properties,
  /** Sealed. */
  credentials: Type.String(),
  joinedAt: StoredInstant,
});
const Stored = Type.Object({ member: Type.Union([Member, Type.Null()]) });

export type Member = Omit<Static<typeof Member>, 'credentials'>;

/** What leads `nats-server` to the chain. */
export interface ChainFiles {
  readonly urls: readonly string[];
  readonly caFile: string;
  readonly credentials: string;
}

interface MembershipOptions {
  readonly path: string;
  /** Of what is forgotten with a restart of the machine. */
  readonly runtimeFolder: string;
  readonly sealer: Sealer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Where systemd gives a folder in memory, that; else one beside the data. */
export function runtimeFolderOf(env: NodeJS.ProcessEnv, beside: string): string {
  const [folder = ''] = env.RUNTIME_DIRECTORY?.split(':') ?? [];
  return folder === '' ? beside : join(folder, 'chain');
}

export class Membership {
  readonly #options: MembershipOptions;
  readonly #store: JsonStore<Static<typeof Stored>>;
  #files: ChainFiles | null = null;
  #claim: Claim | null = null;
  #problem: string | null;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#store = JsonStore.open(options.path, Stored, { member: null });
    this.#problem = this.#store.problem === null ? null : `chain.json was damaged (${this.#store.problem})`;
    this.#layOut();
  }

  get member(): Member | null {
    const { member } = this.#store.value;
    if (member === null) return null;
    const { credentials: _secret, ...open } = member;
    return open;
  }

  /** Null where the store has joined no chain, or its credential cannot be opened. */
  get files(): ChainFiles | null {
    return this.#files;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** @throws the file system's error; nothing has changed then */
  join(file: JoinFile): void {
    const { sealer, now } = this.#options;
    const credentials = sealer.seal(file.credentials, SEAL_PURPOSE);
    this.#store.write({ member: { ...file, credentials, joinedAt: now() } });
    this.#problem = null;
    this.#layOut();
  }

  /** When the credential ends, ms since 1970; null: there is none. */
  get endsAt(): number | null {
    return this.#claim === null ? null : this.#claim.exp * SECOND_MS;
  }

  /** Whether half of its time is over. */
  get isDue(): boolean {
    if (this.#claim === null) return false;
    const { iat, exp } = this.#claim;
    return this.#options.now() >= ((iat + exp) / 2) * SECOND_MS;
  }

  /**
   * Takes another token for the user that it has, which ends later. `nats-server` reads it when it connects the next time.
   * @throws the file system's error; nothing has changed then
   */
  renew(token: string): void {
    const { member } = this.#store.value;
    const claim = claimIn(token);
    if (member === null || claim === null || this.#claim === null) return;
    if (claim.sub !== this.#claim.sub || claim.exp <= this.#claim.exp) return;
    const { sealer } = this.#options;
    const secret = sealer.open(member.credentials, SEAL_PURPOSE).replace(TOKEN, `$1${token}`);
    this.#store.write({ member: { ...member, credentials: sealer.seal(secret, SEAL_PURPOSE) } });
    this.#layOut();
  }

  /** @throws the file system's error */
  leave(): void {
    this.#store.write({ member: null });
    this.#problem = null;
    this.close();
  }

  close(): void {
    this.#files = null;
    this.#claim = null;
    for (const file of [CREDENTIALS_FILE, AUTHORITY_FILE]) rmSync(this.#at(file), { force: true });
  }

  #at(file: string): string {
    return join(this.#options.runtimeFolder, file);
  }

  #layOut(): void {
    const { member } = this.#store.value;
    if (member === null) {
      // of a process before this one that was killed
      if (existsSync(this.#options.runtimeFolder)) this.close();
      return;
    }
    try {
      const secret = this.#options.sealer.open(member.credentials, SEAL_PURPOSE);
      makeFolder(this.#options.runtimeFolder);
      replaceFile(this.#at(CREDENTIALS_FILE), secret, OWNER_ONLY);
      replaceFile(this.#at(AUTHORITY_FILE), member.authority, OWNER_ONLY);
      this.#files = {
        urls: member.servers.map((server) => `tls://${server}`),
        caFile: this.#at(AUTHORITY_FILE),
        credentials: this.#at(CREDENTIALS_FILE),
      };
      this.#claim = claimIn(TOKEN.exec(secret)?.[2] ?? '');
    } catch (error) {
      if (!isStoreError(error, 'SEAL_BROKEN')) throw error;
      this.#problem = 'the credential of the chain was sealed with another key: join it anew';
    }
  }
}
