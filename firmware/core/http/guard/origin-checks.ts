/** Checks how a call comes in: by a name of the device, from no stranger's page, encrypted, from an allowed network. */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { shortened } from '../../../../drivers/lib/text.ts';
import { isLoopback, isLoopbackHost } from '../../config/index.ts';
import type { OwnNames } from '../../tls/index.ts';
import { HttpFailure } from '../call/failure.ts';
import { type Origin, plainAddress, plainHost, readAuthority, readOrigin } from './authority.ts';
import type { ApiConfig } from './config.ts';
import { isChange, isNavigation } from './page-sessions.ts';

// The names of the device. A web page whose name was made to point here (DNS rebinding) calls by its own name, and so
// differs from callers who mean this device.

/** The machine's own names: its host name, and its name on the LAN (mDNS, RFC 6762). */
function machineNames(): string[] {
  const full = hostname().toLowerCase();
  const [first = ''] = full.split('.');
  return first === '' ? [] : [full, first, `${first}.local`];
}

const configuredHosts = (hosts: readonly string[]): string[] =>
  hosts.map((host) => plainHost(host.replaceAll(/[[\]]/g, '')));

/** Names for the device's certificate. Network addresses may change; the certificate has those of the moment. */
export const certificateNames = (hosts: readonly string[]): OwnNames => ({
  needed: [...machineNames(), 'localhost', '127.0.0.1', '::1', ...configuredHosts(hosts)],
  more: Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({ address }) => plainAddress(address)),
});

/**
 * Tells whether a host is this device.
 * @param hosts `api.hosts`
 * @returns decides by the host, as `readAuthority` spells it, and by the address of the device that was called
 */
export function ownHosts(hosts: readonly string[]): (host: string, localAddress: string) => boolean {
  const configured = new Set(configuredHosts(hosts));
  return (host, localAddress) => {
    if (isLoopbackHost(host) || configured.has(host)) return true;
    const called = plainAddress(localAddress);
    // anybody on the network can answer for a name there (mDNS): a stranger's page may point it to loopback
    return !isLoopback(called) && (host === called || machineNames().includes(host));
  };
}

export interface Caller {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** The device's address that was called. */
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

/** Characters of a header that a refusal quotes. */
const QUOTED_CHARACTERS = 80;
const quoted = (text: string): string => JSON.stringify(shortened(text, QUOTED_CHARACTERS));

/** The origin of the calling page: from `Origin`, or the page's whole address. Null for neither. */
function pageOf({ origin, referer = '' }: IncomingHttpHeaders): string | null {
  if (origin !== undefined) return origin;
  return referer === '' ? null : (URL.parse(referer)?.origin ?? referer);
}

/** Whether a person follows a link on any page to here: that page cannot read the answer. */
const isOpened = ({ method, headers }: Caller): boolean =>
  !isChange(method) && isNavigation(headers) && (headers['sec-fetch-dest'] ?? 'document') === 'document';

export class OriginChecks {
  readonly #requiresTls: boolean;
  readonly #allowed: BlockList;
  readonly #hasAllowList: boolean;
  readonly #cors: ReadonlySet<string>;
  readonly #isOwn: ReturnType<typeof ownHosts>;
  readonly #ports = new Set<number>();

  /** @param requiresTls whether network callers must speak TLS */
  constructor(api: ApiConfig, requiresTls: boolean) {
    this.#requiresTls = requiresTls;
    this.#allowed = networks(api.allow);
    this.#hasAllowList = api.allow.length > 0;
    this.#cors = new Set(api.cors);
    this.#isOwn = ownHosts(api.hosts);
  }

  /** Adds a port of the device: its pages may call the others. */
  serves(port: number): void {
    this.#ports.add(port);
  }

  /** Refuses a call meant for another host, or from a stranger's page. @throws {HttpFailure} `forbidden` */
  checkName(caller: Caller): void {
    this.#checkHost(caller);
    const page = pageOf(caller.headers);
    if (page !== null) this.#checkPage(page, caller);
    else if (caller.headers['sec-fetch-site'] === 'cross-site' && !isOpened(caller))
      throw new HttpFailure('forbidden', 'a web page of another site may not call this device');
  }

  /** Whether a page that the configuration allows makes the call: a till's page, not one of the device. */
  isCors({ origin }: IncomingHttpHeaders): boolean {
    return origin !== undefined && this.#cors.has(origin);
  }

  /** Checks the host. A caller that names none is no browser: no page can make a browser leave it out. */
  #checkHost({ headers: { host }, localAddress }: Caller): void {
    if (host === undefined || host === '') return;
    const named = readAuthority(host);
    if (named !== null && this.#isOwn(named.host, localAddress)) return;
    throw new HttpFailure(
      'forbidden',
      `the Host header names ${quoted(host)}, which is not this device: call it by its address or its name, or add that name to api.hosts`,
    );
  }

  #checkPage(page: string, caller: Caller): void {
    if (this.#cors.has(page)) return;
    const from = readOrigin(page);
    if (from !== null && this.#isOwnPage(from, caller)) return;
    if (caller.headers.origin === undefined && isOpened(caller)) return;
    throw new HttpFailure(
      'forbidden',
      `a web page of ${quoted(page)} may not call this device: name its origin in api.cors to allow it`,
    );
  }

  /**
   * Whether the page is the device's: from a port of the device, or from a forwarded port that the call names, too. A
   * page loaded over plain HTTP that calls over TLS is refused: it may have been changed on the way.
   */
  #isOwnPage(from: Origin, { headers: { host = '' }, localAddress, isEncrypted }: Caller): boolean {
    if (!this.#isOwn(from.host, localAddress) || (isEncrypted && !from.isEncrypted)) return false;
    const named = readAuthority(host);
    if (named?.host === from.host && (named.port ?? from.defaultPort) === from.port) return true;
    // a page from loopback is of the caller's machine, which is another one where a network address was called
    const isOfThisMachine = !isLoopbackHost(from.host) || isLoopback(plainAddress(localAddress));
    return isOfThisMachine && this.#ports.has(from.port);
  }

  /** Refuses a network call without TLS, where that is required. @throws {HttpFailure} `encryption` */
  checkEncryption({ headers: { host }, localAddress, isEncrypted }: Caller): void {
    if (!this.#requiresTls || isEncrypted || isLoopback(plainAddress(localAddress))) return;
    throw new HttpFailure(
      'encryption',
      `this device speaks TLS with the network: call https://${host || plainAddress(localAddress)} (the fingerprint of its certificate stands in its console), or set tls.mode to "off" where the network is encrypted otherwise`,
    );
  }

  /** Refuses a call from a network that `api.allow` does not name. @throws {HttpFailure} `forbidden` */
  checkNetwork({ remoteAddress }: Caller): void {
    const address = plainAddress(remoteAddress);
    if (!this.#hasAllowList || this.#allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    throw new HttpFailure('forbidden', `${address} is in none of the networks of api.allow`);
  }
}
