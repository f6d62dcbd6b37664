/** Where a phone finds the page that a code is typed into. */
import { hostname, networkInterfaces } from 'node:os';

const HTTPS_PORT = 443;
const ANY = new Set(['0.0.0.0', '::']);

/** Of the network, the short ones of version 4 first. A link-local one works on no other machine without its interface. */
function networkAddress(): string | null {
  const entries = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !/^(fe80:|169\.254\.)/i.test(address));
  const entry = entries.find(({ family }) => family === 'IPv4') ?? entries[0];
  return entry?.address ?? null;
}

/** @param host what the port listens on @returns `https://192.168.1.20:8080/claim`; by its name in the LAN until it has an address */
export function claimAddress(host: string, port: number): string {
  const [name = ''] = hostname().split('.');
  const found = ANY.has(host) ? (networkAddress() ?? `${name}.local`) : host;
  const authority = found.includes(':') ? `[${found}]` : found;
  return `https://${authority}${port === HTTPS_PORT ? '' : `:${port}`}/claim`;
}

/**
 * What is behind the `#` is for the page alone: no browser sends it, and so no log has it. What follows the code is for displays
 * that repeat what they were sent: the ends of such an answer are logged.
 */
export const claimLink = (address: string, code: string): string => `${address}#${code}&for=laneware-technician`;
