/**
 * Hosts and ports as HTTP names them (RFC 9110, section 4.3 and 7.2; RFC 6454 for origins), each in one spelling: lower
 * case, no final dot, the short form of an IPv6 address, and IPv4 where IPv6 only wraps it.
 */
import { isIPv6 } from 'node:net';

interface Authority {
  /** Name or address, without brackets. */
  readonly host: string;
  /** The port; null where none is named. */
  readonly port: number | null;
}

const AUTHORITY = /^(?:\[([0-9a-f:.]+)(%[\w.~%-]+)?\]|([^\s:/?#@[\]\\]+))(?::(\d{0,5}))?$/i;
/** A link-local address may carry a zone: the interface by which its sender reaches it (RFC 6874). */
const LINK_LOCAL = /^fe[89ab]/i;
const ORIGIN = /^(https?):\/\/(.+)$/i;
/** An IPv4 address within an IPv6 one, in its short form: `::ffff:c0a8:114`. */
const WRAPPED_IPV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)/i;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** One spelling of an address, from the socket or typed. A link-local one may carry its interface (`%eth0`). */
export function plainAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (!bare.includes(':')) return bare;
  const short = isIPv6(bare) ? (URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1) ?? bare) : bare;
  const [, high, low] = WRAPPED_IPV4.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const bytes = [high, low].map((word) => Number.parseInt(word, 16)).flatMap((word) => [word >> 8, word & 0xff]);
  return bytes.join('.');
}

/** One spelling of a name or an address, the latter without brackets. */
export const plainHost = (host: string): string => plainAddress(host.toLowerCase().replace(/\.$/, ''));

/** The host in a Host header; null for none. */
export function readAuthority(text: string): Authority | null {
  const [, bracketed, zone, name, digits = ''] = AUTHORITY.exec(text) ?? [];
  if (bracketed !== undefined && !isIPv6(bracketed)) return null;
  if (zone !== undefined && !LINK_LOCAL.test(bracketed ?? '')) return null;
  const host = bracketed ?? name;
  if (host === undefined) return null;
  return { host: plainHost(host), port: digits === '' ? null : Number(digits) };
}

/** The host that a request names: in its target, if that is a whole address, else in its header (RFC 9112, 3.2.2). */
export const namedHost = (target = '', header?: string): string | undefined =>
  ABSOLUTE_TARGET.exec(target)?.[1] ?? header;

/** Where a web page came from. */
export interface Origin {
  /** Whether the page came over TLS. */
  readonly isEncrypted: boolean;
  readonly host: string;
  readonly port: number;
  /** The default port of its scheme. */
  readonly defaultPort: number;
}

/** The origin in a header; null for no origin of the web (`null`, `file://`). */
export function readOrigin(text: string): Origin | null {
  const [, scheme = '', rest = ''] = ORIGIN.exec(text) ?? [];
  const authority = readAuthority(rest);
  if (authority === null) return null;
  const isEncrypted = scheme.toLowerCase() === 'https';
  const defaultPort = isEncrypted ? HTTPS_PORT : HTTP_PORT;
  return { isEncrypted, host: authority.host, port: authority.port ?? defaultPort, defaultPort };
}
