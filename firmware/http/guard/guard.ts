/** Who may call: no web page of a stranger, no stranger of the network. */

import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { shortened } from '../../../drivers/lib/shorten.ts';
import type { Config } from '../../config/load.ts';
import { isLoopback, isLoopbackHost } from '../../config/loopback.ts';
import { HttpFailure } from '../failure.ts';
import { type Origin, plainAddress, readAuthority, readOrigin } from './authority.ts';
import { Credentials, type MadeTokens, type NamedTill, type Owner, secretOf } from './credentials.ts';
import { Guesses } from './guesses.ts';
import { OwnHosts } from './own-hosts.ts';
import type { Opener, Role } from './roles.ts';

export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** Address of ours that was called. */
  readonly localAddress: string;
  /** Whether it was called over TLS. */
  readonly isEncrypted: boolean;
}

function networks(allow: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of allow) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}

/** How a caller came in: from this machine, by a token, or without one because none is asked for. */
export interface Entry {
  readonly credential: 'loopback' | Role | 'none';
  /** Where the token is that of a till of `api.tills`. */
  readonly till: NamedTill | null;
}

/** What a refusal repeats of a header. */
const QUOTED_CHARACTERS = 80;
const quoted = (text: string): string => JSON.stringify(shortened(text, QUOTED_CHARACTERS));

const ASKS_FOR_TOKEN =
  'this device asks callers from the network for its token: send "Authorization: Bearer <token>", of api.tokens, api.tills or api.token, or the one that was made at /claim';

const NONE_MADE: MadeTokens = { areAny: false, roleOf: () => null };

/** A proxy on this machine passes on what comes from anywhere; most say so. */
const PASSED_ON = ['forwarded', 'x-forwarded-for'] as const;

/** Whether a call comes from a program of this machine, which may do everything and needs no token. */
export const isFromThisMachine = ({ remoteAddress, headers }: Pick<Caller, 'remoteAddress' | 'headers'>): boolean =>
  isLoopback(plainAddress(remoteAddress)) && PASSED_ON.every((name) => headers[name] === undefined);

export class Guard {
  readonly #credentials: Credentials;
  readonly #guesses: Guesses;
  readonly #requiresTls: boolean;
  readonly #allowed: BlockList;
  readonly #hasAllowList: boolean;
  readonly #cors: ReadonlySet<string>;
  readonly #ownHosts: OwnHosts;
  readonly #ports = new Set<number>();
  /** Host and address of the last call that meant this device: a till's next one has the same. */
  #lastHost = '';
  #lastAddress = '';

  /**
   * @param requiresTls whether callers that come in over the network must speak TLS
   * @param now milliseconds that no clock setting changes
   * @param made tokens beside those of the configuration
   */
  constructor(api: Config['api'], requiresTls: boolean, now: () => number, made: MadeTokens = NONE_MADE) {
    this.#requiresTls = requiresTls;
    this.#credentials = new Credentials(api, made);
    this.#guesses = new Guesses(now);
    this.#allowed = networks(api.allow);
    this.#hasAllowList = api.allow.length > 0;
    this.#cors = new Set(api.cors);
    this.#ownHosts = new OwnHosts(api.hosts);
  }

  /** Whether callers from the network must send a token. */
  get asksForToken(): boolean {
    return this.#credentials.areAsked;
  }

  /** Pages of each port of the device may call the others. */
  serves(port: number): void {
    this.#ports.add(port);
  }

