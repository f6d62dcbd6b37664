/** Opens a port, always on loopback, too: supervisor, updater and a till there use `localhost`, `127.0.0.1`, `::1`. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, isIPv6, type Server } from 'node:net';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { isCode } from '../../../drivers/lib/errors.ts';
import { addressesBehind, isLoopback } from '../config/index.ts';

// Gives calls under way a moment for their answers when a server closes, before their connections are cut.

/** Time for last answers: well within what systemd and `run.ts` give a device to close. */
const LAST_ANSWERS_MS = 500;

/** Whether to wait for an answer. One that has begun may be a stream, which never ends by itself. */
const isAwaited = ({ headersSent, destroyed }: ServerResponse): boolean => !headersSent && !destroyed;

export function finishCallsOnClose(app: FastifyInstance): void {
  const pending = new Set<ServerResponse>();
  app.addHook('onRequest', async (_request, { raw }) => {
    pending.add(raw);
    raw.once('close', () => pending.delete(raw));
  });
  app.addHook('preClose', async () => {
    const signal = AbortSignal.timeout(LAST_ANSWERS_MS);
    // a call is cut when time is over; a caller who hung up needs no answer
    const answered = (raw: ServerResponse) => once(raw, 'close', { signal }).catch(() => {});
    await Promise.all([...pending].filter(isAwaited).map(answered));
  });
}

const LOOPBACK = '127.0.0.1';
const LOOPBACK_6 = '::1';

interface Beside {
  readonly address: string;
  /** Whether the device works without this address. */
  readonly optional: boolean;
}

/** Further loopback addresses to listen on. @param bound the address that the configuration gave */
function besides(bound: string): Beside[] {
  const optional = (address: string): Beside => ({ address, optional: true });
  if (bound === '::') return []; // includes all the others
  if (bound === '0.0.0.0' || bound === LOOPBACK) return [optional(LOOPBACK_6)];
  if (bound === LOOPBACK_6) return [optional(LOOPBACK)];
  if (isLoopback(bound)) return []; // one of many devices on a machine
  return [{ address: LOOPBACK, optional: false }, optional(LOOPBACK_6)];
}

/** Opens a second address of the same server. */
async function openBeside(app: FastifyInstance, address: string, port: number): Promise<void> {
  const listener: Server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit('connection', socket),
  );
  listener.listen(port, address);
  await once(listener, 'listening');
  app.server.once('close', () => listener.close());
}

/**
 * Listens, and returns the base address for callers on this machine.
 * @throws the system's error, when the port is taken
 */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  await app.listen({ host: host === 'localhost' ? LOOPBACK : host, port });
  const bound = app.server.address() as AddressInfo; // a TCP port always has one
  for (const { address, optional } of besides(bound.address)) {
    try {
      await openBeside(app, address, bound.port);
    } catch (err) {
      if (!optional) throw err;
      app.log.warn({ err }, `port ${bound.port} is not open on ${address}: a caller of localhost may not find it`);
    }
  }
  const name = isLoopback(bound.address) ? bound.address : LOOPBACK;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${bound.port}`;
}

/**
 * The network address on which another program keeps this device from listening; null for none. Loopback is not
 * checked: this process listens there.
 * @param host as configured, or chosen
 */
export async function findPortConflict(host: string, port: number): Promise<string | null> {
  for (const address of addressesBehind(host)) {
    const probe = createServer();
    try {
      await once(probe.listen(port, address), 'listening');
      await promisify(probe.close.bind(probe))();
    } catch (error) {
      if (isCode(error, 'EADDRINUSE')) return address;
      // a cable that has just been pulled
      if (!isCode(error, 'EADDRNOTAVAIL')) throw error;
    }
  }
  return null;
}
