/**
 * The names that the device answers to. A web page whose name was made to point here (DNS rebinding) calls with a name of
 * its own, which distinguishes it from those who mean this device.
 */
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback, isLoopbackHost } from '../../config/index.ts';
import type { OwnNames } from '../../tls/index.ts';
import { plainAddress, plainHost } from './authority.ts';

/** The machine's own names: as it is set, and as the LAN finds it (mDNS, RFC 6762). */
function machineNames(): string[] {
  const full = hostname().toLowerCase();
  const [first = ''] = full.split('.');
  return first === '' ? [] : [full, first, `${first}.local`];
}

const configuredHosts = (hosts: readonly string[]): string[] =>
  hosts.map((host) => plainHost(host.replaceAll(/[[\]]/g, '')));

/** What a certificate of the device is for. Addresses of the network may change, and are in it as long as they do not. */
export const certificateNames = (hosts: readonly string[]): OwnNames => ({
  needed: [...machineNames(), 'localhost', '127.0.0.1', '::1', ...configuredHosts(hosts)],
  more: Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({ address }) => plainAddress(address)),
});

/**
 * Whether a host is this device.
 * @param hosts `api.hosts`
 * @returns asks so of a host as `readAuthority` spells it, by the address of ours that was called: its caller does not know others
 */
export function ownHosts(hosts: readonly string[]): (host: string, localAddress: string) => boolean {
  const configured = new Set(configuredHosts(hosts));
  return (host, localAddress) => {
    if (isLoopbackHost(host) || configured.has(host)) return true;
    const called = plainAddress(localAddress);
    // where a name of the network leads is said by anybody there (mDNS): a stranger's page may have it lead to loopback
    return !isLoopback(called) && (host === called || machineNames().includes(host));
  };
}
