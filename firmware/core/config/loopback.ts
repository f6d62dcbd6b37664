/** Tells which addresses lead back to this machine, and by which of its own the LAN reaches it. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The loopback addresses of nearly every caller. */
const USUAL: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);

/**
 * Whether an address is loopback; false for a name: one that looks like an address (`127.example.com`) may lead
 * anywhere.
 */
export const isLoopback = (address: string): boolean =>
  USUAL.has(address) || (isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));

/** Whether a host is loopback, including the one name that no name server may give to another machine. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** Whether a server on this host listens on every address of the machine. */
export const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '';

/** Bridges of containers and virtual machines: no LAN is behind them. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|cni|flannel|podman)/;
const LINK_LOCAL = /^169\.254\./;
/** A link-local IPv6 address: other machines need its interface, too. */
const OF_INTERFACE = /^fe80:/i;

/** The network addresses that reach a server on this host, without loopback. */
export function addressesBehind(host: string, interfaces = networkInterfaces()): string[] {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const reached = all.filter(
    ({ family, address }) => !OF_INTERFACE.test(address) && (family === 'IPv4' || host !== '0.0.0.0'),
  );
  const addresses = isEverywhere(host) ? reached.map(({ address }) => address) : [host];
  return addresses.filter((address) => !isLoopbackHost(address));
}

/** The machine's own address on the LAN, preferably IPv4, which is short; null for none. */
export function lanAddress(interfaces = networkInterfaces()): string | null {
  const all = Object.entries(interfaces).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !OF_INTERFACE.test(address))
      .map(({ family, address }) => ({
        address,
        doubt: (VIRTUAL.test(name) || LINK_LOCAL.test(address) ? 2 : 0) + (family === 'IPv4' ? 0 : 1),
      })),
  );
  return all.toSorted((one, other) => one.doubt - other.doubt)[0]?.address ?? null;
}
