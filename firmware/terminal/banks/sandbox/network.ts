/** Who may ask what of the sandbox bank, and under which address a phone finds it. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const WILDCARDS: readonly string[] = ['0.0.0.0', '::', ''];
/** Bridges of containers and virtual machines: no phone is behind them. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|cni|flannel|podman)/;
const LINK_LOCAL = /^169\.254\./;

const isLoopback = (address: string): boolean => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
/** An IPv4 address that came through a socket of both families, as it is usually written. */
const plain = (address: string): string => address.replace(/^::ffff:/i, '');
const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/** The machine's own address on the LAN; null where it has none. */
export function lanAddress(interfaces = networkInterfaces()): string | null {
  const all = Object.entries(interfaces).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, doubtful: VIRTUAL.test(name) || LINK_LOCAL.test(address) })),
  );
  return (all.find(({ doubtful }) => !doubtful) ?? all[0])?.address ?? null;
}

/** Where the till on this machine reaches the bank. @param bound the address that it listens on */
export function localUrl(bound: string, port: number): string {
  return `http://${WILDCARDS.includes(bound) ? '127.0.0.1' : bracketed(bound)}:${port}`;
}

/** Where a payer's phone reaches it; asked anew for each payment, because a lease may bring another address. */
export function payerUrl(host: string, port: number, publicHost: string | null): string {
  const lan = publicHost ?? (WILDCARDS.includes(host) ? lanAddress() : host);
  return lan === null ? localUrl(host, port) : `http://${bracketed(lan)}:${port}`;
}

function namesThisMachine(host: string | undefined, localAddress: string): boolean {
  const name = (URL.parse(`http://${host ?? ''}`)?.hostname ?? '').replaceAll(/[[\]]/g, '');
  return name === 'localhost' || (isIP(name) !== 0 && (isLoopback(name) || name === plain(localAddress)));
}

/**
 * Only this machine: over loopback, or over its own address to itself. A name in `Host` that is not ours is a web page
 * that had its name resolved to this machine.
 */
export async function fromThisMachine(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { remoteAddress = '', localAddress = '' } = request.socket;
  const near = remoteAddress !== '' && (isLoopback(remoteAddress) || remoteAddress === localAddress);
  if (!near || !namesThisMachine(request.headers.host, localAddress)) {
    await reply.code(403).send({ error: 'only the machine that the bank runs on may ask this' });
  }
}

/** Refuses what another site's page makes a browser send. */
export async function sameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host } = request.headers;
  if (request.method === 'GET' || request.method === 'HEAD' || origin === undefined) return;
  if (origin !== `http://${host}`) await reply.code(403).send({ error: 'a page of another site may not ask this' });
}
