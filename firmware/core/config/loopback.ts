/** Which addresses lead back to this machine, and which of its own the LAN reaches it by. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** As nearly every caller has it. */
const USUAL: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);

/** False for what is no address at all: a name that begins like one (`127.example.com`) may lead anywhere. */
export const isLoopback = (address: string): boolean =>
  USUAL.has(address) || (isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));

/** The same, and the one name that no server of names may give to another machine. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** Whether who listens there listens on every address of the machine. */
export const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '';

/** Bridges of containers and virtual machines: nobody of the LAN is behind them. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|cni|flannel|podman)/;
const LINK_LOCAL = /^169\.254\./;
/** Of version 6: it works on no other machine without its interface. */
const OF_INTERFACE = /^fe80:/i;

/** The addresses of the network at which who listens there is reached; none of loopback. */
export function addressesBehind(host: string, interfaces = networkInterfaces()): string[] {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const reached = all.filter(
    ({ family, address }) => !OF_INTERFACE.test(address) && (family === 'IPv4' || host !== '0.0.0.0'),
  );
  const addresses = isEverywhere(host) ? reached.map(({ address }) => address) : [host];
  return addresses.filter((address) => !isLoopbackHost(address));
}

/** The machine's own address on the LAN, a short one of version 4 where it has one; null where it has none. */
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

// Where a bank may be asked: one who listens in between could have payments accepted, or the money sent elsewhere.

/** What is wrong with the address of a bank, to be read after its name; null when nothing is. */
export function bankAddressProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) return 'must be an address as https://bank.example/path';
  const { protocol, hostname, username, password, search, hash } = url;
  if (protocol === 'http:' && !isLoopbackHost(hostname.replaceAll(/[[\]]/g, ''))) {
    return 'must begin with https://: without encryption anybody on the way could redirect payments (http:// leads to this machine only, as http://127.0.0.1)';
  }
  const plain = username === '' && password === '' && search === '' && hash === '' && !/[\s\\?#]/.test(address);
  return plain ? null : 'must have no user, query, fragment, space or backslash';
}
