/** Finds the caller and its rights: a program of this machine, the owner of a token, a person signed in at a page. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from '../../audit/index.ts';
import { isLoopback } from '../../config/index.ts';
import { HttpFailure } from '../call/failure.ts';
import { isPermitted, type Opener, type Rank } from '../call/ranks.ts';
import { plainAddress } from './authority.ts';
import type { ApiConfig } from './config.ts';
import { Credentials, type MadeTokens, type NamedTill, type Owner, secretOf } from './credentials.ts';
import { type Caller, OriginChecks } from './origin-checks.ts';
import {
  cookieOf,
  isChange,
  isOfBrowser,
  isOwnPages,
  NO_SESSIONS,
  type PageSession,
  type PageSessions,
} from './page-sessions.ts';

/** How a caller came in: from this machine, by a token or a session, or without one where none is required. */
export interface Entry {
  readonly credential: 'loopback' | Rank | 'none';
  /** The till of `api.tills` whose token it is. */
  readonly till: NamedTill | null;
  /** How the person at the calling page signed in; null where the call itself had a token, or none. */
  readonly signedInBy: PageSession['by'] | null;
}

const ASKS_FOR_TOKEN =
  'this device asks callers from the network for its token: send "Authorization: Bearer <token>", of api.tokens, api.tills or api.token, or the one that was made at /claim';

const ASKS_WHO =
  'this device asks everyone at its pages to sign in: open it in a browser, and sign in with a PIN or a token';

/** Sentences for a person at a page, by the rank that may do the refused act. */
const SIGN_IN_AS: Readonly<Record<Rank, string>> = {
  till: 'sign in to do this',
  supervisor: "this is a supervisor's or the technician's: sign in as supervisor or as technician to do it",
  technician: "this is the technician's: sign in as technician to do it",
};

const NONE_MADE: MadeTokens = {
  areAny: false,
  has: () => false,
  roleOf: () => null,
  nameOf: () => '',
  roleNamed: () => null,
};

/** Headers of proxies: a proxy on this machine forwards calls from anywhere; most say so in one of these. */
const PASSED_ON = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

/** Whether a call comes from a program of this machine, which may do everything and needs no token. */
export const isFromThisMachine = ({ remoteAddress, headers }: Pick<Caller, 'remoteAddress' | 'headers'>): boolean =>
  isLoopback(plainAddress(remoteAddress)) && PASSED_ON.every((name) => headers[name] === undefined);

/**
 * The address that pays for wrong PINs and codes. A proxy may pass on an invented caller, so all callers behind a proxy
 * count as one, other than this machine.
 */
export const guesserOf = (caller: Pick<Caller, 'remoteAddress' | 'headers'>): string => {
  const address = plainAddress(caller.remoteAddress);
  return isLoopback(address) && !isFromThisMachine(caller) ? 'a proxy on this machine' : address;
};

export class Guard {
  readonly origins: OriginChecks;
  readonly #credentials: Credentials;
  readonly #sessions: PageSessions;

  /**
   * @param requiresTls whether network callers must speak TLS
   * @param made tokens beside those of the configuration
   * @param sessions of people at pages
   */
  constructor(
    api: ApiConfig,
    requiresTls: boolean,
    made: MadeTokens = NONE_MADE,
    sessions: PageSessions = NO_SESSIONS,
  ) {
    this.#sessions = sessions;
    this.origins = new OriginChecks(api, requiresTls);
    this.#credentials = new Credentials(api, made);
  }

  /** Whether callers from the network must send a token. */
  get asksForToken(): boolean {
    return this.#credentials.areAsked;
  }

