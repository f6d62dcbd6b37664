/** The addresses at which a person in the LAN reaches this device, and the link of a technician's code. */
import { hostname } from 'node:os';
import { isEverywhere, lanAddress } from '../config/index.ts';

const DEFAULT_PORTS = { https: 443, http: 80 } as const;
/** An address that a machine gives itself when no server gives it one. */
const LINK_LOCAL = /^169\.254\./;

function networkAddress(): string | null {
  const address = lanAddress();
  return address === null || LINK_LOCAL.test(address) ? null : address;
}

/**
 * The address at which others reach a port.
 * @param host what the port listens on
 * @returns `https://192.168.1.20:8080`; with the machine's name in the LAN until it has an address
 */
export function networkUrl(host: string, port: number, isTls = true): string {
  const scheme = isTls ? 'https' : 'http';
  const [name = ''] = hostname().split('.');
  const found = isEverywhere(host) ? (networkAddress() ?? `${name}.local`) : host;
  const authority = found.includes(':') ? `[${found}]` : found;
  return `${scheme}://${authority}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
}

/** The address of the page where a person types the code. */
export const claimAddress = (host: string, port: number): string => `${networkUrl(host, port)}/claim`;

/**
 * The link of a code. The part after `#` is for the page only: no browser sends it, so no log has it. The part after
 * the code is for displays that echo what they got: the ends of such an echo are logged.
 */
export const claimLink = (address: string, code: string): string => `${address}#${code}&for=laneware-technician`;
