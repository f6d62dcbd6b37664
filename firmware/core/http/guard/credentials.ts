/** The tokens of the configuration, and the owner of the one that a caller sends. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config/index.ts';
import type { Rank, Role } from './roles.ts';

export interface NamedTill {
  readonly name: string;
  /** Whether it reaches the payments of others under `/v1`, too. */
  readonly everyPayment: boolean;
}

/** The owner of a token or session. */
export interface Owner {
  readonly role: Rank;
  /** Null where the token has no name of its own. */
  readonly till: NamedTill | null;
}

/** Tokens that the device has made, beside those of the configuration. */
export interface MadeTokens {
  readonly areAny: boolean;
  has(role: Role): boolean;
  /** @returns null where it is none of them */
  roleOf(secret: string): Role | null;
  /** What stands for a token, made here or not, where it is not to be kept itself. */
  nameOf(secret: string): string;
  /** The owner of the token of this name; null where it is none that was made here. */
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
 * The secret of a bearer token, or the password of a browser's own dialogue; null where none is sent. Programs send letters
 * beyond ASCII as UTF-8, of which Node makes one character a byte.
 */
export function secretOf(authorization = ''): string | null {
  const [, scheme, value = ''] = AUTHORIZATION.exec(authorization) ?? [];
  if (scheme === undefined) return null;
  if (scheme.toLowerCase() === 'bearer') return Buffer.from(value, 'latin1').toString('utf8');
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}

export class Credentials {
  readonly #tokens: readonly Token[];
  readonly #made: MadeTokens;
  readonly #isToBeClaimed: boolean;

  /** `api.token` is the technician's: the name from before there were two. */
  constructor(
    { token, tokens, tills, claim }: Pick<Config['api'], 'token' | 'tokens' | 'tills' | 'claim'>,
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

  /** Whether callers from the network are asked for a token at all. A device that is to be claimed has none at first. */
  get areAsked(): boolean {
    return this.#isToBeClaimed || this.#tokens.length > 0 || this.#made.areAny;
  }

  /** Compares all of every token, so that its duration reveals nothing. @returns null where no one has it */
  ownerOf(secret: string): Owner | null {
    const given = digest(secret);
    let owner: Owner | null = null;
    for (const token of this.#tokens) if (timingSafeEqual(given, token.digest)) owner = token.owner;
    const role = this.#made.roleOf(secret);
    return owner ?? (role && { role, till: null });
  }

  /** What stands for a token where it is not to be kept itself. @throws the file system's error, where the key of the device cannot be kept */
  nameOf(secret: string): string {
    return this.#made.nameOf(secret);
  }

  /** @returns null where no token has this name any more */
  ownerNamed(name: string): Owner | null {
    const role = this.#made.roleNamed(name);
    return this.#tokens.find((token) => token.name() === name)?.owner ?? (role && { role, till: null });
  }

  /** Whether a token of the technician exists. */
  get hasTechnician(): boolean {
    return this.#tokens.some(({ owner }) => owner.role === 'technician') || this.#made.has('technician');
  }
}
