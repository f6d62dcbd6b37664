/** Who owns a token that a caller sends. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Rank } from '../call/ranks.ts';
import type { ApiConfig } from './config.ts';

/** The owners of tokens. */
export const ROLES = Object.freeze(['till', 'technician'] as const);
export type Role = (typeof ROLES)[number];

export interface NamedTill {
  readonly name: string;
  /** Whether the till also reaches the payments of others under `/v1`. */
  readonly everyPayment: boolean;
}

/** The owner of a token or session. */
export interface Owner {
  readonly role: Rank;
  /** The till; null for a token without a name. */
  readonly till: NamedTill | null;
}

/** Tokens made on the device, beside those of the configuration. */
export interface MadeTokens {
  readonly areAny: boolean;
  has(role: Role): boolean;
  /** @returns null for any other token */
  roleOf(secret: string): Role | null;
  /** A name for a token, made here or not, that can be stored in its place. */
  nameOf(secret: string): string;
  /** The owner of the token of this name; null for a token that was not made here. */
  roleNamed(name: string): Role | null;
}

interface Token {
  readonly owner: Owner;
  readonly digest: Buffer;
  readonly name: () => string;
}

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const AUTHORIZATION = /^(bearer|basic) +(.*)$/i;

/**
 * The secret of a bearer token, or the password from a browser's own dialogue; null for none. Programs send letters
 * beyond ASCII as UTF-8, which Node reads as one character a byte.
 */
export function secretOf(authorization = ''): string | null {
  const [, scheme, value = ''] = AUTHORIZATION.exec(authorization) ?? [];
  if (scheme === undefined) return null;
  if (scheme.toLowerCase() === 'bearer') return Buffer.from(value, 'latin1').toString('utf8');
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}

/** Holds the tokens of the configuration. */
export class Credentials {
  readonly #tokens: readonly Token[];
  readonly #made: MadeTokens;
  readonly #isToBeClaimed: boolean;

  /** `api.token` is the technician's: its name is from before there were two tokens. */
  constructor(
    { token, tokens, tills, claim }: Pick<ApiConfig, 'token' | 'tokens' | 'tills' | 'claim'>,
    made: MadeTokens,
  ) {
    this.#made = made;
    this.#isToBeClaimed = claim;
    const unnamed: readonly [Role, string | null][] = [
      ['technician', token],
      ['technician', tokens.technician],
      ['till', tokens.till],
    ];
    const tokenOf = (owner: Owner, secret: string): Token => ({
      owner,
      digest: digest(secret),
      name: () => made.nameOf(secret),
    });
    this.#tokens = [
      ...unnamed.flatMap(([role, secret]) => (secret === null ? [] : [tokenOf({ role, till: null }, secret)])),
      ...tills.map(({ name, token: secret, everyPayment = false }) =>
        tokenOf({ role: 'till', till: { name, everyPayment } }, secret),
      ),
    ];
  }

  /** Whether callers from the network must send a token. A device to be claimed has none at first. */
  get areAsked(): boolean {
    return this.#isToBeClaimed || this.#tokens.length > 0 || this.#made.areAny;
  }

  /**
   * The owner of a token. Compares every token in full, so that the duration reveals nothing.
   * @returns null for an unknown token
   */
  ownerOf(secret: string): Owner | null {
    const given = digest(secret);
    let owner: Owner | null = null;
    for (const token of this.#tokens) if (timingSafeEqual(given, token.digest)) owner = token.owner;
    const role = this.#made.roleOf(secret);
    return owner ?? (role && { role, till: null });
  }

  /** A name for a token that can be stored in its place. @throws the file system's error of storing the key */
  nameOf(secret: string): string {
    return this.#made.nameOf(secret);
  }

  /** The owner of the token of this name. @returns null where no token has this name any more */
  ownerNamed(name: string): Owner | null {
    const role = this.#made.roleNamed(name);
    return this.#tokens.find((token) => token.name() === name)?.owner ?? (role && { role, till: null });
  }

  /** Whether a token of the technician exists. */
  get hasTechnician(): boolean {
    return this.#tokens.some(({ owner }) => owner.role === 'technician') || this.#made.has('technician');
  }
}