  /**
   * @returns how the caller came in
   * @throws {HttpFailure} `forbidden`, `encryption`, `unauthorised`, or `too-many` after wrong tokens
   */
  enter(caller: Caller): Entry {
    const entry = this.enterUnasked(caller);
    if (entry.credential === 'loopback' || !this.#credentials.areAsked) return entry;
    const { role, till } = this.#ownerOf(caller);
    return { credential: role, till };
  }

  /**
   * The same where no token is asked for.
   * @throws {HttpFailure} `forbidden`, `encryption`
   */
  enterUnasked(caller: Caller): Entry {
    this.checkName(caller);
    this.#checkEncryption(caller);
    if (isFromThisMachine(caller)) return { credential: 'loopback', till: null };
    this.#checkNetwork(caller);
    return { credential: 'none', till: null };
  }

  /** Whose one a token is; null where it is nobody's. */
  roleOf(secret: string): Role | null {
    return this.#credentials.ownerOf(secret)?.role ?? null;
  }

  /** @param needed whose token opens what is called @throws {HttpFailure} `forbidden` */
  allow({ credential }: Pick<Entry, 'credential'>, needed: Opener): void {
    if (credential !== 'till' || needed !== 'technician') return;
    throw new HttpFailure(
      'forbidden',
      "this call is the technician's: send the token of api.tokens.technician, or api.token, or the one made at /claim; the till's was sent",
    );
  }

  /** Whether the call means this device, and comes from no page of a stranger. @throws {HttpFailure} `forbidden` */
  checkName(caller: Caller): void {
    this.#checkHost(caller);
    this.#checkOrigin(caller);
  }

  /** The origin to name in CORS headers, or null. */
  corsOrigin(headers: IncomingHttpHeaders): string | null {
    return headers.origin !== undefined && this.#cors.has(headers.origin) ? headers.origin : null;
  }

  /** Who names no host at all is no browser, and no page can make a browser leave it out. */
  #checkHost({ headers: { host }, localAddress }: Caller): void {
    if (host === undefined || host === '' || (host === this.#lastHost && localAddress === this.#lastAddress)) return;
    const named = readAuthority(host);
    if (named !== null && this.#ownHosts.has(named.host, localAddress)) {
      this.#lastHost = host;
      this.#lastAddress = localAddress;
      return;
    }
    throw new HttpFailure(
      'forbidden',
      `the Host header names ${quoted(host)}, which is not this device: call it by its address or its name, or add that name to api.hosts`,
    );
  }

  #checkOrigin(caller: Caller): void {
    const { origin } = caller.headers;
    if (origin === undefined || this.#cors.has(origin)) return;
    const from = readOrigin(origin);
    if (from !== null && this.#isOurs(from, caller)) return;
    throw new HttpFailure(
      'forbidden',
      `a web page of ${quoted(origin)} may not call this device: name its origin in api.cors to allow it`,
    );
  }

  /**
   * A page of ours comes from a port of ours, or from the forwarded one that its call names too. What came in plain HTTP to
   * somebody who then calls over TLS may be of anybody on the way.
   */
  #isOurs(from: Origin, { headers: { host = '' }, localAddress, isEncrypted }: Caller): boolean {
    if (!this.#ownHosts.has(from.host, localAddress) || (isEncrypted && !from.isEncrypted)) return false;
    const named = readAuthority(host);
    if (named?.host === from.host && (named.port ?? from.defaultPort) === from.port) return true;
    // a page of loopback is one of the machine that calls: another one's, where the network was called
    const isOfThisMachine = !isLoopbackHost(from.host) || isLoopback(plainAddress(localAddress));
    return isOfThisMachine && this.#ports.has(from.port);
  }

  #checkEncryption({ headers: { host }, localAddress, isEncrypted }: Caller): void {
    if (!this.#requiresTls || isEncrypted || isLoopback(plainAddress(localAddress))) return;
    throw new HttpFailure(
      'encryption',
      `this device speaks TLS with the network: call https://${host || plainAddress(localAddress)} (the fingerprint of its certificate stands in its console), or set tls.mode to "off" where the network is encrypted otherwise`,
    );
  }

  #checkNetwork({ remoteAddress }: Caller): void {
    const address = plainAddress(remoteAddress);
    if (!this.#hasAllowList || this.#allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    throw new HttpFailure('forbidden', `${address} is in none of the networks of api.allow`);
  }

  #ownerOf({ headers, remoteAddress }: Caller): Owner {
    const secret = secretOf(headers.authorization);
    if (secret === null) throw new HttpFailure('unauthorised', ASKS_FOR_TOKEN);
    const address = plainAddress(remoteAddress);
    this.#checkPause(address, secret);
    const owner = this.#credentials.ownerOf(secret);
    if (owner === null) {
      this.#guesses.wrong(address, secret);
      throw new HttpFailure('unauthorised', `${ASKS_FOR_TOKEN}; the one that was sent is none of it`);
    }
    this.#guesses.right(address, secret);
    return owner;
  }

  #checkPause(address: string, token: string): void {
    const pause = this.#guesses.pause(address, token);
    if (pause === 0) return;
    const seconds = Math.ceil(pause / 1000);
    throw new HttpFailure(
      'too-many',
      `too many wrong tokens were sent: the next one from ${address} is looked at in ${seconds} s`,
      { retryAfterS: seconds },
    );
  }
}
