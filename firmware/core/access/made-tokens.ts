/**
 * Stores the tokens made on the device itself, for people who cannot write its configuration: as digests that only
 * this device can make, so that a copy of the data folder opens nothing; a reset removes them with the folder and the
 * key.
 */
import { timingSafeEqual } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { JsonStore } from '../files/index.ts';
import { inGroups, randomCharacters } from '../host/index.ts';
import { ROLES, type Role } from '../http/index.ts';
import { ofAnotherKey, type Sealer } from '../secrets/index.ts';
import { ClaimError } from './errors.ts';

const PURPOSE = 'token';
/** 120 bits. */
const CHARACTERS = 24;

const Digest = Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]);
const Schema = Type.Object({
  /** The name of the key of the digests; null before the first. */
  key: Type.Union([Type.String(), Type.Null()]),
  technician: Digest,
  till: Digest,
});
type Digests = Static<typeof Schema>;

export class MadeTokens {
  readonly #store: JsonStore<Digests>;
  readonly #digest: (token: string) => Buffer;
  readonly #sealer: Pick<Sealer, 'name'>;
  readonly #configured: readonly string[];
  #onChange: () => void = () => undefined;

  /** @param configured the tokens of the configuration, which cannot be made here */
  constructor(path: string, sealer: Pick<Sealer, 'digest' | 'name'>, configured: readonly string[] = []) {
    this.#configured = configured;
    this.#sealer = sealer;
    const none = { key: null, technician: null, till: null };
    this.#store = JsonStore.open(path, Schema, none, (stored) => ofAnotherKey(stored, sealer));
    this.#digest = (token) => sealer.digest(token, PURPOSE);
  }

  /** The problem of the stored digests at start; null for none. */
  get problem(): string | null {
    return this.#store.found === 'lost' ? this.#store.problem : null;
  }

  /** @param changed called for each token that is made or revoked */
  onChange(changed: () => void): void {
    this.#onChange = changed;
  }

  get areAny(): boolean {
    return ROLES.some((role) => this.has(role));
  }

  has(role: Role): boolean {
    return this.#store.value[role] !== null;
  }

  /** The owner of a token. Compares every token in full, so that the duration reveals nothing. */
  roleOf(secret: string): Role | null {
    if (!this.areAny) return null;
    const given = this.#digest(secret);
    let found: Role | null = null;
    for (const role of ROLES) {
      const digest = this.#store.value[role];
      if (digest !== null && timingSafeEqual(given, Buffer.from(digest, 'hex'))) found = role;
    }
    return found;
  }

  /** A name for a token, made here or not, that can be stored in its place. @throws the file system's error */
  nameOf(secret: string): string {
    return this.#digest(secret).toString('hex');
  }

  /** The owner of the token of this name; null for a token that was not made here. */
  roleNamed(name: string): Role | null {
    return ROLES.find((role) => this.#store.value[role] === name) ?? null;
  }

  /**
   * Makes a token, and voids the one before.
   * @param wanted a token that somebody has chosen; null: make one up
   * @returns the token, which is stored nowhere
   * @throws {ClaimError} `TokenInUse` @throws the file system's error: nothing has changed then
   */
  async make(role: Role, wanted: string | null = null): Promise<string> {
    const token = wanted ?? inGroups(randomCharacters(CHARACTERS));
    const owner = this.roleOf(token);
    if (this.#configured.includes(token) || (owner !== null && owner !== role))
      throw new ClaimError('TokenInUse', 'another one has this token: choose a different one');
    this.#write(role, this.#digest(token).toString('hex'));
    return token;
  }

  /** Revokes the token of a role. @throws the file system's error: nothing has changed then */
  async revoke(role: Role): Promise<void> {
    this.#write(role, null);
  }

  #write(role: Role, digest: string | null): void {
    this.#store.write({ ...this.#store.value, key: this.#sealer.name, [role]: digest });
    this.#onChange();
  }
}
