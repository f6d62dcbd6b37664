/** Which addresses lead back to this machine. */
import { BlockList, isIP, isIPv6 } from 'node:net';

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
