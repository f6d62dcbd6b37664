/** Who may call the sandbox bank, and at which address a phone finds it. */
import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isEverywhere, isLoopback, isLoopbackHost, lanAddress } from '../../core/config/index.ts';
import { readAuthority } from '../../core/http/index.ts';

export const LOCALHOST = '127.0.0.1';

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/** The address at which the till on this machine reaches the bank. @param bound the address that it listens on */
export function localUrl(bound: string, port: number): string {
  return `http://${isLoopback(bound) ? bracketed(bound) : LOCALHOST}:${port}`;
}

/** Whether an address listens only to the LAN, so that the till needs a second server. */
export const leavesOutLoopback = (bound: string): boolean => !isEverywhere(bound) && !isLoopback(bound);

/**
 * The address at which a payer's phone reaches it; computed for each payment, because DHCP may assign another address.
 */
export function payerUrl(host: string, port: number): string {
  const lan = isEverywhere(host) ? lanAddress() : host;
  return lan === null ? localUrl(host, port) : `http://${bracketed(lan)}:${port}`;
}

const namesLoopback = (host: string | undefined): boolean => isLoopbackHost(readAuthority(host ?? '')?.host ?? '');

/**
 * Allows calls only over loopback, because a caller that registers payments could also pay them without money. Another
 * name in `Host` comes from a web page whose name was made to resolve to this machine.
 */
export async function fromThisMachine(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (isLoopback(request.socket.remoteAddress ?? '') && namesLoopback(request.headers.host)) return;
  await reply.code(403).send({ error: 'only the machine that the bank runs on may ask this, over loopback' });
}

/** Refuses requests that another site's page makes a browser send. */
export async function sameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host } = request.headers;
  if (request.method === 'GET' || request.method === 'HEAD' || origin === undefined) return;
  if (origin !== `${request.protocol}://${host}`)
    await reply.code(403).send({ error: 'a page of another site may not ask this' });
}
