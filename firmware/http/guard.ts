/** Who may call: no web page of a stranger, no stranger of the network. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { Config } from '../config.ts';
import { isLoopback } from '../loopback.ts';
import { HttpFailure } from './failure.ts';

export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** Address of ours that was called. */
  readonly localAddress: string;
}

const plainAddress = (address: string): string => address.replace(/^::ffff:/, '');

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

/** Name of a Host header or an origin, without its port. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}

export class Guard {
  readonly #token: Buffer | null;
  readonly #allowed: BlockList;
  readonly #hasAllowList: boolean;
  readonly #cors: ReadonlySet<string>;
  readonly #ownNames: ReadonlySet<string>;

  constructor(api: Config['api'], listenHost: string) {
    this.#token = api.token === null ? null : digest(api.token);
    this.#allowed = networks(api.allow);
    this.#hasAllowList = api.allow.length > 0;
    this.#cors = new Set(api.cors);
    this.#ownNames = new Set(['localhost', '127.0.0.1', '::1', listenHost]);
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

  /** On loopback a foreign Host is a web page whose name was made to point at us. */
  #checkHost({ headers, localAddress }: Caller): void {
    if (!isLoopback(plainAddress(localAddress)) || headers.host === undefined) return;
    if (this.#ownNames.has(hostName(headers.host))) return;
    throw new HttpFailure(
      'forbidden',
      `the Host header names "${headers.host}", which is not this device: call it as localhost or 127.0.0.1`,
    );
  }

  #checkOrigin({ headers }: Caller): void {
    const { origin } = headers;
    if (origin === undefined || this.#cors.has(origin)) return;
    if (headers.host !== undefined && origin === `http://${headers.host}`) return;
    throw new HttpFailure(
      'forbidden',
      `a web page of ${origin} may not call this device: name its origin in api.cors to allow it`,
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
