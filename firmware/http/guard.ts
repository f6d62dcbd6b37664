/** Who may call: no web page of a stranger, no stranger of the network. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { Config } from '../config.ts';
import { isLoopback } from '../loopback.ts';
import { plainAddress, readAuthority, readOrigin } from './authority.ts';
import { HttpFailure } from './failure.ts';
import { OwnHosts } from './own-hosts.ts';

export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** Address of ours that was called. */
  readonly localAddress: string;
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

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The secret of a bearer token, or the password of a browser's own dialogue. */
function secretOf(authorization: string | undefined): string | null {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ');
  if (/^bearer$/i.test(scheme)) return value;
  if (/^basic$/i.test(scheme))
    return Buffer.from(value, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '');
  return null;
}

/** What a refusal repeats of a header. */
const QUOTED_CHARACTERS = 80;
const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text);

export class Guard {
  readonly #token: Buffer | null;
  readonly #allowed: BlockList;
  readonly #hasAllowList: boolean;
  readonly #cors: ReadonlySet<string>;
  readonly #ownHosts: OwnHosts;
  readonly #ports = new Set<number>();

  constructor(api: Config['api']) {
    this.#token = api.token === null ? null : digest(api.token);
    this.#allowed = networks(api.allow);
    this.#hasAllowList = api.allow.length > 0;
    this.#cors = new Set(api.cors);
    this.#ownHosts = new OwnHosts(api.hosts);
  }

  /** Pages of each port of the device may call the others. */
  serves(port: number): void {
    this.#ports.add(port);
  }

  /** @throws {HttpFailure} `forbidden` or `unauthorised` */
  check(caller: Caller): void {
    this.#checkHost(caller);
    this.#checkOrigin(caller);
    if (!isLoopback(plainAddress(caller.remoteAddress))) this.#checkStranger(caller);
  }

  /** The origin to name in CORS headers, or null. */
  corsOrigin(headers: IncomingHttpHeaders): string | null {
    return headers.origin !== undefined && this.#cors.has(headers.origin) ? headers.origin : null;
  }

  /** Who names no host at all is no browser, and no page can make a browser leave it out. */
  #checkHost({ headers: { host }, localAddress }: Caller): void {
    if (host === undefined || host === '') return;
    const named = readAuthority(host);
    if (named !== null && this.#ownHosts.has(named.host, localAddress)) return;
    throw new HttpFailure(
      'forbidden',
      `the Host header names ${quoted(host)}, which is not this device: call it by its address or its name, or add that name to api.hosts`,
    );
  }

  /** A page of ours comes from a port of ours, or from the forwarded one that its call names too. */
  #checkOrigin({ headers: { origin, host = '' }, localAddress }: Caller): void {
    if (origin === undefined || this.#cors.has(origin)) return;
    const from = readOrigin(origin);
    if (from !== null && this.#ownHosts.has(from.host, localAddress)) {
      const named = readAuthority(host);
      const isCalledPort = named?.host === from.host && (named.port ?? from.defaultPort) === from.port;
      if (isCalledPort || this.#ports.has(from.port)) return;
    }
    throw new HttpFailure(
      'forbidden',
      `a web page of ${quoted(origin)} may not call this device: name its origin in api.cors to allow it`,
    );
  }

  #checkStranger({ headers, remoteAddress }: Caller): void {
    const address = plainAddress(remoteAddress);
    if (this.#hasAllowList && !this.#allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
      throw new HttpFailure('forbidden', `${address} is in none of the networks of api.allow`);
    }
    if (this.#token === null) return;
    const secret = secretOf(headers.authorization);
    if (secret === null || !timingSafeEqual(digest(secret), this.#token)) {
      throw new HttpFailure(
        'unauthorised',
        'this device asks callers from the network for its token: send "Authorization: Bearer <api.token>"',
      );
    }
  }
}
