/** Where a phone finds the page that a code is typed into. */
import { hostname } from 'node:os';
import { isEverywhere, lanAddress } from '../config/index.ts';

const DEFAULT_PORTS = { https: 443, http: 80 } as const;
/** What a machine gives itself where it has been given no address. */
const LINK_LOCAL = /^169\.254\./;

function networkAddress(): string | null {
  const address = lanAddress();
  return address === null || LINK_LOCAL.test(address) ? null : address;
}

/** @param host what the port listens on @returns `https://192.168.1.20:8080`; by its name in the LAN until it has an address */
export function networkUrl(host: string, port: number, isTls = true): string {
  const scheme = isTls ? 'https' : 'http';
  const [name = ''] = hostname().split('.');
  const found = isEverywhere(host) ? (networkAddress() ?? `${name}.local`) : host;
  const authority = found.includes(':') ? `[${found}]` : found;
  return `${scheme}://${authority}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
}

export const claimAddress = (host: string, port: number): string => `${networkUrl(host, port)}/claim`;

/**
 * What is behind the `#` is for the page alone: no browser sends it, and so no log has it. What follows the code is for displays
 * that repeat what they were sent: the ends of such an answer are logged.
 */
export const claimLink = (address: string, code: string): string => `${address}#${code}&for=laneware-technician`;