  /**
   * @param isForCustomers whether the call is for the customer's screen, which has no sign-in
   * @returns how the caller came in
   * @throws {HttpFailure} `forbidden`, `encryption`, `unauthorised`
   */
  enter(caller: Caller, isForCustomers = false): Entry {
    const entry = this.enterUnasked(caller);
    if (this.#isEnough(entry, caller, isForCustomers)) return entry;
    const isAsked = entry.credential !== 'loopback' && this.#credentials.areAsked;
    const { role, till } = this.#ownerOf(caller, isAsked ? ASKS_FOR_TOKEN : ASKS_WHO);
    return { credential: role, till, signedInBy: null };
  }

  /**
   * Lets in a call that needs no token; a session is still recognised.
   * @throws {HttpFailure} `forbidden`, `encryption`
   */
  enterUnasked(caller: Caller): Entry {
    this.origins.checkName(caller);
    this.origins.checkEncryption(caller);
    if (!isFromThisMachine(caller)) this.origins.checkNetwork(caller);
    return this.#unasked(caller);
  }

  /** Whether a caller that came in once would do so now, and as the same: its streams end where not. */
  wouldEnter(caller: Caller, as: Credential, isForCustomers = false): boolean {
    const entry = this.#unasked(caller);
    if (this.#isEnough(entry, caller, isForCustomers)) return isForCustomers || entry.credential === as;
    const secret = secretOf(caller.headers.authorization);
    return secret !== null && this.#credentials.ownerOf(secret)?.role === as;
  }

  /** @param changed called when somebody may do less than before @returns ends the calls */
  onChange(changed: () => void): () => void {
    return this.#sessions.onChange(changed);
  }

  /** Whether the pages ask this caller to sign in. */
  asksWho(caller: Caller): boolean {
    return (!isFromThisMachine(caller) && this.#credentials.areAsked) || this.#sessions.isLocked;
  }

  /**
   * Checks the rights of a caller; one that needed no token may do what a till may.
   * @param needed the lowest caller that the route allows
   * @throws {HttpFailure} `forbidden`
   */
  allow({ credential, signedInBy }: Pick<Entry, 'credential' | 'signedInBy'>, needed: Opener): void {
    if (credential === 'loopback' || needed === 'anyone') return;
    if (isPermitted(credential === 'none' ? 'till' : credential, needed)) return;
    if (signedInBy !== null) throw new HttpFailure('forbidden', SIGN_IN_AS[needed], { needs: needed });
    if (credential === 'none')
      throw new HttpFailure(
        'forbidden',
        "this call is the technician's: api.allow alone opens what a till does; call on the device itself, or name a token in api.tokens.technician",
      );
    throw new HttpFailure(
      'forbidden',
      "this call is the technician's: send the token of api.tokens.technician, or api.token, or the one made at /claim; the till's was sent",
    );
  }

  /** The origin for CORS headers, or null. */
  corsOrigin(headers: IncomingHttpHeaders): string | null {
    return this.origins.isCors(headers) ? (headers.origin ?? null) : null;
  }

  /** The caller by a session, or from this machine. */
  #unasked(caller: Caller): Entry {
    const session = this.#sessionOf(caller);
    if (session !== null) return { credential: session.owner.role, till: session.owner.till, signedInBy: session.by };
    return { credential: isFromThisMachine(caller) ? 'loopback' : 'none', till: null, signedInBy: null };
  }

  /** Whether a caller without a token needs none, as far as the caller is known. */
  #isEnough({ credential, signedInBy }: Entry, caller: Caller, isForCustomers: boolean): boolean {
    if (signedInBy !== null) return true;
    const isAsked = credential !== 'loopback' && this.#credentials.areAsked;
    return !isAsked && (isForCustomers || !this.#isLockedTo(caller));
  }

  #isLockedTo({ headers }: Caller): boolean {
    if (!this.#sessions.isLocked || this.origins.isCors(headers)) return false;
    return isOfBrowser(headers) || cookieOf(headers, this.#sessions.cookie) !== null;
  }

  /** The session cookie; a page of another origin (CORS) cannot use the sessions of the device's pages. */
  #cookieOf({ headers }: Caller): string | null {
    return this.origins.isCors(headers) ? null : cookieOf(headers, this.#sessions.cookie);
  }

  /** The session of a caller. @throws {HttpFailure} `forbidden` for a change that no page of the device sends */
  #sessionOf(caller: Caller): PageSession | null {
    const { headers, method } = caller;
    const cookie = this.#cookieOf(caller);
    const session = cookie === null ? null : this.#sessions.find(cookie);
    if (cookie === null || session === null) return null;
    if (isOwnPages(headers, method)) {
      if (isChange(method)) this.#sessions.use(cookie);
      return session;
    }
    if (!isChange(method)) return null;
    throw new HttpFailure(
      'forbidden',
      'a change is not taken with the session of a page, unless the browser says that a page of this device asks for it: Origin or Sec-Fetch-Site',
    );
  }

  #ownerOf(caller: Caller, refusal: string): Owner {
    const secret = secretOf(caller.headers.authorization);
    if (secret === null) throw new HttpFailure('unauthorised', refusal);
    const owner = this.#credentials.ownerOf(secret);
    if (owner === null) throw new HttpFailure('unauthorised', `${ASKS_FOR_TOKEN}; the one that was sent is none of it`);
    return owner;
  }
}
